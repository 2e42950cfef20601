package lists

import (
	"fmt"
	"strings"

	"lyceum/domain/query"
)

// describe returns q in words, for failure messages.
func describe(q query.Query) string {
	var sort []string
	for _, o := range q.Sort {
		sort = append(sort, strings.Repeat("-", direction(o))+o.Attr.Name)
	}
	return fmt.Sprintf("where %s sort %s page %d of %d",
		describeExpr(q.Where), strings.Join(sort, ","), q.Page.Number(), q.Page.Limit())
}

func direction(o query.Order) int {
	if o.Desc {
		return 1
	}
	return 0
}

func describeExpr(e query.Expr) string {
	switch e := e.(type) {
	case query.And:
		return describeGroup("and", e)
	case query.Or:
		return describeGroup("or", e)
	case query.Cond:
		var values []string
		for _, v := range e.Values {
			values = append(values, describeValue(e.Attr.Kind, e.Op, v))
		}
		return fmt.Sprintf("%s %s %s", e.Attr.Name, opNames[e.Op], strings.Join(values, "|"))
	}
	return "true"
}

func describeGroup(join string, parts []query.Expr) string {
	var all []string
	for _, p := range parts {
		all = append(all, describeExpr(p))
	}
	return join + "(" + strings.Join(all, "; ") + ")"
}

func describeValue(kind query.Kind, op query.Op, v query.Value) string {
	if op == query.Null {
		kind = query.Boolean
	}
	switch kind {
	case query.UUID, query.UUIDs:
		return v.ID.String()
	case query.Integer:
		return fmt.Sprint(v.Int)
	case query.Boolean:
		return fmt.Sprint(v.Bool)
	case query.Date, query.Timestamp:
		return fmt.Sprintf("[%s, %s)", v.From, v.To)
	case query.Number:
		return v.Num.RatString()
	}
	return fmt.Sprintf("%+q", v.Text)
}
