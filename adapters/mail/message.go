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
	"lyceum/domain/job"
)

//go:embed templates
var templates embed.FS

// content is the data of the templates.
type content struct {
	Name, School, Link string
	End                string // when the link expires, in UTC, such as 2 January 2026 or 15:04
}

// envelope is an email before its templates are executed.
type envelope struct {
	id      job.ID
	to      mail.Address
	school  string // name of the school
	subject string // %s is the name of the school
	content content
}

// messageTemplates contains the templates of an email, as plain text and as HTML.
type messageTemplates struct {
	text *text.Template
	html *html.Template
}

// parseTemplates returns the templates of the email with the given name (invitation or sign-in). It
// reads them from folder. If folder is blank or lacks a template, it uses the standard template in
// the language l.
func parseTemplates(folder string, l Language, name string) (t messageTemplates, err error) {
	plain, errText := template(folder, l, name+".txt.tmpl")
	rich, errHTML := template(folder, l, name+".html.tmpl")
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

func template(folder string, l Language, name string) (string, error) {
	if folder != "" {
		own, err := os.ReadFile(filepath.Join(folder, name))
		if !errors.Is(err, os.ErrNotExist) {
			return string(own), err
		}
	}
	standard, err := templates.ReadFile("templates/" + string(l) + "/" + name)
	return string(standard), err
}

// message returns the email e, as plain text and HTML, with the sender, the Message-ID and the
// header that marks an automatic message.
func (s *Sender) message(e envelope, t messageTemplates, now time.Time) (*gomail.Msg, error) {
	c := e.content
	c.Name, c.School = e.to.Name, unlinked(line(e.school))
	var plain, rich strings.Builder
	if err := t.text.Execute(&plain, c); err != nil {
		return nil, err
	}
	if err := t.html.Execute(&rich, c); err != nil {
		return nil, err
	}
	from := s.from
	if from.Name == "" {
		from.Name = fmt.Sprintf(s.texts.sender, c.School) // Lyceum sends on behalf of the school
	}
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	msg.SetGenHeaderPreformatted(gomail.Header("From"), headerAddress(from))
	msg.SetGenHeaderPreformatted(gomail.Header("To"), headerAddress(e.to))
	msg.SetGenHeaderPreformatted(gomail.HeaderSubject, headerText(fmt.Sprintf(e.subject, c.School)))
	msg.SetMessageIDWithValue(e.id.String() + s.from.Address[strings.LastIndexByte(s.from.Address, '@'):])
	msg.SetDateWithValue(now)
	msg.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: no automatic replies
	msg.SetBodyString(gomail.TypeTextPlain, plain.String())
	msg.AddAlternativeString(gomail.TypeTextHTML, rich.String())
	return msg, nil
}

// recipient returns the recipient's address. An invalid address is a permanent fault.
func recipient(address, fullName string) (mail.Address, error) {
	to, err := mail.ParseAddress(address)
	if err != nil || strings.ContainsFunc(address, unicode.IsControl) {
		return mail.Address{}, fault.Invalidf("email", "is not a valid email address")
	}
	to.Name = ""
	if name := line(fullName); name != address {
		to.Name = unlinked(name)
	}
	return *to, nil
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
