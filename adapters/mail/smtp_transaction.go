package mail

import (
	"net/mail"

	gomail "github.com/wneessen/go-mail"
	"github.com/wneessen/go-mail/smtp"
	"lyceum/domain/fault"
)

// sendTransaction runs one mail transaction. The library's own function discards the server's
// replies and reports a failure after the acceptance as a failure of the message.
func sendTransaction(session *smtp.Client, from, to string, msg *gomail.Msg) error {
	if ok, _ := session.Extension("SMTPUTF8"); !ok && !isASCII(to) {
		return fault.Invalidf("email", "contains non-ASCII characters, which the mail server does not support")
	}
	if err := session.Mail(path(from)); err != nil {
		return temporaryError("sender", err)
	}
	if err := session.Rcpt(path(to)); err != nil {
		return classifyReply(atRecipient, err)
	}
	w, err := session.Data()
	if err != nil {
		return temporaryError("data", err)
	}
	if _, err := msg.WriteTo(w); err != nil {
		// w is not closed, so that the server does not accept a truncated message.
		return temporaryError("data", err)
	}
	if err := w.Close(); err != nil {
		return classifyReply(atContent, err)
	}
	return nil
}

// path returns an address as an SMTP path, in angle brackets.
func path(address string) string { return (&mail.Address{Address: address}).String() }
