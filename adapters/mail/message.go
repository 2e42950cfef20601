package mail

import (
	"embed"
	"errors"
	"fmt"
	html "html/template"
	"io"
	"net/mail"
	"os"
	"path/filepath"
	"strings"
	text "text/template"
	"time"
	"unicode"

	gomail "github.com/wneessen/go-mail"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
)

//go:embed templates
var templates embed.FS

// content is the data of the templates.
type content struct {
	Name, School, Link string
	End                string // the last day of the link, such as 2 January 2026, in UTC
}

// messageTemplates is the templates of the email, as plain text and as HTML.
type messageTemplates struct {
	text *text.Template
	html *html.Template
}

// parseTemplates returns the templates in a folder, and the standard ones for those that the folder
// lacks or if it is blank.
func parseTemplates(folder string) (t messageTemplates, err error) {
	plain, errText := template(folder, "invitation.txt.tmpl")
	rich, errHTML := template(folder, "invitation.html.tmpl")
	if err = errors.Join(errText, errHTML); err == nil {
		t.text, errText = text.New("text").Parse(plain)
		t.html, errHTML = html.New("html").Parse(rich)
		err = errors.Join(errText, errHTML)
	}
	if err == nil {
		err = errors.Join(t.text.Execute(io.Discard, content{}), t.html.Execute(io.Discard, content{}))
	}
	if err != nil {
		return t, fmt.Errorf("pages.templates: %w", err)
	}
	return t, nil
}

func template(folder, name string) (string, error) {
	if folder != "" {
		own, err := os.ReadFile(filepath.Join(folder, name))
		if !errors.Is(err, os.ErrNotExist) {
			return string(own), err
		}
	}
	standard, err := templates.ReadFile("templates/" + name)
	return string(standard), err
}

// message returns the email for l: plain text and HTML, the sender, the Message-ID and the
// header that marks an automatic message.
func (s *Sender) message(l invitation.Message, to *mail.Address, now time.Time) (*gomail.Msg, error) {
	c := content{Name: to.Name, School: unlinked(line(l.School)), Link: s.cfg.Link(l.Token), End: l.ExpiresAt.UTC().Format("2 January 2006")}
	var plain, rich strings.Builder
	if err := s.templates.text.Execute(&plain, c); err != nil {
		return nil, err
	}
	if err := s.templates.html.Execute(&rich, c); err != nil {
		return nil, err
	}
	from := s.from
	if from.Name == "" {
		from.Name = c.School + " via Lyceum" // Lyceum sends on behalf of the school
	}
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	msg.SetGenHeaderPreformatted(gomail.Header("From"), headerAddress(from))
	msg.SetGenHeaderPreformatted(gomail.Header("To"), headerAddress(*to))
	msg.SetGenHeaderPreformatted(gomail.HeaderSubject, headerText("Invitation to "+c.School))
	msg.SetMessageIDWithValue(l.ID.String() + s.from.Address[strings.LastIndexByte(s.from.Address, '@'):])
	msg.SetDateWithValue(now)
	msg.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: no automatic replies
	msg.SetBodyString(gomail.TypeTextPlain, plain.String())
	msg.AddAlternativeString(gomail.TypeTextHTML, rich.String())
	return msg, nil
}

// recipient returns the recipient's address. An invalid address is a permanent fault.
func recipient(l invitation.Message) (*mail.Address, error) {
	to, err := mail.ParseAddress(l.To)
	if err != nil || strings.ContainsFunc(l.To, unicode.IsControl) {
		return nil, fault.Invalidf("email", "is not a valid email address")
	}
	to.Name = ""
	if name := line(l.Name); name != l.To {
		to.Name = unlinked(name)
	}
	return to, nil
}

// line returns s as one line: line breaks and control characters become spaces.
func line(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return strings.Join(strings.Fields(s), " ")
}
