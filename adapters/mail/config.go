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

// Mode is what becomes of letters.
type Mode string

// The modes.
const (
	// Log sends nothing and notes each letter in the log.
	Log Mode = "log"
	// SMTP hands letters to a mail server.
	SMTP Mode = "smtp"
)

// TLS is how the connection to the mail server is encrypted.
type TLS string

// The ways of encryption.
const (
	// Mandatory begins in plain text, and ends there when the server does not
	// offer STARTTLS.
	Mandatory TLS = "mandatory"
	// Opportunistic takes STARTTLS where it is offered, and plain text otherwise.
	Opportunistic TLS = "opportunistic"
	// Implicit is TLS from the first byte, usually on port 465.
	Implicit TLS = "implicit"
	// None is plain text: for a relay on the same machine.
	None TLS = "none"
)

// longest is the highest Timeout: whoever has a letter delivered waits no longer.
const longest = time.Minute

// Config is how letters are delivered. All but Mode and Link is for the mode SMTP.
type Config struct {
	Mode     Mode
	From     string // the sender, such as "Lyceum <no-reply@school.example>"; without a name the school's is shown, with "via Lyceum"
	Host     string // the mail server
	Port     int    // 1 to 65535
	Username string // blank: the server is not told who sends
	Password string
	TLS      TLS
	Roots    *x509.CertPool // who may vouch for the server; nil: whom the machine trusts
	HELO     string         // the name by which to greet the server; blank: the machine's
	Timeout  time.Duration  // for the delivery of one letter, above 0 and at most 1 minute

	// Link returns the address at which the invitation with a token is accepted,
	// where letters lead. It is asked for each letter.
	Link func(token string) string
}

// Defaults returns the configuration that only logs, with what a mail server
// usually needs beside its name.
func Defaults() Config {
	return Config{Mode: Log, Port: 587, TLS: Mandatory, Timeout: 30 * time.Second}
}

// Validate returns all that is wrong with c, each beginning with the setting's
// name, joined by errors.Join. In the mode Log nothing else matters.
func (c Config) Validate() error {
	switch c.Mode {
	case SMTP:
		return errors.Join(c.checkSender(), c.checkServer(), c.checkLogin())
	case Log:
		return nil
	}
	return fmt.Errorf("mail.mode: %q is not one of log, smtp", c.Mode)
}

func (c Config) checkSender() error {
	if c.From == "" {
		return errors.New("mail.from: is missing, mail.mode smtp needs it")
	}
	from, err := mail.ParseAddress(c.From)
	if err != nil || !isASCII(from.Address) || strings.ContainsFunc(c.From, unicode.IsControl) {
		return fmt.Errorf("mail.from: %q is not an address such as no-reply@school.example", c.From)
	}
	return nil
}

func (c Config) checkServer() error {
	var errs []error
	switch {
	case c.Host == "":
		errs = append(errs, errors.New("mail.host: is missing, mail.mode smtp needs it"))
	case !isWord(c.Host) || strings.Contains(c.Host, "/"):
		errs = append(errs, fmt.Errorf("mail.host: %q is not the name of a host", c.Host))
	}
	if c.Port < 1 || c.Port > 65535 {
		errs = append(errs, errors.New("mail.port: is not from 1 to 65535"))
	}
	if !slices.Contains([]TLS{Mandatory, Opportunistic, Implicit, None}, c.TLS) {
		errs = append(errs, fmt.Errorf("mail.tls: %q is not one of mandatory, opportunistic, implicit, none", c.TLS))
	}
	if !isWord(c.HELO) {
		errs = append(errs, fmt.Errorf("mail.helo: %q is not the name of a host", c.HELO))
	}
	switch {
	case c.Timeout <= 0:
		errs = append(errs, errors.New("mail.timeout: must be above 0"))
	case c.Timeout > longest:
		errs = append(errs, errors.New("mail.timeout: must not be above 1m"))
	}
	return errors.Join(errs...)
}

func (c Config) checkLogin() error {
	switch {
	case c.Username != "" && c.Password == "":
		return errors.New("mail.password: is missing, mail.username needs it")
	case c.Username == "" && c.Password != "":
		return errors.New("mail.username: is missing, mail.password needs it")
	case c.Username != "" && c.TLS == None:
		return errors.New("mail.username: is only for an encrypted connection, not for mail.tls none")
	}
	return nil
}

// isWord tells whether s can stand in a line of the protocol as it is.
func isWord(s string) bool {
	return isASCII(s) && !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) })
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII })
}
