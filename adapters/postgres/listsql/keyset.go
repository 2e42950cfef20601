package listsql

import (
	"strings"

	"lyceum/domain/query"
)

// An Edge is the row at which a page begins or ends. It contains the values of the row's sort keys;
// nil is null.
type Edge []any

// edgeOf returns the edge of a cursor. It converts the values of the sort keys to parameters, and
// splits a token into its UUIDs.
func (r *builder) edgeOf(c query.Cursor) Edge {
	var e Edge
	for i, o := range c.Keys {
		switch l, _ := r.predicate(o.Attr); {
		case l.parts != nil:
			e = append(e, uuidsOf(c.Values[i].Text)...)
		default:
			e = append(e, edgeValue(o.Attr, c.Values[i]))
		}
	}
	return e
}

func edgeValue(a query.Attr, v query.Value) any {
	if v.Null {
		return nil
	}
	switch a.Kind {
	case query.Date:
		if a.Property != "" {
			return day(v.From)
		}
		return date(v.From)
	case query.Text:
		return v.Fold
	case query.Token:
		return v.Text
	case query.UUID:
		return v.ID
	case query.Integer:
		return v.Int
	case query.Number:
		return exact(v.Num)
	case query.Boolean:
		return v.Bool
	}
	return v.From
}

func uuidsOf(token string) []any {
	var ids []any
	for word := range strings.SplitSeq(token, ":") {
		ids = append(ids, word)
	}
	return ids
}

// beyondEdge describes the rows on one side of an edge as a union of disjoint ranges. Each range is
// one range of an index on the sort keys.
type beyondEdge struct {
	ranges []string
	lead   string // condition that holds in all ranges and is itself one range of the index; may be empty
}

// after returns the condition that a row comes after e in the order of keys or, if inclusive, is
// the row of e.
//
// Keys are grouped into runs of the same direction. Each run is compared as a row value; a nullable
// key is a run of its own. A row is after e if it equals e in the first k runs and is after e in
// run k+1.
func (r *builder) after(keys []sortKey, e Edge, inclusive bool) beyondEdge {
	var b beyondEdge
	same := "true"
	parameters := r.parameters(e)
	all := sameDirection(keys)
	for i, run := range all {
		orEqual := ""
		if inclusive && i == len(all)-1 {
			orEqual = "="
		}
		after, equal := compareRun(keys[run.from:run.to], parameters[run.from:run.to], orEqual)
		for _, a := range after {
			b.ranges = append([]string{both(same, a)}, b.ranges...)
		}
		if run.from == 0 && !keys[0].nullable {
			b.lead = compareRow(keys[:run.to], "=", parameters)
		}
		same = both(same, equal)
	}
	return b
}

// condition returns b as one condition.
func (b beyondEdge) condition() string {
	all := join(b.ranges, " OR ", "false")
	if b.lead == "" {
		return all
	}
	return both(b.lead, all)
}

// parameters binds the values of an edge and returns their parameters. The parameter of a null is
// empty. An integer from a client may be outside the range of its column, so it is compared as a
// bigint.
func (r *builder) parameters(e Edge) []string {
	texts := make([]string, len(e))
	for i, v := range e {
		if v == nil {
			continue
		}
		texts[i] = r.bind(v)
		if _, ok := v.(int64); ok {
			texts[i] += "::bigint"
		}
	}
	return texts
}

// A run is the range of keys from from up to, but not including, to.
type run struct{ from, to int }

// sameDirection groups keys into runs that can be compared as row values.
func sameDirection(keys []sortKey) []run {
	var all []run
	for i, k := range keys {
		last := len(all) - 1
		if last >= 0 && !k.nullable && !keys[i-1].nullable && k.desc == keys[i-1].desc {
			all[last].to = i + 1
			continue
		}
		all = append(all, run{i, i + 1})
	}
	return all
}

// compareRun compares the keys of one run with their values. Each condition in after selects one
// range of rows after the values; the last range comes first. equal is the condition that the keys
// equal the values. orEqual is as in compareRow.
func compareRun(keys []sortKey, parameters []string, orEqual string) (after []string, equal string) {
	k := keys[0]
	if parameters[0] == "" {
		if k.nullsFirst {
			after = []string{k.row() + " IS NOT NULL"}
		}
		return after, k.row() + " IS NULL"
	}
	equals := make([]string, len(keys))
	for i, k := range keys {
		equals[i] = k.row() + " = " + parameters[i]
	}
	if k.nullable && !k.nullsFirst {
		after = []string{k.row() + " IS NULL"}
	}
	return append(after, compareRow(keys, orEqual, parameters)), strings.Join(equals, " AND ")
}

// compareRow returns the condition that keys of one direction are after the values or, if orEqual
// is "=", not before them.
func compareRow(keys []sortKey, orEqual string, parameters []string) string {
	symbol := " >"
	if keys[0].desc {
		symbol = " <"
	}
	exprs := make([]string, len(keys))
	for i, k := range keys {
		exprs[i] = k.row()
	}
	return rowOf(exprs) + symbol + orEqual + " " + rowOf(parameters[:len(keys)])
}

// row returns the key as an operand.
func (k sortKey) row() string { return "(" + k.expr + ")" }

func rowOf(texts []string) string {
	if len(texts) == 1 {
		return texts[0]
	}
	return "(" + strings.Join(texts, ", ") + ")"
}

// both returns the conjunction of two conditions.
func both(one, other string) string {
	if one == "true" {
		return other
	}
	return one + " AND " + other
}
