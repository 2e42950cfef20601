package schoolfile_test

import (
	"context"
	"os"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/files"
	"lyceum/adapters/memory"
	"lyceum/adapters/schoolfile"
	"lyceum/app"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/test/fake"
)

// newApp returns use cases on an empty store.
func newApp() *app.App {
	store := memory.New()
	return app.New(store, store.Schools(), store.Queue(), files.NewMemory(), fake.NewInviter(), fake.NewClock(fake.Start), fake.NewIDs())
}

// load builds the school of b and returns an actor in it.
func load(t *testing.T, a *app.App, b app.Blueprint) (app.Actor, []string) {
	t.Helper()
	state, secrets, err := a.Provision.Load(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	return app.System(state.ID), secrets
}

func profile(email string) person.Profile { return person.Profile{Email: email} }

// courses returns all courses of the actor's school, by name.
func courses(t *testing.T, a *app.App, who app.Actor) []course.Summary {
	t.Helper()
	return list(t, course.Schema, who, a.Courses.List)
}

// people returns all people of the actor's school, by full name.
func people(t *testing.T, a *app.App, who app.Actor) []person.Summary {
	t.Helper()
	return list(t, person.Schema, who, a.People.List)
}

func list[T any](
	t *testing.T, s query.Schema[T], who app.Actor,
	ask func(context.Context, app.Actor, query.Query) (query.Result[T], error),
) []T {
	t.Helper()
	q, err := query.Build(s, query.Request{})
	if err != nil {
		t.Fatal(err)
	}
	q.Page = query.Everything()
	r, err := ask(t.Context(), who, q)
	if err != nil {
		t.Fatal(err)
	}
	return r.Items
}

func TestTheExampleOfTheDocumentationLoads(t *testing.T) {
	is := is.New(t)
	data, err := os.ReadFile("../../docs/examples/school.json")
	is.NoErr(err)
	file, err := schoolfile.Parse("school.json", data)
	is.NoErr(err)
	is.Equal(len(file.Schools), 1)
	a := newApp()
	who, secrets := load(t, a, file.Schools[0])
	is.Equal(len(secrets), 1)
	is.True(school.WellFormed(secrets[0])) // a key without a secret gets one
	coupons := list(t, coupon.Schema, who, a.Coupons.List)
	is.Equal(len(coupons), 2)
	is.Equal(coupons[0].Code, "OPEN-DAY")
	is.Equal(coupons[0].Value.String(), "12.5")
	is.True(coupons[0].Enabled)
	is.True(!coupons[1].Enabled)
	is.Equal(coupons[1].EndOn, nil)
	found := courses(t, a, who)
	is.Equal(len(found), 2)
	is.Equal(found[0].Permalink, "first-joints")
	is.Equal(found[0].EnrollmentsCount, int64(1)) // the manager is none
	is.Equal(len(found[0].Instructors), 1)
	is.Equal(found[1].Permalink, "natural-dyes") // made of the name
}
