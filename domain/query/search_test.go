package query_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/query"
)

func TestSearchTree(t *testing.T) {
	for _, tc := range []struct{ search, want string }{
		{"", "everything"},
		{" \t\n", "everything"},
		{"\u0301", "everything"}, // a combining mark alone has an empty fold
		{"Ada", `(name ~ "ada" or email ~ "ada")`},
		{
			"  Ada\u00a0LOVELACE ",
			`((name ~ "ada" or email ~ "ada") and (name ~ "lovelace" or email ~ "lovelace"))`,
		},
		{"É%", `(name ~ "e%" or email ~ "e%")`},
		{"Ada ada ADA", `(name ~ "ada" or email ~ "ada")`},
		{"d ada a", `(name ~ "ada" or email ~ "ada")`}, // a field that contains ada contains a and d
	} {
		t.Run(tc.search, func(t *testing.T) {
			is := is.New(t)
			q, err := query.Build(rows, query.Request{Search: tc.search})
			is.NoErr(err)
			is.Equal(show(q.Where), tc.want)
		})
	}
}

// Every word must occur in at least one of the fields.
func TestSearchFinds(t *testing.T) {
	all := []row{
		{ID: numbered(1), Name: "Ada", Email: ptr("lovelace@lms.test")},
		{ID: numbered(2), Name: "Adam", FullName: "lovelace"}, // full_name is not searched
		{ID: numbered(3), Name: "Zoë", Secret: "ada lovelace"},
	}
	for _, tc := range []struct{ search, want string }{
		{"ada", "Ada Adam"},
		{"ADA lovelace", "Ada"},
		{"lovelace ada", "Ada"},
		{"zoe", "Zoë"},
		{"ada zoe", ""},
	} {
		t.Run(tc.search, func(t *testing.T) {
			is := is.New(t)
			q, err := query.Build(rows, query.Request{Search: tc.search})
			is.NoErr(err)
			is.Equal(names(q, all...), tc.want)
		})
	}
}

func TestSearchInvalid(t *testing.T) {
	for _, search := range []string{"a\x00", "\xff", "a \xc3"} {
		t.Run(search, func(t *testing.T) {
			is := is.New(t)
			_, err := query.Build(rows, query.Request{Search: search})
			is.True(err != nil)
		})
	}
}

// A list without searched fields ignores q.
func TestSearchOfAListWithoutSearch(t *testing.T) {
	is := is.New(t)
	type event struct{ id uuid.UUID }
	events := query.Define(query.UUIDField("uuid", func(e *event) uuid.UUID { return e.id }).Hidden())
	q, err := query.Build(events, query.Request{Search: "x\x00"})
	is.NoErr(err)
	is.Equal(q.Where, nil)
}

// A search includes hidden fields that are marked as searched.
func TestSearchOfHiddenFields(t *testing.T) {
	is := is.New(t)
	s := query.Define(
		query.UUIDField("uuid", func(r *row) uuid.UUID { return r.ID }),
		query.TextField("secret", func(r *row) string { return r.Secret }).Hidden().Searched(),
	)
	q, err := query.Build(s, query.Request{Search: "x"})
	is.NoErr(err)
	is.Equal(show(q.Where), `secret ~ "x"`)
}
