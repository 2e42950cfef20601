package mail

import (
	"errors"
	"fmt"
	"net/textproto"
	"regexp"
	"strings"

	"lyceum/domain/fault"
)

// maxReply is how much of a server's reply is kept, in characters.
const maxReply = 300

// stage is the part of a transaction that the server replies to.
type stage string

const (
	atRecipient stage = "recipient"
	atContent   stage = "content"
)

// judged returns the error of a stage: a fault when the server refuses this
// letter for good.
func judged(at stage, err error) error {
	var reply *textproto.Error
	if errors.As(err, &reply) && final(at, reply) {
		return fault.Invalidf("email", "is refused by the mail server: %s", told(reply))
	}
	return reported(string(at), err)
}

// reported returns err as one that may be different next time, in words that can
// be kept.
func reported(at string, err error) error {
	return fmt.Errorf("mail server, %s: %w", at, sentence{err})
}

// sentence is an error whose text is one line of bounded length.
type sentence struct{ err error }

func (s sentence) Error() string { return told(s.err) }

func (s sentence) Unwrap() error { return s.err }

// told returns what a server has replied, or else what err says.
func told(err error) string {
	text := err.Error()
	var reply *textproto.Error
	if errors.As(err, &reply) {
		text = fmt.Sprintf("%d %s", reply.Code, reply.Msg)
	}
	runes := []rune(line(text))
	return string(runes[:min(len(runes), maxReply)])
}

// enhanced finds the subject and the detail of an enhanced status code (RFC 3463).
var enhanced = regexp.MustCompile(`^5\.(\d{1,3})\.(\d{1,3})\b`)

// final tells whether a reply is about this letter and will be the same next
// time. What servers say about us (who may send, how often, from where) is not:
// an operator mends that. Where the enhanced code is silent the plain one counts.
func final(at stage, reply *textproto.Error) bool {
	if reply.Code < 500 || reply.Code > 599 {
		return false
	}
	if m := enhanced.FindStringSubmatch(strings.TrimSpace(reply.Msg)); m != nil && m[1] != "0" {
		subject, detail := m[1], m[2]
		switch subject {
		case "1": // addresses; 7 and 8 are the sender's
			return detail != "7" && detail != "8"
		case "2": // the mailbox; 2 is that it is full
			return detail != "2"
		case "6": // the content
			return true
		}
		return false // the system, the network, the protocol, the policy
	}
	switch reply.Code {
	case 501, 551, 553, 556:
		return at == atRecipient
	case 552, 554:
		return at == atContent
	}
	return reply.Code == 550
}
