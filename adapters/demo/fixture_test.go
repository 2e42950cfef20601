package demo_test

import (
	"context"
	"testing"

	"lyceum/adapters/demo"
	"lyceum/adapters/files"
	"lyceum/adapters/memory"
	"lyceum/app"
	"lyceum/app/transfer"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/test/kit/fake"
)

// newApp returns use cases on an empty store.
func newApp() *app.App {
	store := memory.New()
	return app.New(store, store.Schools(), store.Queue(), files.NewMemory(), fake.NewInvitationSender(), fake.NewClock(fake.Start), fake.NewIDs())
}

// load imports the demo school and returns an actor for it.
func load(t *testing.T, a *app.App) app.Actor {
	t.Helper()
	made, err := a.Transfers.ImportNew(t.Context(), transfer.Import{Open: demo.School})
	if err != nil {
		t.Fatal(err)
	}
	return app.SystemActor(made.School.ID)
}

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
	q.Page = query.AllRows()
	r, err := ask(t.Context(), who, q)
	if err != nil {
		t.Fatal(err)
	}
	return r.Items
}
