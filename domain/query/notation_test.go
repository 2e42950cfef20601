package query_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lyceum/domain/query"
)

// terms splits a filter as the tests write it, with unescaped brackets and values:
// filter[name][eq]=Acme&filter[or][0][name]=x.
func terms(filter string) []query.Term {
	var all []query.Term
	for pair := range strings.SplitSeq(filter, "&") {
		name, value, _ := strings.Cut(pair, "=")
		inner, ok := strings.CutPrefix(name, "filter")
		if !ok {
			continue
		}
		t := query.Term{Param: name, Value: value}
		if inner != "" {
			inner = strings.TrimSuffix(strings.TrimPrefix(inner, "["), "]")
			t.Path = strings.Split(inner, "][")
		}
		all = append(all, t)
	}
	return all
}

// build builds a valid filter.
func build(t testing.TB, filter string) query.Query {
	t.Helper()
	q, err := query.Build(rows, query.Request{Terms: terms(filter)})
	if err != nil {
		t.Fatalf("%s: %v", filter, err)
	}
	return q
}

// names evaluates q over all and returns the names of the result, in order.
func names(q query.Query, all ...row) string {
	var found []string
	for _, r := range rows.Evaluate(q, all).Items {
		found = append(found, r.Name)
	}
	return strings.Join(found, " ")
}

var opNames = map[query.Op]string{
	query.Eq: "=", query.NotEq: "!=", query.Cont: "~", query.NotCont: "!~", query.Start: "^", query.End: "$",
	query.Lt: "<", query.Lteq: "<=", query.Gt: ">", query.Gteq: ">=", query.Null: "null",
}

// show writes a tree in one line: (name = "Acme" and email ~ "a"|"b").
func show(e query.Expr) string {
	switch e := e.(type) {
	case nil:
		return "everything"
	case query.And:
		return showGroup(e, " and ")
	case query.Or:
		return showGroup(e, " or ")
	case query.Cond:
		values := make([]string, len(e.Values))
		for i, v := range e.Values {
			values[i] = showValue(e, v)
		}
		return fmt.Sprintf("%s %s %s", e.Attr.Name, opNames[e.Op], strings.Join(values, "|"))
	}
	return fmt.Sprintf("unknown node %T", e)
}

func showGroup(parts []query.Expr, join string) string {
	if len(parts) == 0 {
		return strings.TrimSpace(join) + "()"
	}
	shown := make([]string, len(parts))
	for i, p := range parts {
		shown[i] = show(p)
	}
	return "(" + strings.Join(shown, join) + ")"
}

func showValue(c query.Cond, v query.Value) string {
	kind := c.Attr.Kind
	if c.Op == query.Null {
		kind = query.Boolean
	}
	switch kind {
	case query.Text, query.Token:
		return fmt.Sprintf("%q", v.Text)
	case query.UUID, query.UUIDs:
		return v.ID.String()
	case query.Integer:
		return fmt.Sprint(v.Int)
	case query.Number:
		return v.Num.RatString()
	case query.Boolean:
		return fmt.Sprint(v.Bool)
	}
	const form = "2006-01-02T15:04:05.999"
	return "[" + v.From.In(time.UTC).Format(form) + ", " + v.To.In(time.UTC).Format(form) + ")"
}
