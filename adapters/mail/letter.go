package mail

import (
	"embed"
	html "html/template"
	"net/mail"
	"strings"
	text "text/template"
	"time"
	"unicode"

	gomail "github.com/wneessen/go-mail"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
)

//go:embed letters
var letters embed.FS

var (
	invitationText = text.Must(text.ParseFS(letters, "letters/invitation.txt.tmpl"))
	invitationHTML = html.Must(html.ParseFS(letters, "letters/invitation.html.tmpl"))
)

// content is what the templates are filled with.
type content struct{ Name, School, Link string }

// message returns the letter as it is sent: text, the same as HTML, and headers
// that say who sent it, that a program did, and which letter it is.
func (s *Sender) message(l invitation.Letter, to *mail.Address, now time.Time) (*gomail.Msg, error) {
	c := content{Name: to.Name, School: unlinked(line(l.School)), Link: s.cfg.Link(l.Token)}
	var plain, rich strings.Builder
	if err := invitationText.Execute(&plain, c); err != nil {
		return nil, err
	}
	if err := invitationHTML.Execute(&rich, c); err != nil {
		return nil, err
	}
	from := s.from
	if from.Name == "" {
		from.Name = c.School + " via Lyceum" // the school does not send by itself
	}
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	msg.SetGenHeaderPreformatted(gomail.Header("From"), headerAddress(from))
	msg.SetGenHeaderPreformatted(gomail.Header("To"), headerAddress(*to))
	msg.SetGenHeaderPreformatted(gomail.HeaderSubject, headerText("Invitation to "+c.School))
	msg.SetMessageIDWithValue(l.ID.String() + s.from.Address[strings.LastIndexByte(s.from.Address, '@'):])
	msg.SetDateWithValue(now)
	msg.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: no machine answers it
	msg.SetBodyString(gomail.TypeTextPlain, plain.String())
	msg.AddAlternativeString(gomail.TypeTextHTML, rich.String())
	return msg, nil
}

// recipient returns the address that the letter goes to. One that is no address
// is a fault: it will not become one.
func recipient(l invitation.Letter) (*mail.Address, error) {
	to, err := mail.ParseAddress(l.To)
	if err != nil || strings.ContainsFunc(l.To, unicode.IsControl) {
		return nil, fault.Invalidf("email", "is not an e-mail address")
	}
	to.Name = ""
	if name := line(l.Name); name != l.To {
		to.Name = unlinked(name)
	}
	return to, nil
}

// line returns s as one line: what could end a line or a header is a space.
func line(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return strings.Join(strings.Fields(s), " ")
}
