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
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/fake"
)

// start is when every test begins.
var start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// world is an application on a store, with one small school in it.
type world struct {
	*app.App
	ctx     context.Context
	clock   *fake.Clock
	ids     *fake.IDs
	letters *fake.Inviter
	files   *shelf
	store   ports.Store
	schools ports.Schools
	queue   ports.Queue
	actor   app.Actor
	school  school.ID
	key     string
	people  map[string]person.ID // by e-mail address
	courses map[string]course.ID // by permalink
}

// blueprint is the school of every test: an owner, two learners, two courses, one
// of them with something of each kind to do.
func blueprint(auth school.AuthMethod) app.Blueprint {
	return app.Blueprint{
		School:     app.SchoolPlan{Name: "Acme", Auth: auth},
		Keys:       []app.KeyPlan{{Name: "test"}},
		Categories: []app.CategoryPlan{{Name: "Languages"}},
		People: []app.PersonPlan{
			{Profile: person.Profile{Email: "owner@example.test"}, Activated: true, Roles: []person.Role{person.Owner}},
			{Profile: person.Profile{Email: "ada@example.test", FirstName: "Ada"}, Activated: true},
			{Profile: person.Profile{Email: "bob@example.test", FirstName: "Bob"}, Activated: true},
		},
		Quizzes: []app.QuizPlan{{Name: "Verbs", Questions: []app.QuestionPlan{
			{Text: "One?", Choices: []quiz.Choice{{Text: "Yes", Correct: true}, {Text: "No"}}},
			{Text: "Two?", Choices: []quiz.Choice{{Text: "Yes"}, {Text: "No", Correct: true}, {Text: "Never", Correct: true}}},
		}}},
		Assignments: []app.AssignmentPlan{{Title: "Essay"}},
		Courses: []app.CoursePlan{
			{
				Activities: []app.ActivityPlan{
					{Title: "Read"},
					{Title: "Watch", Length: time.Minute},
					{Title: "Test", Quiz: "Verbs"},
					{Title: "Write", Assignment: "Essay"},
				},
				Name: "Greek", Categories: []string{"languages"}, Instructors: []string{"OWNER@example.test"},
				Places: []app.PlacePlan{{Email: "ada@example.test", Role: enrollment.Learner}},
			},
			{Name: "Latin for all", Permalink: "latin"},
		},
	}
}

// backend is an empty store.
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
	clock, letters, ids := fake.NewClock(start), fake.NewInviter(), fake.NewIDs()
	shelf := &shelf{Files: files.NewMemory()}
	w := &world{
		App: app.New(store, store.Schools(), store.Queue(), shelf, letters, clock, ids),
		ctx: t.Context(), clock: clock, letters: letters, files: shelf, store: store,
		ids: ids, schools: store.Schools(), queue: store.Queue(), people: map[string]person.ID{}, courses: map[string]course.ID{},
	}
	s, secrets, err := w.Provision.Load(w.ctx, blueprint(auth))
	is.NoErr(err)
	w.school, w.key = s.ID, secrets[0]
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

// firstFault returns the first fault that err is made of.
func firstFault(t *testing.T, err error) *fault.Fault {
	t.Helper()
	var f *fault.Fault
	if !errors.As(err, &f) {
		t.Fatalf("not a fault: %v", err)
	}
	return f
}
