package listsql

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lyceum/domain/query"
)

// A builder collects the parameters of a statement while the statement is written.
type builder struct {
	attrs  map[string]Column
	key    []string // columns by which ties are ordered
	sorted []*Join  // tables other than r that the order uses
	joined bool     // whether the statement joins the tables of its conditions to r
	args   []any
	// patterns contains the parameters of LIKE patterns, by pattern.
	patterns map[string]string
	// customPlan is set if the best plan depends on the values, for example if a range or a pattern
	// may match all rows or none. A prepared statement would use one plan for all values.
	customPlan bool
	err        error
}

// bind returns the parameter for v. Values are never written into the statement.
func (r *builder) bind(v any) string {
	r.args = append(r.args, v)
	return "$" + strconv.Itoa(len(r.args))
}

// where returns the condition of e. A nil e is always true.
func (r *builder) where(e query.Expr) string {
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

func (r *builder) group(parts []query.Expr, joint, empty string) string {
	texts := make([]string, len(parts))
	for i, e := range parts {
		texts[i] = r.where(e)
	}
	return join(texts, joint, empty)
}

// cond returns the condition of c. A null attribute rarely needs special treatment: conditions are
// never negated as a whole, and a condition that is null selects no row. The exception is a
// negation with an empty list of values, which would be true for null; see guard.
func (r *builder) cond(c query.Cond) string {
	leaf, ok := r.predicate(c.Attr)
	if !ok {
		return r.fail("no column for the attribute %s", c.Attr.Name)
	}
	if r.joined {
		return r.local(c, leaf)
	}
	return leaf.via.subquery(r.local(c, leaf))
}

// local is like cond, but for a statement in which the table of the attribute is joined.
func (r *builder) local(c query.Cond, leaf predicate) string {
	if c.Op == query.Null {
		return r.null(leaf, c.Values)
	}
	if len(c.Values) > 1 {
		r.customPlan = true
		if c.Op == query.Eq || c.Op == query.NotEq {
			if text, ok := leaf.among(c.Op, c.Values); ok {
				return guard(c, leaf, text)
			}
		}
	}
	if leaf.ratio != nil && len(c.Values) > 1 {
		if text, ok := leaf.compareOnce(c.Op, c.Values); ok {
			return guard(c, leaf, text)
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

// null returns the condition that the attribute is null if one of values is true, or not null if one
// is false.
func (r *builder) null(l predicate, values []query.Value) string {
	var texts []string
	for _, v := range values {
		text := l.isNotNull()
		if v.Bool {
			text = l.isNull()
		}
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return join(texts, " OR ", "false")
}

// negative reports whether op is the negation of another operator.
func negative(op query.Op) bool { return op == query.NotEq || op == query.NotCont }

// guard adds to a negation the condition that the attribute is not null.
func guard(c query.Cond, l predicate, text string) string {
	if negative(c.Op) && c.Attr.Nullable {
		return fmt.Sprintf("(%s AND %s)", l.isNotNull(), text)
	}
	return text
}

// fail records the first error of the statement, and returns a placeholder condition.
func (r *builder) fail(format string, args ...any) string {
	if r.err == nil {
		r.err = fmt.Errorf("postgres: render a list: "+format, args...)
	}
	return "false"
}

// join returns texts joined by joint, in parentheses if there are several, or empty if there are
// none.
func join(texts []string, joint, empty string) string {
	switch len(texts) {
	case 0:
		return empty
	case 1:
		return texts[0]
	}
	return "(" + strings.Join(texts, joint) + ")"
}
