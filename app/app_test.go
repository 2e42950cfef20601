package app_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/files"
	"lyceum/adapters/memory"
	"lyceum/app"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit"
	"lyceum/test/kit/fake"
)

// start is the initial time of every test.
var start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// world is an App on a store with one school.
type world struct {
	*app.App
	Learning kit.Learning // if set, used instead of the App's Learning
	ctx      context.Context
	clock    *fake.Clock
	ids      *fake.IDs
	emails   *fake.InvitationSender
	files    *fileStore
	store    ports.Store
	schools  ports.Schools
	queue    ports.Queue
	actor    app.Actor
	school   school.ID
	key      string
	people   map[string]person.ID // by email address
	courses  map[string]course.ID // by permalink
}

// acme is the school that every test uses: it has an owner, two learners and two courses. The
// course greek has an activity of each kind.
const acme = `
{"kind": "category", "name": "Languages"}
{"kind": "person", "email": "owner@example.test", "activated_at": "2026-03-01T09:00:00Z"}
{"kind": "partnership", "person": "owner@example.test", "role": "owner"}
{"kind": "person", "email": "ada@example.test", "first_name": "Ada", "activated_at": "2026-03-01T09:00:00Z"}
{"kind": "person", "email": "bob@example.test", "first_name": "Bob", "activated_at": "2026-03-01T09:00:00Z"}
{"kind": "quiz", "name": "Verbs", "questions": [{"text": "One?", "choices": [{"text": "Yes", "correct": true}, {"text": "No"}]}, {"text": "Two?", "choices": [{"text": "Yes"}, {"text": "No", "correct": true}, {"text": "Never", "correct": true}]}]}
{"kind": "assignment", "title": "Essay"}
{"kind": "course", "permalink": "greek", "name": "Greek", "categories": ["Languages"], "instructors": [{"person": "owner@example.test", "role": "owner"}]}
{"kind": "activity", "course": "greek", "title": "Read", "type": "text"}
{"kind": "activity", "course": "greek", "title": "Watch", "type": "video", "seconds": 60}
{"kind": "activity", "course": "greek", "title": "Test", "type": "quiz", "quiz": "Verbs"}
{"kind": "activity", "course": "greek", "title": "Write", "type": "assignment", "assignment": "Essay"}
{"kind": "enrollment", "course": "greek", "person": "ada@example.test", "role": "learner"}
{"kind": "course", "permalink": "latin", "name": "Latin for all"}`

// backend is a store with its queue.
type backend interface {
	ports.Store
	Schools() ports.Schools
	Queue() ports.Queue
}

func newWorld(t *testing.T, auth school.AuthMethod) *world {
	t.Helper()
	return newWorldOn(t, memory.New(), auth)
}

func newWorldOn(t *testing.T, store backend, auth school.AuthMethod) *world {
	t.Helper()
	is := is.New(t)
	clock, emails, ids := fake.NewClock(start), fake.NewInvitationSender(), fake.NewIDs()
	stored := &fileStore{Files: files.NewMemory()}
	w := &world{
		App: app.New(store, store.Schools(), store.Queue(), stored, emails, clock, ids),
		ctx: t.Context(), clock: clock, emails: emails, files: stored, store: store,
		ids: ids, schools: store.Schools(), queue: store.Queue(), people: map[string]person.ID{}, courses: map[string]course.ID{},
	}
	w.Learning = kit.NewLearning(w.App)
	var err error
	w.school, w.key, err = kit.School{Name: "Acme", Auth: auth, Lines: acme}.Import(w.ctx, w.App)
	is.NoErr(err)
	w.actor, err = w.Auth.Authenticate(w.ctx, w.key)
	is.NoErr(err)
	people, err := w.People.List(w.ctx, w.actor, query.Query{})
	is.NoErr(err)
	for _, p := range people.Items {
		w.people[p.Email] = p.ID
	}
	courses, err := w.Courses.List(w.ctx, w.actor, query.Query{})
	is.NoErr(err)
	for _, c := range courses.Items {
		w.courses[c.Permalink] = c.ID
	}
	return w
}

// firstFault returns the first fault in err.
func firstFault(t *testing.T, err error) *fault.Fault {
	t.Helper()
	var f *fault.Fault
	if !errors.As(err, &f) {
		t.Fatalf("not a fault: %v", err)
	}
	return f
}
