package lists

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/query"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// Lists tests ports.Lister for every list: it must return the same rows in the same order as
// Schema.Evaluate.
func Lists(t *testing.T, b fixture.Backend) {
	for _, c := range Cases {
		c.lists(t, b)
	}
}

func (c *Case[T]) lists(t *testing.T, b fixture.Backend) {
	t.Run(c.name, func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		// Each list has its own seed. All lists also write to the other tenant, where their ids
		// must differ.
		rnd := rand.New(rand.NewPCG(1, uint64(slices.Index(fixture.ListsOfReader(), c.name))))
		c.write(w.OtherTenant, rnd, HostileTexts)
		rows := c.ExpectedRows(c.asStored(w.Tenant, c.write(w.Tenant, rnd, HostileTexts)))
		run := func(name string, test func(s fixture.Tenant)) {
			t.Run(name, func(t *testing.T) {
				t.Parallel() // no list test writes to the school
				test(w.WithT(t))
			})
		}

		run("The list contains exactly the written records", func(s fixture.Tenant) {
			c.Check(s, rows, query.Query{Sort: c.Schema.Default(), Page: query.AllRows()})
		})

		run("The zero query is the first page in the default order", func(s fixture.Tenant) {
			c.Check(s, rows, query.Query{})
		})

		run("Rows are in the order of q.Sort and then of the uuid", func(s fixture.Tenant) { c.checkSort(s, rows) })

		for _, attr := range c.Schema.Attrs() {
			for _, op := range opsOf[attr.Kind] {
				run(attr.Name+" "+opNames[op], func(s fixture.Tenant) { c.checkPredicates(s, rows, attr, op) })
			}
		}

		run("And, or and their empty forms", func(s fixture.Tenant) { c.checkGroups(s, rows) })

		run("A page contains its rows and reports whether more follow", func(s fixture.Tenant) { c.checkPages(s, rows) })

		run("A page at a cursor is the rows on its side of the edge", func(s fixture.Tenant) { c.checkCursors(s, rows) })

		run("A filter for one id selects the records that have or refer to it", func(s fixture.Tenant) { c.checkIDs(s, rows) })

		run("A search finds rows that hold every word", func(s fixture.Tenant) {
			for _, search := range []string{"emile", "ZOLA émile", "zola emil x", "%", "_", `\ `, "graduation 🎓", "ﷺ", "  ", "ss", "a e i l o", "e m l i a o r n t s"} {
				c.request(s, rows, query.Request{Search: search})
			}
		})

		run("A transaction lists the same", func(s fixture.Tenant) {
			if c.outside {
				return // ports.Tx does not have the list
			}
			is := is.New(s.T)
			q := query.Query{Sort: c.Schema.Default(), Page: query.NewPage(2, 7)}
			var got query.Result[T]
			s.Do(func(ctx context.Context, tx ports.Tx) (err error) {
				got, err = c.of(fixture.ReaderOf(tx)).List(ctx, q)
				return err
			})
			is.Equal(fixture.Diff(page(got), page(c.Schema.Evaluate(q, rows.rows))), "")
		})

		run("An empty school has an empty list", func(s fixture.Tenant) {
			c.followCursors(fixture.NewTenant(s.T, b, "Empty"), c.ExpectedRows(nil), query.Query{})
		})
	})
}

// checkSort sorts by every attribute in both directions, both alone and before another attribute.
func (c *Case[T]) checkSort(s fixture.Tenant, rows ExpectedRows[T]) {
	s.T.Helper()
	attrs := ordered(c.Schema)
	for i, attr := range attrs {
		other := attrs[(i+1)%len(attrs)]
		for _, desc := range []bool{false, true} {
			first := query.Order{Attr: attr, Desc: desc}
			sorts := [][]query.Order{
				{first, {Attr: other}, {Attr: attr, Desc: !desc}}, {first}, {first, {Attr: other, Desc: true}},
			}
			if testing.Short() {
				sorts = sorts[:1]
			}
			for _, sort := range sorts {
				c.Check(s, rows, query.Query{Sort: sort, Page: query.AllRows()})
			}
		}
	}
}

// checkPredicates tests the predicate with one operand, with two, with all and with none. The
// single operands differ between attributes, predicates and lists, so that each operand is tested
// at least once. Testing all combinations takes minutes and has found no further errors.
func (c *Case[T]) checkPredicates(s fixture.Tenant, rows ExpectedRows[T], attr query.Attr, op query.Op) {
	s.T.Helper()
	values := operands(attr, op, c.rowValuesOf([]T{rows.rows[0], rows.rows[len(rows.rows)/2]}))
	try := func(values ...query.Value) {
		c.Check(s, rows, query.Query{
			Where: query.Cond{Attr: attr, Op: op, Values: values}, Sort: c.Schema.Default(), Page: query.AllRows(),
		})
	}
	step := 1 + len(values)/3
	for i := (len(c.name) + len(attr.Name) + int(op)) % step; i < len(values); i += step {
		try(values[i])
	}
	try(values...)
	if !testing.Short() {
		try(values[0], values[len(values)/2])
		try()
	}
}

// checkGroups tests nested conditions.
func (c *Case[T]) checkGroups(s fixture.Tenant, rows ExpectedRows[T]) {
	s.T.Helper()
	one, other := c.times()
	since := timeCond(one, query.Gteq, moments[2], moments[3])
	not := timeCond(one, query.NotEq, moments[3], moments[4])
	changed := timeCond(other, query.Lt, moments[1], moments[2])
	for _, where := range []query.Expr{
		query.And{},
		query.Or{},
		query.And{since},
		query.Or{since},
		query.And{since, not},
		query.Or{since, changed},
		query.And{query.Or{}, since},
		query.Or{query.And{}, since},
		query.And{query.And{}, query.And{query.And{}}},
		query.Or{query.And{since, changed}, query.And{not, query.Or{changed, since}}},
		query.And{query.Or{since, changed}, query.Or{not, changed}},
	} {
		c.Check(s, rows, query.Query{Where: where, Sort: c.Schema.Default(), Page: query.AllRows()})
	}
}

// checkPages reads lists in pages of many sizes, up to the last page and past it.
func (c *Case[T]) checkPages(s fixture.Tenant, rows ExpectedRows[T]) {
	s.T.Helper()
	since := c.commonCond()
	for _, where := range []query.Expr{nil, since, query.Or{}} {
		n := len(rows.evaluate(query.Query{Where: where, Page: query.AllRows()}).Items)
		pages := map[query.Page]bool{} // many pages are equal
		for _, limit := range []int{0, 1, 7, n - 1, n, n + 1, query.MaxLimit, math.MaxInt} {
			last := int64(n / query.NewPage(1, limit).Limit())
			for _, number := range []int64{1, 2, 3, last - 1, last, last + 1, last + 2, 1 << 31, 1 << 40, math.MaxInt64} {
				pages[query.NewPage(number, limit)] = true
			}
		}
		for number := range int64(n/7 + 2) {
			pages[query.NewPage(number+1, 7)] = true
		}
		for page := range pages {
			if testing.Short() && page.Number()%2 == 0 {
				continue
			}
			c.Check(s, rows, query.Query{Where: where, Sort: c.Schema.Default(), Page: page})
		}
	}
}

// checkCursors reads lists page by page with cursors, to the end and back: unfiltered, with one
// condition, and with a search. Each of these three lists is sorted by a third of the attributes.
func (c *Case[T]) checkCursors(s fixture.Tenant, rows ExpectedRows[T]) {
	s.T.Helper()
	searched, err := query.Build(c.Schema, query.Request{Search: "e"})
	s.Must(err)
	limit := 1 + len(rows.rows)/5 // a few pages, some of which end between rows with equal values
	for n, where := range []query.Expr{nil, c.commonCond(), searched.Where} {
		for i, attr := range c.cursorAttrs(rows) {
			if i%3 == n && (i < 3 || !testing.Short()) {
				sort := []query.Order{{Attr: attr, Desc: i%2 == 0}}
				c.followCursors(s, rows, query.Query{Where: where, Sort: sort, Page: query.NewPage(1, limit)})
			}
		}
	}
}

// cursorAttrs returns the attributes by which the tests of cursors sort. It omits attributes whose
// values the returned rows may lack (see fixture.WithoutHidden), because a cursor is made from the
// values of a row.
func (c *Case[T]) cursorAttrs(rows ExpectedRows[T]) []query.Attr {
	complete := reflect.DeepEqual(fixture.WithoutHidden(rows.rows), any(rows.rows))
	var attrs []query.Attr
	for _, name := range c.Schema.SortNames() {
		if attr := c.Schema.Attr(name); complete || slices.Contains(c.Schema.Names(), attr.Source) {
			attrs = append(attrs, attr)
		}
	}
	return attrs
}

// followCursors reads the list of q from its first page to its end and back. Like the server, it
// makes the cursors from the returned rows.
func (c *Case[T]) followCursors(s fixture.Tenant, rows ExpectedRows[T], q query.Query) {
	s.T.Helper()
	scope := query.NewScope(s.ID.UUID, c.name, q)
	to := func(row T, backward bool) {
		text := c.Schema.Edge(q.Sort, row, backward).Text(scope, q.Page)
		cursor, _, err := c.Schema.ParseCursor(text, q.Sort, scope)
		s.Must(err)
		q.Cursor = &cursor
	}
	page, pages := c.Check(s, rows, q), 0
	count := func() {
		if pages++; pages > 2*len(rows.rows) {
			s.T.Fatalf("%s does not end", describe(q))
		}
	}
	for ; page.More; page = c.Check(s, rows, q) {
		to(page.Items[len(page.Items)-1], false)
		count()
	}
	for ; len(page.Items) > 0; page = c.Check(s, rows, q) {
		to(page.Items[0], true)
		count()
	}
	if q.Cursor == nil { // the list is empty
		return
	}
	opposite := q.Cursor.Opposite() // read from the first row on
	q.Cursor = &opposite
	c.Check(s, rows, q)
}

// checkIDs lists the rows that have or refer to an id, in several orders, in pages, and with a
// further filter. A store may use other query plans for such lists.
func (c *Case[T]) checkIDs(s fixture.Tenant, rows ExpectedRows[T]) {
	s.T.Helper()
	since, tried := c.commonCond(), 0
	middle := c.rowValuesOf([]T{rows.rows[len(rows.rows)/2]})
	for _, attr := range c.Schema.Attrs() {
		for _, v := range middle.identities(attr) {
			one := query.Cond{Attr: attr, Op: query.Eq, Values: []query.Value{v}}
			if len(rows.evaluate(query.Query{Where: one}).Items) == 0 {
				continue
			}
			for i, key := range ordered(c.Schema) {
				if tried++; tried%3 == 0 {
					sort := []query.Order{{Attr: key, Desc: i%2 == 0}}
					c.Check(s, rows, query.Query{Where: one, Sort: sort, Page: query.NewPage(int64(1+i%3), 2)})
					sort[0].Desc = !sort[0].Desc
					c.Check(s, rows, query.Query{Where: one, Sort: sort, Page: query.AllRows()})
				}
			}
			for _, q := range []query.Query{{Where: since}, {Where: query.Or{since, one}}, {Where: query.Or{}}} {
				c.Check(s, rows, q.And(one))
				c.Check(s, rows, query.Query{Where: one}.And(q.Where))
			}
		}
	}
}

// timeCond returns a condition on a time attribute. The operand is the range between the two
// instants or, if the attribute is a date, the day of the first instant.
func timeCond(attr query.Attr, op query.Op, from, to time.Time) query.Cond {
	if attr.Kind == query.Date {
		from = fixture.DayOf(from)
		to = from.AddDate(0, 0, 1)
	}
	return query.Cond{Attr: attr, Op: op, Values: []query.Value{{From: from, To: to}}}
}

// times returns two attributes whose values are instants or dates. If the list has only one, times
// returns it twice.
func (c *Case[T]) times() (one, other query.Attr) {
	for _, attr := range c.Schema.Attrs() {
		if attr.Kind == query.Timestamp || attr.Kind == query.Date {
			one, other = other, attr
		}
	}
	if one.Name == "" {
		one = other
	}
	return one, other
}

// commonCond returns a condition that some of the rows satisfy.
func (c *Case[T]) commonCond() query.Cond {
	attr, _ := c.times()
	return timeCond(attr, query.Gteq, moments[2], moments[3])
}

// rowValuesOf returns the values that occur in rows.
func (c *Case[T]) rowValuesOf(rows []T) rowValues {
	in := rowValues{words: c.words}
	for _, row := range rows {
		in.ids = append(in.ids, c.ids(row)...)
		if c.number != nil {
			in.numbers = append(in.numbers, c.number(row))
		}
		if c.key != nil {
			in.keys = append(in.keys, c.key(row))
		}
	}
	return in
}

// identities returns the row values by which attr may identify a record.
func (in rowValues) identities(attr query.Attr) []query.Value {
	var values []query.Value
	switch {
	case attr.Kind == query.UUID || attr.Kind == query.UUIDs:
		for _, id := range in.ids {
			values = append(values, query.Value{ID: id})
		}
	case attr.Kind == query.Integer && attr.Name == "uuid":
		for _, n := range in.numbers {
			values = append(values, query.Value{Int: n})
		}
	case attr.Kind == query.Token:
		for _, key := range in.keys {
			values = append(values, textValue(key))
		}
	}
	return values
}

// Check lists the records that q selects, fails the test if the result differs from that of
// Schema.Evaluate, and returns the result.
func (c *Case[T]) Check(s fixture.Tenant, rows ExpectedRows[T], q query.Query) query.Result[T] {
	s.T.Helper()
	got, wrong := c.wrong(s, rows, q)
	if wrong != "" {
		smaller := shrink(q, func(q query.Query) bool {
			_, wrong := c.wrong(s, rows, q)
			return wrong != ""
		})
		s.T.Fatalf("%s\n(-want +got)\n%s\nand so is\n%s", describe(q), wrong, describe(smaller))
	}
	return got
}

// wrong lists the records that q selects. It returns the result and how it differs from that of
// Schema.Evaluate: the difference or the error, as text; "" if they are equal.
func (c *Case[T]) wrong(s fixture.Tenant, rows ExpectedRows[T], q query.Query) (query.Result[T], string) {
	q.Count = q.Page.Limit()%2 == 1 // the page must be the same with and without the count
	got, err := c.of(s.Read()).List(s.Context(), q)
	if err != nil {
		return got, err.Error()
	}
	if reflect.DeepEqual(page(got), page(rows.evaluate(q))) {
		return got, ""
	}
	return got, fixture.Diff(page(got), page(c.Schema.Evaluate(q, rows.rows)))
}

// request builds the query of a client request and checks its result.
func (c *Case[T]) request(s fixture.Tenant, rows ExpectedRows[T], r query.Request) {
	s.T.Helper()
	q, err := query.Build(c.Schema, r)
	s.Must(err)
	c.Check(s, rows, q)
}
