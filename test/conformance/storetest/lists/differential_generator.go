package lists

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"lyceum/domain/query"
	"lyceum/test/conformance/storetest/fixture"
)

// generator generates random queries of a list.
type generator[T any] struct {
	list  *Case[T]
	rnd   *rand.Rand
	texts []string
	stock rowValues
	rows  int // number of rows in each school
}

// query returns a random query. Half of the queries are arbitrary expressions; the other half is
// built from random client requests.
func (g *generator[T]) query(t *testing.T) query.Query {
	t.Helper()
	if g.rnd.IntN(2) == 0 {
		return query.Query{Where: g.expr(3), Sort: g.sort(), Page: g.page()}
	}
	r := g.request()
	q, err := query.Build(g.list.Schema, r)
	if err != nil {
		t.Fatalf("%+v: %v", r, err)
	}
	return q
}

// expr returns a random tree of conditions with at most the given depth.
func (g *generator[T]) expr(depth int) query.Expr {
	if depth == 0 || g.rnd.IntN(3) == 0 {
		return g.cond()
	}
	parts := make([]query.Expr, g.rnd.IntN(4))
	for i := range parts {
		parts[i] = g.expr(depth - 1)
	}
	if g.rnd.IntN(2) == 0 {
		return query.And(parts)
	}
	return query.Or(parts)
}

func (g *generator[T]) cond() query.Cond {
	attr := fixture.Pick(g.rnd, g.list.Schema.Attrs())
	c := query.Cond{Attr: attr, Op: fixture.Pick(g.rnd, opsOf[attr.Kind])}
	for range 1 + g.rnd.IntN(3) {
		c.Values = append(c.Values, g.value(attr, c.Op))
	}
	return c
}

// value returns an operand that is likely to match some rows.
func (g *generator[T]) value(attr query.Attr, op query.Op) query.Value {
	if op == query.Null {
		return query.Value{Bool: g.rnd.IntN(2) == 0}
	}
	switch attr.Kind {
	case query.UUID, query.UUIDs:
		return query.Value{ID: fixture.Pick(g.rnd, g.stock.ids)}
	case query.Token:
		if g.rnd.IntN(4) > 0 {
			return textValue(fixture.Pick(g.rnd, g.stock.keys))
		}
	case query.Integer:
		if len(g.stock.numbers) > 0 && g.rnd.IntN(2) == 0 {
			return query.Value{Int: fixture.Pick(g.rnd, g.stock.numbers) + g.rnd.Int64N(2)}
		}
		return query.Value{Int: g.rnd.Int64N(6) - 1}
	case query.Number:
		return fixture.Pick(g.rnd, numbers())
	case query.Boolean:
		return query.Value{Bool: g.rnd.IntN(2) == 0}
	case query.Date:
		return fixture.Pick(g.rnd, days())
	case query.Timestamp:
		return fixture.Pick(g.rnd, spans())
	}
	return textValue(g.text(attr))
}

// text returns one of the known texts or a part of one. It sometimes adds the prefix and the suffix
// that the attribute has if it is a link.
func (g *generator[T]) text(attr query.Attr) string {
	s := fragment(g.rnd, g.texts)
	if g.rnd.IntN(3) == 0 {
		s = fixture.Pick(g.rnd, g.texts)
	}
	if g.rnd.IntN(2) == 0 {
		s = attr.Prefix + s
	}
	if g.rnd.IntN(2) == 0 {
		s += attr.Suffix
	}
	return s
}

func (g *generator[T]) sort() []query.Order {
	var sort []query.Order
	for range g.rnd.IntN(4) {
		sort = append(sort, query.Order{Attr: fixture.Pick(g.rnd, ordered(g.list.Schema)), Desc: g.rnd.IntN(2) == 0})
	}
	return sort
}

func (g *generator[T]) page() query.Page {
	limits := []int{1, 2, 3, 7, query.DefaultLimit, g.rows - 1, g.rows, g.rows + 1, query.MaxLimit}
	return query.NewPage(1+g.rnd.Int64N(4), fixture.Pick(g.rnd, limits))
}

// request returns a random client request with up to three filters, up to two search terms and up
// to two sort keys.
func (g *generator[T]) request() query.Request {
	r := query.Request{Page: g.page()}
	for range g.rnd.IntN(4) {
		r.Terms = append(r.Terms, g.term())
	}
	for range max(0, g.rnd.IntN(5)-2) {
		r.Search += " " + fragment(g.rnd, g.texts)
	}
	var sort []string
	for range g.rnd.IntN(3) {
		sort = append(sort, strings.Repeat("-", g.rnd.IntN(2))+fixture.Pick(g.rnd, g.list.Schema.SortNames()))
	}
	r.Sort = strings.Join(sort, ",")
	return r
}

// term returns a random filter parameter such as filter[or][0][name][cont][]=x.
func (g *generator[T]) term() query.Term {
	var path []string
	for range g.rnd.IntN(3) {
		path = append(path, fixture.Pick(g.rnd, []string{"and", "or"}))
		if g.rnd.IntN(2) == 0 {
			path = append(path, strconv.Itoa(g.rnd.IntN(2)))
		}
	}
	attr := g.list.Schema.Attr(fixture.Pick(g.rnd, g.list.Schema.Names()))
	op := fixture.Pick(g.rnd, opsOf[attr.Kind])
	path = append(path, attr.Name, opNames[op])
	if g.rnd.IntN(2) == 0 {
		path = append(path, "")
	}
	return query.Term{
		Param: "filter[" + strings.Join(path, "][") + "]", Path: path, Value: g.operand(attr, op),
	}
}

// operand returns a random value for the predicate op, in the notation of clients.
func (g *generator[T]) operand(attr query.Attr, op query.Op) string {
	v := g.value(attr, op)
	if op == query.Null {
		return strconv.FormatBool(v.Bool)
	}
	switch attr.Kind {
	case query.UUID, query.UUIDs:
		return fixture.Pick(g.rnd, []string{v.ID.String(), strings.ToUpper(v.ID.String())})
	case query.Integer:
		return strconv.FormatInt(v.Int, 10)
	case query.Boolean:
		return fixture.Pick(g.rnd, []string{strconv.FormatBool(v.Bool), strconv.FormatBool(v.Bool)[:1]})
	case query.Number:
		digits, _ := v.Num.FloatPrec()
		return v.Num.FloatString(digits + g.rnd.IntN(2))
	case query.Date:
		return v.From.Format(time.DateOnly)
	case query.Timestamp:
		east := time.FixedZone("", 9*60*60)
		return fixture.Pick(g.rnd, []string{
			v.From.Format(time.RFC3339Nano), v.From.Format(time.DateOnly),
			v.From.Format("2006-01-02T15:04:05.000Z07:00"), v.From.In(east).Format(time.RFC3339),
		})
	}
	return v.Text
}
