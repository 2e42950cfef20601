package query_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/query"
)

func TestSchemaNames(t *testing.T) {
	is := is.New(t)
	is.Equal(strings.Join(rows.Names(), " "),
		"uuid name full_name email ref owner.id course_count score enabled start_on created_at seen_at tags.id link")
	is.Equal(strings.Join(rows.SortNames(), " "),
		"uuid name full_name email ref owner.id course_count score enabled start_on created_at seen_at link")
	is.Equal(len(rows.Attrs()), len(rows.Names())+1) // one attribute is hidden
}

func TestSchemaAttr(t *testing.T) {
	is := is.New(t)
	is.Equal(rows.Attr("id"), rows.Attr("uuid"))
	is.Equal(rows.Attr("secret").Kind, query.Text)
	is.Equal(rows.Attr("link"), query.Attr{
		Name: "link", Kind: query.Text, Source: "name", Prefix: "https://lms.test/c/", Suffix: "/cover",
	})
}

func TestSchemaIsImmutable(t *testing.T) {
	is := is.New(t)
	before := len(rows.Names())
	first, second := rows.With("first", "", "name", ""), rows.With("second", "", "name", "")
	is.Equal(len(rows.Names()), before)
	is.Equal(first.Attr("first").Name, "first")
	is.Equal(second.Attr("second").Name, "second")
	is.Equal(len(rows.OrderBy("-email,name").Default()), 2)
	is.Equal(len(rows.Default()), 1)
}

// An attribute added by With is visible and not searched, regardless of its source attribute.
func TestDerivedAttributesAreShown(t *testing.T) {
	is := is.New(t)
	s := rows.With("secret_link", "https://lms.test/", "secret", "")
	q, err := query.Build(s, query.Request{Terms: terms("filter[secret_link][cont]=x"), Search: "y"})
	is.NoErr(err)
	is.Equal(show(q.Where), `(secret_link ~ "x" and (name ~ "y" or email ~ "y"))`)
}

func TestSchemaPanics(t *testing.T) {
	id := query.UUIDField("uuid", func(r *row) uuid.UUID { return r.ID })
	named := func(name string) query.Field[row] {
		return query.TextField(name, func(r *row) string { return r.Name })
	}
	for name, define := range map[string]func(){
		"no uuid":                  func() { query.Define(named("name")) },
		"a name twice":             func() { query.Define(id, named("name"), named("name")) },
		"no name":                  func() { query.Define(id, named("")) },
		"the name of a combinator": func() { query.Define(id, named("or")) },
		"the other name of uuid":   func() { query.Define(id, named("id")) },
		"order by nothing":         func() { rows.OrderBy("") },
		"order by an unknown name": func() { rows.OrderBy("name,age") },
		"order by a set":           func() { rows.OrderBy("tags.id") },
		"order of sets": func() {
			rows.Compare([]query.Order{{Attr: rows.Attr("tags.id")}})(rows.Record(row{Tags: []tag{{}}}), rows.Record(row{Tags: []tag{{}}}))
		},
		"unknown attribute":            func() { rows.Attr("age") },
		"derived from an unknown name": func() { rows.With("x", "", "age", "") },
		"derived from another kind":    func() { rows.With("x", "", "course_count", "") },
		"prefix that could combine":    func() { rows.With("x", "é", "name", "") },
		"suffix that could combine":    func() { rows.With("x", "", "name", "\u0301") },
		"condition on an unknown name": func() { rows.Compile(query.Cond{Attr: query.Attr{Source: "age"}, Op: query.Eq}) },
		"predicate of another kind":    func() { rows.Compile(query.Cond{Attr: rows.Attr("score"), Op: query.Cont}) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				is := is.New(t)
				is.True(recover() != nil) // a wrong schema must be found at startup, not by a request
			}()
			define()
		})
	}
}
