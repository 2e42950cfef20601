package mail

import (
	"net/mail"

	gomail "github.com/wneessen/go-mail"
	"github.com/wneessen/go-mail/smtp"
	"lyceum/domain/fault"
)

// handOver is one mail transaction. The library has one too, but it keeps the
// server's replies to itself, and takes a failure after the letter was accepted
// for a failure of the letter.
func handOver(session *smtp.Client, from, to string, msg *gomail.Msg) error {
	if ok, _ := session.Extension("SMTPUTF8"); !ok && !isASCII(to) {
		return fault.Invalidf("email", "has characters beyond ASCII, which the mail server cannot deliver to")
	}
	if err := session.Mail(path(from)); err != nil {
		return reported("sender", err)
	}
	if err := session.Rcpt(path(to)); err != nil {
		return judged(atRecipient, err)
	}
	w, err := session.Data()
	if err != nil {
		return reported("data", err)
	}
	if _, err := msg.WriteTo(w); err != nil {
		return reported("data", err) // without Close: the server must not take a part for the whole
	}
	if err := w.Close(); err != nil {
		return judged(atContent, err)
	}
	return nil
}

// path returns an address as the protocol writes it.
func path(address string) string { return (&mail.Address{Address: address}).String() }
