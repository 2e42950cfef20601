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
	c.tx.pending = append(c.tx.pending, write{text, args})
	return translate(ctx, ctx.Err())
}

// write is a statement that waits for others to go with.
type write struct {
	text string
	args []any
}

// errTooLate says that what was put off has failed.
var errTooLate = errors.New("postgres: a statement failed that was put off")

// flush writes what was put off. Where the transaction has not begun, that is
// all of it, and it needs none: one statement is kept or not as a whole.
func (c *session) flush(ctx context.Context) error {
	if len(c.tx.pending) == 0 {
		return nil
	}
	together := merged(c.tx.pending)
	c.tx.pending = nil
	_, err := c.perform(ctx, together.text, together.args...)
	if err != nil && c.tx.lost == nil && ctx.Err() == nil && !fault.Is(err, fault.Unavailable) {
		c.tx.late = true
		return errTooLate
	}
	return err
}

var parameter = regexp.MustCompile(`\$(\d+)`)

// merged returns one statement that does what all of writes do.
func merged(writes []write) write {
	var all write
	last := len(writes) - 1
	for i, w := range writes {
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
