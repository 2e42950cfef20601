package mail

import (
	"crypto/x509"
	"errors"
	"fmt"
	"net/mail"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Mode is how emails are delivered.
type Mode string

// Values of Mode.
const (
	// Log writes a log message for each email and sends nothing.
	Log Mode = "log"
	// SMTP sends emails to a mail server.
	SMTP Mode = "smtp"
)

// TLS is the encryption of the connection to the mail server.
type TLS string

// Values of TLS.
const (
	// Mandatory uses STARTTLS and fails if the server does not offer it.
	Mandatory TLS = "mandatory"
	// Opportunistic uses STARTTLS if the server offers it, otherwise plain text.
	Opportunistic TLS = "opportunistic"
	// Implicit uses TLS from the first byte, usually on port 465.
	Implicit TLS = "implicit"
	// None uses plain text, for a relay on the same machine.
	None TLS = "none"
)

// maxTimeout is the maximum of Config.Timeout. The jobs that call Send are canceled after this
// time.
const maxTimeout = time.Minute

// Config configures the delivery of emails. All settings except Mode and Link are for the mode
// SMTP.
type Config struct {
	Mode Mode
	// From is the sender, such as "Lyceum <no-reply@school.example>". If it has no name, emails
	// show the school's name and "via Lyceum".
	From     string
	Host     string // host name of the mail server
	Port     int    // 1 to 65535
	Username string // blank: no authentication
	Password string
	TLS      TLS
	Roots    *x509.CertPool // trusted certificate authorities; nil: the authorities of the operating system
	HELO     string         // HELO name; blank: the host name of the machine
	Timeout  time.Duration  // time limit for delivering one message; positive, at most 1 minute

	// Language is the language of the subject, the sender's name, the date and the standard
	// templates.
	Language Language

	// Templates is a folder of templates that replace the standard ones: invitation.txt.tmpl and
	// invitation.html.tmpl, sign-in.txt.tmpl and sign-in.html.tmpl; blank: none.
	Templates string

	// Link returns the URL of the invitation page for the given token. It is called for each
	// message.
	Link func(token string) string
	// SignInLink returns the URL of the sign-in link with the given token, in the school with the
	// given slug.
	SignInLink func(slug, token string) string
}

// Defaults returns a configuration that only logs, with the usual settings for a mail server.
func Defaults() Config {
	return Config{Mode: Log, Language: English, Port: 587, TLS: Mandatory, Timeout: 30 * time.Second}
}

// Validate returns the errors of all settings, joined by errors.Join. Each starts with the
// name of the setting's flag. In the mode Log the settings of the mail server are not checked.
func (c Config) Validate() error {
	switch c.Mode {
	case SMTP:
		return errors.Join(c.checkSender(), c.checkServer(), c.checkLogin(), c.checkTexts())
	case Log:
		return nil
	}
	return fmt.Errorf("mail.mode: must be one of: log, smtp; got %q", c.Mode)
}

func (c Config) checkTexts() error {
	if _, ok := catalog[c.Language]; !ok {
		return fmt.Errorf("mail.language: must be one of: en, de; got %q", c.Language)
	}
	_, errInvitation := parseTemplates(c.Templates, c.Language, invitationTemplates)
	_, errSignIn := parseTemplates(c.Templates, c.Language, signInTemplates)
	return errors.Join(errInvitation, errSignIn)
}

func (c Config) checkSender() error {
	if c.From == "" {
		return errors.New("mail.from: is required with --mail.mode=smtp")
	}
	from, err := mail.ParseAddress(c.From)
	if err != nil || !isASCII(from.Address) || strings.ContainsFunc(c.From, unicode.IsControl) {
		return fmt.Errorf("mail.from: %q is not a valid email address, such as no-reply@school.example", c.From)
	}
	return nil
}

func (c Config) checkServer() error {
	var errs []error
	switch {
	case c.Host == "":
		errs = append(errs, errors.New("mail.host: is required with --mail.mode=smtp"))
	case !isWord(c.Host) || strings.Contains(c.Host, "/"):
		errs = append(errs, fmt.Errorf("mail.host: %q is not a valid host name", c.Host))
	}
	if c.Port < 1 || c.Port > 65535 {
		errs = append(errs, errors.New("mail.port: must be between 1 and 65535"))
	}
	if !slices.Contains([]TLS{Mandatory, Opportunistic, Implicit, None}, c.TLS) {
		errs = append(errs, fmt.Errorf("mail.tls: must be one of: mandatory, opportunistic, implicit, none; got %q", c.TLS))
	}
	if !isWord(c.HELO) {
		errs = append(errs, fmt.Errorf("mail.helo: %q is not a valid host name", c.HELO))
	}
	switch {
	case c.Timeout <= 0:
		errs = append(errs, errors.New("mail.timeout: must be greater than 0"))
	case c.Timeout > maxTimeout:
		errs = append(errs, errors.New("mail.timeout: must be at most 1m"))
	}
	return errors.Join(errs...)
}

func (c Config) checkLogin() error {
	switch {
	case c.Username != "" && c.Password == "":
		return errors.New("mail.password: is required with mail.username")
	case c.Username == "" && c.Password != "":
		return errors.New("mail.username: is required with mail.password")
	case c.Username != "" && c.TLS == None:
		return errors.New("mail.username: requires an encrypted connection, but mail.tls is none")
	}
	return nil
}

// isWord reports whether s can be used as a word of an SMTP command.
func isWord(s string) bool {
	return isASCII(s) && !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) })
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII })
}
