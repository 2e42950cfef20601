package query_test

import (
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/query"
	"pgregory.net/rapid"
)

var drawSort = rapid.Custom(func(t *rapid.T) []query.Order {
	var sort []query.Order
	for range rapid.IntRange(0, 3).Draw(t, "keys") {
		name := rapid.SampledFrom([]string{"name", "link", "email", "ref", "owner.id", "course_count", "score", "enabled", "start_on", "created_at", "seen_at", "uuid"}).Draw(t, "key")
		if !slices.ContainsFunc(sort, func(o query.Order) bool { return o.Attr.Name == name }) {
			sort = append(sort, query.Order{Attr: rows.Attr(name), Desc: rapid.Bool().Draw(t, "descending")})
		}
	}
	return sort
})

// Reading a list page by page with cursors, forward or backward, returns its rows in order, without
// gaps or repetitions.
func TestPropertyCursors(t *testing.T) {
	all := sample()
	rapid.Check(t, func(t *rapid.T) {
		q := query.Query{Sort: drawSort.Draw(t, "sort"), Page: query.NewPage(1, rapid.IntRange(1, 6).Draw(t, "limit"))}
		whole := rows.Evaluate(query.Query{Sort: q.Sort}, all).Items
		scope := query.NewScope(uuid.Nil, "rows", q)
		carried := func(row row, backward bool) *query.Cursor {
			c := rows.Edge(q.Sort, row, backward)
			text := c.Text(scope, q.Page)
			parsed, page, err := rows.ParseCursor(text, q.Sort, scope)
			if err != nil || page != q.Page {
				t.Fatalf("%q of %+v: %v, %v", text, c, page, err)
			}
			return &parsed
		}
		var walked []row
		for {
			page := rows.Evaluate(q, all)
			walked = append(walked, page.Items...)
			if !page.More {
				break
			}
			q.Cursor = carried(page.Items[len(page.Items)-1], false)
		}
		if !slices.EqualFunc(walked, whole, func(a, b row) bool { return a.ID == b.ID }) {
			t.Fatalf("forward: %v", walked)
		}
		for end := len(whole) - 1; end > 0; end = max(end-q.Page.Limit(), 0) {
			q.Cursor = carried(whole[end], true)
			page := rows.Evaluate(q, all)
			want := whole[max(end-q.Page.Limit(), 0):end]
			if !slices.EqualFunc(page.Items, want, func(a, b row) bool { return a.ID == b.ID }) || !page.More {
				t.Fatalf("before %d: %v, not %v", end, page.Items, want)
			}
		}
	})
}

// A cursor remains valid if its row is deleted. A cursor and its opposite partition the list.
func TestCursorOfADeletedRow(t *testing.T) {
	is := is.New(t)
	all := sample()
	whole := rows.Evaluate(query.Query{}, all).Items
	edge := rows.Edge(nil, whole[4], false)
	edge.Inclusive = true
	rest := slices.DeleteFunc(slices.Clone(all), func(r row) bool { return r.ID == whole[4].ID })
	opposite := edge.Opposite()
	for _, tt := range []struct {
		rows          []row
		before, after int
	}{{all, 4, len(all) - 4}, {rest, 4, len(all) - 5}, {nil, 0, 0}} {
		is.Equal(len(rows.Evaluate(query.Query{Cursor: &opposite}, tt.rows).Items), tt.before)
		is.Equal(len(rows.Evaluate(query.Query{Cursor: &edge, Page: query.AllRows()}, tt.rows).Items), tt.after)
	}
}

// A cursor is valid only for one list of one school, with the same conditions and order.
func TestScope(t *testing.T) {
	is := is.New(t)
	school := numbered(1)
	scope := func(school uuid.UUID, list, filter, search, sort string) query.Scope {
		q, err := query.Build(rows, query.Request{Terms: terms(filter), Search: search, Sort: sort})
		is.NoErr(err)
		return query.NewScope(school, list, q)
	}
	base := scope(school, "people", "filter[name]=x&filter[course_count][gt]=1", "ada", "-name")
	for name, same := range map[string]query.Scope{
		"the pairs in another order":     scope(school, "people", "filter[course_count][gt]=1&filter[name]=x", "ada", "-name"),
		"the predicate by default":       scope(school, "people", "filter[name][cont]=x&filter[course_count][gt]=1", "ada", "-name"),
		"a search that folds to as much": scope(school, "people", "filter[name]=x&filter[course_count][gt]=1", " ADA ", "-name"),
	} {
		t.Run(name, func(t *testing.T) { is := is.New(t); is.Equal(same, base) })
	}
	for name, other := range map[string]query.Scope{
		"another school":    scope(numbered(2), "people", "filter[name]=x&filter[course_count][gt]=1", "ada", "-name"),
		"another list":      scope(school, "learners", "filter[name]=x&filter[course_count][gt]=1", "ada", "-name"),
		"another operand":   scope(school, "people", "filter[name]=y&filter[course_count][gt]=1", "ada", "-name"),
		"another predicate": scope(school, "people", "filter[name]=x&filter[course_count][lt]=1", "ada", "-name"),
		"another attribute": scope(school, "people", "filter[email]=x&filter[course_count][gt]=1", "ada", "-name"),
		"another join":      scope(school, "people", "filter[or][name]=x&filter[or][course_count][gt]=1", "ada", "-name"),
		"another search":    scope(school, "people", "filter[name]=x&filter[course_count][gt]=1", "ada x", "-name"),
		"another direction": scope(school, "people", "filter[name]=x&filter[course_count][gt]=1", "ada", "name"),
		"another sort":      scope(school, "people", "filter[name]=x&filter[course_count][gt]=1", "ada", "-link"),
		"no conditions":     scope(school, "people", "", "", "-name"),
	} {
		t.Run(name, func(t *testing.T) { is := is.New(t); is.True(other != base) })
	}
	is.Equal(scope(school, "people", "", "", ""), scope(school, "people", "", "", "name")) // the default order
}

// Any text is either rejected or parsed as a cursor with values that a store can compare.
func FuzzParseCursor(f *testing.F) {
	sort := []query.Order{
		{Attr: rows.Attr("email")},
		{Attr: rows.Attr("score"), Desc: true},
		{Attr: rows.Attr("seen_at")},
		{Attr: rows.Attr("ref")},
		{Attr: rows.Attr("enabled")},
		{Attr: rows.Attr("start_on")},
		{Attr: rows.Attr("owner.id")},
	}
	scope := query.NewScope(numbered(1), "rows", query.Query{Sort: sort})
	for _, r := range sample() {
		f.Add(rows.Edge(sort, r, false).Text(scope, query.NewPage(3, 25)), true)
	}
	f.Add("", false)
	f.Add("AQ", false)
	all := sample()
	f.Fuzz(func(t *testing.T, text string, sealed bool) {
		if raw, err := base64.RawURLEncoding.DecodeString(text); sealed && err == nil && len(raw) > 4 {
			raw = raw[:len(raw)-4] // like an attacker, add a correct checksum
			text = base64.RawURLEncoding.EncodeToString(binary.BigEndian.AppendUint32(raw, crc32.ChecksumIEEE(raw)))
		}
		c, page, err := rows.ParseCursor(text, sort, scope)
		if err != nil {
			return
		}
		for i, o := range append(slices.Clone(sort), query.Order{Attr: rows.Attr("uuid")}) {
			v := c.Values[i]
			if v.Null && !o.Attr.Nullable || strings.ContainsRune(v.Fold+v.Text, 0) {
				t.Fatalf("%s is %+v", o.Attr.Name, v)
			}
		}
		rows.Evaluate(query.Query{Sort: sort, Cursor: &c, Page: page}, all)
		if again := c.Text(scope, page); again == "" {
			t.Fatal("a cursor that was read cannot be written")
		}
	})
}

func TestParseCursorInvalid(t *testing.T) {
	scope := query.NewScope(numbered(1), "rows", query.Query{})
	page := query.NewPage(2, 25)
	whole := rows.Edge(nil, sample()[0], false).Text(scope, page)
	other := whole[:5] + "A" + whole[6:]
	if other == whole {
		other = whole[:5] + "B" + whole[6:]
	}
	for name, text := range map[string]string{
		"nothing": "", "a part": whole[:len(whole)-1], "more": whole + "A", "another character": other,
		"padding": whole + "==", "not base64": "!" + whole[1:], "a long text": strings.Repeat("A", query.MaxCursor+1),
		"a line break at the end": whole + "\n", "a line break inside": whole[:4] + "\r\n" + whole[4:],
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			_, _, err := rows.ParseCursor(text, nil, scope)
			is.True(err != nil)
			_, ok := query.CursorPage(text)
			is.True(!ok)
		})
	}
	t.Run("another scope", func(t *testing.T) {
		is := is.New(t)
		_, _, err := rows.ParseCursor(whole, nil, query.NewScope(numbered(2), "rows", query.Query{}))
		is.True(err != nil)
	})
	t.Run("sort values of a great length have no cursor", func(t *testing.T) {
		is := is.New(t)
		long := row{Name: strings.Repeat("x", query.MaxCursor)}
		is.Equal(rows.Edge(nil, long, false).Text(scope, page), "")
	})
}
