package postgres

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"lyceum/domain/fault"
)

// later writes, with the transaction's next statement at the latest, and tells
// nothing but that it took place: what comes together costs one round trip. It is
// for statements that neither see what another of them writes nor lock what
// another locks, and that fail where they change nothing.
//
// An error may be told too late for the function to make something of it. So when
// there is one the function runs again, and then each statement runs at once.
func (c *session) later(ctx context.Context, text string, args ...any) error {
	if !c.tx.hasty {
		_, err := c.exec(ctx, text, args...)
		return err
	}
	c.tx.pending = append(c.tx.pending, deferred{text, args})
	return translate(ctx, ctx.Err())
}

// trusting tells whether the transaction may go by what the store remembers, if
// trust then makes sure of it.
func (c *session) trusting() bool { return c.tx != nil && c.tx.hasty && !c.begun() }

// trust puts off a statement that fails when what the transaction goes by is no
// longer so. It runs with what is written next, or at the end.
func (c *session) trust(text string, args ...any) { c.tx.trusted = &deferred{text, args} }

// deferred is a statement that waits for others to go with.
type deferred struct {
	text string
	args []any
}

// errTooLate says that what was put off has failed.
var errTooLate = errors.New("postgres: a statement failed that was put off")

// flush runs what was put off. Where the transaction has not begun, that is all
// of it, and it needs none: one statement is kept or not as a whole.
func (c *session) flush(ctx context.Context) error {
	all := c.tx.pending
	if c.tx.trusted != nil {
		all = append(all, *c.tx.trusted) // last: only the last one runs though nobody reads it and it writes nothing
	}
	if len(all) == 0 {
		return nil
	}
	together := merged(all)
	c.tx.pending, c.tx.trusted = nil, nil
	_, err := c.perform(ctx, together.text, together.args...)
	if err != nil && c.tx.lost == nil && ctx.Err() == nil && !fault.Is(err, fault.Unavailable) {
		c.tx.late = true
		return errTooLate
	}
	return err
}

var parameter = regexp.MustCompile(`\$(\d+)`)

// merged returns one statement that does what all of parts do.
func merged(parts []deferred) deferred {
	var all deferred
	last := len(parts) - 1
	for i, w := range parts {
		text := parameter.ReplaceAllStringFunc(w.text, func(p string) string {
			n, _ := strconv.Atoi(p[1:]) // the pattern has digits alone
			return "$" + strconv.Itoa(len(all.args)+n)
		})
		switch {
		case last == 0:
			all.text = text
		case i == 0:
			all.text = "WITH w0 AS (" + text + ")"
		case i < last:
			all.text += ", w" + strconv.Itoa(i) + " AS (" + text + ")"
		default:
			all.text += " " + strings.TrimSpace(text)
		}
		all.args = append(all.args, w.args...)
	}
	return all
}
