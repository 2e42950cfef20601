package mail

import (
	"errors"
	"fmt"
	"net/textproto"
	"regexp"
	"strings"

	"lyceum/domain/fault"
)

// maxReply is the maximum length of the recorded reply of a server, in characters.
const maxReply = 300

// stage is the part of an SMTP transaction to which a reply belongs.
type stage string

const (
	atRecipient stage = "recipient"
	atContent   stage = "content"
)

// classifyReply returns err as the error of a stage. It is a permanent fault if the server rejects
// this message permanently.
func classifyReply(at stage, err error) error {
	var reply *textproto.Error
	if errors.As(err, &reply) && isPermanent(at, reply) {
		return fault.Invalidf("email", "was rejected by the mail server: %s", replyText(reply))
	}
	return temporaryError(string(at), err)
}

// temporaryError returns err as an error that a retry can fix, with text that can be stored.
func temporaryError(at string, err error) error {
	return fmt.Errorf("mail server, %s: %w", at, boundedError{err})
}

// boundedError is an error whose text is one line of at most maxReply characters.
type boundedError struct{ err error }

func (s boundedError) Error() string { return replyText(s.err) }

func (s boundedError) Unwrap() error { return s.err }

// replyText returns the reply of the server in err, or else the text of err. A reply that is not of
// the form of SMTP, or has an unexpected code, is left out: it may name the recipient, and without
// a code it cannot be distinguished from the rest of a text.
func replyText(err error) string {
	text := err.Error()
	var reply *textproto.Error
	var invalid textproto.ProtocolError
	switch {
	case errors.As(err, &invalid):
		text = "the reply is not of the form of SMTP"
	case errors.As(err, &reply) && (reply.Code < 400 || reply.Code > 599):
		text = fmt.Sprintf("a reply has the unexpected code %d", reply.Code)
	case reply != nil:
		text = fmt.Sprintf("%d %s", reply.Code, reply.Msg)
	}
	runes := []rune(line(text))
	return string(runes[:min(len(runes), maxReply)])
}

// enhanced matches an enhanced status code (RFC 3463) and captures its subject and detail.
var enhanced = regexp.MustCompile(`^5\.(\d{1,3})\.(\d{1,3})\b`)

// isPermanent reports whether a reply is about this message and would be the same after a retry.
// Replies about the sender (permission, rate, origin) are temporary, because an operator can fix
// the cause. If the enhanced code does not decide, the basic code does.
func isPermanent(at stage, reply *textproto.Error) bool {
	if reply.Code < 500 || reply.Code > 599 {
		return false
	}
	if m := enhanced.FindStringSubmatch(strings.TrimSpace(reply.Msg)); m != nil && m[1] != "0" {
		subject, detail := m[1], m[2]
		switch subject {
		case "1": // addressing; details 7 and 8 are about the sender
			return detail != "7" && detail != "8"
		case "2": // mailbox; detail 2: it is full
			return detail != "2"
		case "6": // content
			return true
		}
		return false // system, network, protocol, policy
	}
	switch reply.Code {
	case 501, 551, 553, 556:
		return at == atRecipient
	case 552, 554:
		return at == atContent
	}
	return reply.Code == 550
}
