package listsql

import (
	"fmt"
	"strconv"
	"strings"

	"lyceum/domain/query"
)

// rendering is a statement in the making: the values bound so far.
type rendering struct {
	attrs  map[string]Column
	key    []string // the columns that decide ties
	sorted []*Join  // the tables, beside r, that the order names
	beside bool     // whether conditions find other tables beside r
	args   []any
	// patterns are the places of the patterns that are bound.
	patterns map[string]string
	// varied is set when the best plan depends on the values: a pattern that
	// matches all or nothing, a range. A prepared statement would come to use
	// one plan for all.
	varied bool
	err    error
}

// bind returns the place of v in the statement. Values are never written into
// it.
func (r *rendering) bind(v any) string {
	r.args = append(r.args, v)
	return "$" + strconv.Itoa(len(r.args))
}

// where returns the condition of e; nil is the one that always holds.
func (r *rendering) where(e query.Expr) string {
	switch e := e.(type) {
	case nil:
		return "true"
	case query.And:
		return r.group(e, " AND ", "true")
	case query.Or:
		return r.group(e, " OR ", "false")
	case query.Cond:
		return r.cond(e)
	}
	return r.fail("no condition %T", e)
}

func (r *rendering) group(parts []query.Expr, joint, empty string) string {
	texts := make([]string, len(parts))
	for i, e := range parts {
		texts[i] = r.where(e)
	}
	return join(texts, joint, empty)
}

// cond returns the condition of c. SQL's third truth value needs no care: a
// condition is never negated as a whole, and unknown selects as little as
// false, but the negations of an empty list would hold for a null.
func (r *rendering) cond(c query.Cond) string {
	leaf, ok := r.leaf(c.Attr)
	if !ok {
		return r.fail("no column for the attribute %s", c.Attr.Name)
	}
	if r.beside {
		return r.local(c, leaf)
	}
	return leaf.via.reach(r.local(c, leaf))
}

// local is cond where the attribute stands.
func (r *rendering) local(c query.Cond, leaf leaf) string {
	if c.Op == query.Null {
		return r.null(leaf, c.Values)
	}
	if len(c.Values) > 1 {
		r.varied = true
		if c.Op == query.Eq || c.Op == query.NotEq {
			if text, ok := leaf.among(c.Op, c.Values); ok {
				return guard(c, leaf, text)
			}
		}
	}
	texts := make([]string, len(c.Values))
	for i, v := range c.Values {
		texts[i] = leaf.compare(c.Op, v)
	}
	if negative(c.Op) {
		return guard(c, leaf, join(texts, " AND ", "true"))
	}
	return join(texts, " OR ", "false")
}

func (r *rendering) null(l leaf, values []query.Value) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = l.isNotNull()
		if v.Bool {
			texts[i] = l.isNull()
		}
	}
	return join(texts, " OR ", "false")
}

func negative(op query.Op) bool { return op == query.NotEq || op == query.NotCont }

// guard keeps nulls out of a negation.
func guard(c query.Cond, l leaf, text string) string {
	if negative(c.Op) && c.Attr.Nullable {
		return fmt.Sprintf("(%s AND %s)", l.isNotNull(), text)
	}
	return text
}

func (r *rendering) fail(format string, args ...any) string {
	if r.err == nil {
		r.err = fmt.Errorf("postgres: render a list: "+format, args...)
	}
	return "false"
}

func join(texts []string, joint, empty string) string {
	switch len(texts) {
	case 0:
		return empty
	case 1:
		return texts[0]
	}
	return "(" + strings.Join(texts, joint) + ")"
}
