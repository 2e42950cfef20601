package app_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/memory"
	"lyceum/app"
	"lyceum/app/auth"
	"lyceum/app/teaching"
	"lyceum/domain/query"
	"lyceum/test/kit"
	"lyceum/test/kit/fake"
)

// A school can have thousands of instructors with large properties, so pages that need their names
// read nothing else.
func TestInstructorsWithoutProperties(t *testing.T) {
	is := is.New(t)
	store := memory.New()
	a := app.New(store, store.Schools(), store.Queue(), nil, fake.NewInvitationSender(), fake.NewClock(start), fake.NewIDs())
	id, _, err := kit.School{Name: "School", Lines: `{"kind": "property", "resource": "people", "name": "team", "type": "text"}
{"kind": "person", "email": "ada@example.test", "first_name": "Ada", "last_name": "Lovelace", "properties": {"team": "blue"}}
{"kind": "partnership", "person": "ada@example.test", "role": "instructor"}
{"kind": "partnership", "person": "ada@example.test", "role": "owner"}`}.Import(t.Context(), a)
	is.NoErr(err)
	found, err := a.People.List(t.Context(), app.SystemActor(id), query.Query{Page: query.AllRows()})
	is.NoErr(err)
	ada := found.Items[0]
	is.True(!ada.Properties.IsEmpty())
	s, err := a.Provision.School(t.Context(), id.String())
	is.NoErr(err)
	app := teaching.New(a)
	staff, err := app.Enter(t.Context(), auth.Visitor{School: s.State(), Person: ada})
	is.NoErr(err)
	instructors, err := app.Instructors(t.Context(), staff)
	is.NoErr(err)
	is.Equal(len(instructors), 1)
	for _, p := range instructors {
		is.Equal(p.FullName(), "Ada Lovelace")
		is.True(p.Properties.IsEmpty())
	}
}
