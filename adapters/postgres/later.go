package postgres

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"lyceum/domain/fault"
)

// A transaction puts off what it need not know at once, so that it goes together
// with its next statement, or at its end: what comes together costs one round
// trip, and when nothing else has been asked that statement needs neither BEGIN
// nor COMMIT, for it is kept or not as a whole.
//
// An error may so be told too late for the function to make something of it.
// When there is one the function runs again, and then each statement runs at once.

// later puts off a write. It is for statements that neither see what another of
// them writes nor lock what another locks.
func (c *session) later(ctx context.Context, text string, args ...any) error {
	if !c.tx.hasty {
		_, err := c.exec(ctx, text, args...)
		return err
	}
	c.tx.pending = append(c.tx.pending, deferred{text: text, args: args})
	return translate(ctx, ctx.Err())
}

// laterOne is later for an insertion that returns what it has inserted, and fails
// when that is nothing. It is for hasty transactions alone.
func (c *session) laterOne(ctx context.Context, text string, args ...any) error {
	c.tx.pending = append(c.tx.pending, deferred{text: text, args: args, some: true})
	return translate(ctx, ctx.Err())
}

// deferred is a statement that waits for others to go with.
type deferred struct {
	text string
	args []any
	some bool // whether it fails when it returns nothing
}

// errTooLate says that what was put off has failed.
var errTooLate = errors.New("postgres: a statement failed that was put off")

// flush runs what was put off.
func (c *session) flush(ctx context.Context) error {
	together := merged(c.tx.pending, c.tx.goingBy())
	if together.text == "" {
		return nil
	}
	c.tx.pending, c.tx.school = nil, nil
	_, err := c.perform(ctx, together.text, together.args...)
	switch {
	case err == nil, c.tx.lost != nil:
	case ctx.Err() == nil && !fault.Is(err, fault.Unavailable):
		c.tx.late = true
		c.store.schools.Delete(c.school) // perhaps it is another by now
		err = errTooLate
	default:
		c.tx.failed = err
	}
	return err
}

// settle ends what a function has put off that returned err. Without success
// nothing is to be kept, so that writes are tried within a transaction.
func (c *session) settle(ctx context.Context, err error) error {
	if err != nil && len(c.tx.pending) > 0 {
		return c.enter(ctx)
	}
	return c.flush(ctx)
}

// goingBy returns what makes sure, with checks, of what the transaction has gone by.
func (t *transaction) goingBy() []deferred {
	if t.school == nil {
		return nil
	}
	s := t.school
	return []deferred{{text: stillSo, args: []any{s.ID, s.Name, s.Auth, s.CreatedAt, s.UpdatedAt}}}
}

var parameter = regexp.MustCompile(`\$(\d+)`)

// merged returns one statement that does all of writes, or fails as a whole: when
// one of the checks, which select a number, divides by zero, or a write that was
// to return something has returned nothing. What the statement itself selects runs
// first, and the rest of writes after it.
func merged(writes, checks []deferred) deferred {
	var all deferred
	take := func(d deferred) string {
		text := parameter.ReplaceAllStringFunc(d.text, func(p string) string {
			n, _ := strconv.Atoi(p[1:]) // the pattern has digits alone
			return "$" + strconv.Itoa(len(all.args)+n)
		})
		all.args = append(all.args, d.args...)
		return strings.TrimSpace(text)
	}
	var parts, sure []string
	for i, w := range writes {
		name := "w" + strconv.Itoa(i)
		parts = append(parts, name+" AS ("+take(w)+")")
		if w.some {
			sure = append(sure, "(SELECT 1 / count(*) FROM "+name+")")
		}
	}
	for _, check := range checks {
		sure = append(sure, "("+take(check)+")")
	}
	if len(parts) > 0 {
		all.text = "WITH " + strings.Join(parts, ", ") + " "
	}
	switch {
	case len(sure) > 0:
		all.text += "SELECT " + strings.Join(sure, ", ")
	case len(parts) > 0:
		all.text += "SELECT 1"
	}
	return all
}
