package deadlocks_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"lyceum/adapters/clock"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/app"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/property"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/school"
	"lyceum/domain/structure"
	"lyceum/ports"
	"lyceum/test/kit/fake"
)

// world is a school. It is so small that concurrent operations often use the same records.
type world struct {
	*app.App
	dsn      string
	db       *pgdb.DB
	files    ports.Files
	rules    policy.Set
	school   school.ID
	actor    app.Actor
	exported string
}

// connect opens the database and creates the use cases.
func (w *world) connect(t *testing.T) {
	t.Helper()
	var err error
	if w.db, err = pgdb.Open(t.Context(), pgdb.Config{DSN: w.dsn, MaxConns: 12}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.db.Close() })
	store := postgres.New(w.db)
	w.App = app.New(store, store.Schools(), store.Queue(), w.files, fake.NewInvitationSender(), clock.NewSystem(), clock.NewRandom())
	w.SetPolicies(w.rules)
}

var (
	emails      = []string{"ada@example.test", "bob@example.test", "eve@example.test", "sue@example.test", "tim@example.test"}
	courseNames = []string{"greek", "latin"}
	groupNames  = []string{"Day", "Night"}
)

// fill creates the school, adds its records and returns them.
func (w *world) fill(t *testing.T) records {
	t.Helper()
	s, err := w.Provision.CreateSchool(t.Context(), "Acme", school.Preregistration, "owner@example.test")
	if err != nil {
		t.Fatal(err)
	}
	w.school, w.actor = s.ID, app.SystemActor(s.ID)
	if _, err := w.Categories.Create(t.Context(), w.actor, "Languages"); err != nil {
		t.Fatal(err)
	}
	k := w.refill(t)
	var text bytes.Buffer
	if err := w.Transfers.Export(t.Context(), w.actor, &text, nil); err != nil {
		t.Fatal(err)
	}
	w.exported = text.String()
	return k
}

// refill creates the missing records and enrolls all people in all courses. Each group gets all
// people and one of the two courses, so that operations can remove people and can add or remove a
// course. refill returns the current records.
func (w *world) refill(t *testing.T) records {
	t.Helper()
	ctx, a := t.Context(), w.actor
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	was, missing := w.all(ctx), false
	for _, email := range emails {
		if !slices.Contains(was.emails, email) {
			missing = true
			must(second(w.People.Create(ctx, a, person.Profile{Email: email})))
		}
	}
	if len(was.definitions) < len(property.Resources()) {
		missing = true
		for _, r := range property.Resources() {
			if err := w.define(ctx, r); !fault.Is(err, fault.Invalid) { // the property may be defined already
				must(err)
			}
		}
	}
	if len(was.coupons) == 0 {
		missing = true
		value, err := coupon.ParseValue("10")
		must(err)
		must(second(w.Coupons.Create(ctx, a, coupon.Params{
			Code: "TEN", Currency: "EUR", Format: coupon.Percentage, Value: value, MaximumUsages: 1_000_000, StartOn: time.Now().Add(-48 * time.Hour),
		})))
	}
	for _, name := range courseNames {
		if _, ok := was.courses[name]; !ok {
			missing = true
			must(second(w.Courses.Create(ctx, a, app.CourseChanges{Changes: course.Changes{Name: &name}})))
		}
		if s, err := w.Structures.Get(ctx, a, name); err != nil || len(s.Activities) == 0 {
			must(err)
			must(w.restructure(ctx, name, 3))
		}
	}
	for name, id := range was.courses {
		if !slices.Contains(courseNames, name) {
			missing = true
			must(w.removeCourse(ctx, id))
		}
	}
	for _, name := range groupNames {
		if !slices.Contains(was.groupNames, name) {
			missing = true
			must(second(w.Groups.Create(ctx, a, named(name))))
		}
	}
	now := was
	if missing {
		now = w.all(ctx)
	}
	for _, id := range now.courses {
		must(w.Enrollments.AddPeople(enrollment.Learner)(ctx, a, id, now.people))
	}
	for _, id := range now.groups {
		must(w.Memberships.AddPeople(ctx, a, id, now.people))
		must(w.Groups.RemoveCourses(ctx, a, id, []course.ID{now.courses[courseNames[0]]}))
		must(w.Groups.AddCourses(ctx, a, id, []course.ID{now.courses[courseNames[1]]}))
	}
	return now
}

// records contains the ids and names of the school's records at one time.
type records struct {
	people      []person.ID
	emails      []string
	courses     map[string]course.ID
	groups      []group.ID
	groupNames  []string
	coupons     []coupon.ID
	definitions []property.ID
}

func (w *world) all(ctx context.Context) records {
	k := records{courses: map[string]course.ID{}}
	people, _ := w.People.List(ctx, w.actor, query.Query{})
	for _, p := range people.Items {
		if p.Email != "owner@example.test" {
			k.people, k.emails = append(k.people, p.ID), append(k.emails, p.Email)
		}
	}
	courses, _ := w.Courses.List(ctx, w.actor, query.Query{})
	for _, c := range courses.Items {
		k.courses[c.Permalink] = c.ID
	}
	groups, _ := w.Groups.List(ctx, w.actor, query.Query{})
	for _, g := range groups.Items {
		k.groups, k.groupNames = append(k.groups, g.ID), append(k.groupNames, g.Name)
	}
	coupons, _ := w.Coupons.List(ctx, w.actor, query.Query{})
	for _, c := range coupons.Items {
		k.coupons = append(k.coupons, c.ID)
	}
	definitions, _ := w.Properties.List(ctx, w.actor, query.Query{})
	for _, d := range definitions.Items {
		k.definitions = append(k.definitions, d.ID)
	}
	return k
}

// enrollments returns the role learner in each course, in random order.
func (k records) enrollments() (all []app.CourseRole) {
	for _, id := range k.courses {
		all = append(all, app.CourseRole{Course: id, Role: enrollment.Learner})
	}
	return all
}

// memberships returns the role member in each group, in random order.
func (k records) memberships(rng *rand.Rand) (all []app.GroupRole) {
	for _, i := range rng.Perm(len(k.groups)) {
		all = append(all, app.GroupRole{Group: k.groups[i], Role: membership.Member})
	}
	return all
}

func (k records) ids() (all []course.ID) {
	for _, id := range k.courses {
		all = append(all, id)
	}
	return all
}

// one returns a random element, or the zero value if there is none.
func one[E any](rng *rand.Rand, of []E) (none E) {
	if len(of) == 0 {
		return none
	}
	return of[rng.IntN(len(of))]
}

// shuffled returns the elements of all in random order.
func shuffled[E any](rng *rand.Rand, all []E) []E {
	mixed := slices.Clone(all)
	rng.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
	return mixed
}

// define defines the property team of records of the resource r.
func (w *world) define(ctx context.Context, r property.Resource) error {
	return second(w.Properties.Create(ctx, w.actor, property.Params{Resource: r, Name: "team", Kind: property.Text}))
}

// restructure replaces the structure of a course with activities of all kinds. All courses use the
// same quiz, which gets the given number of questions.
func (w *world) restructure(ctx context.Context, name string, questions int) error {
	return w.extend(ctx, name, questions, 0)
}

// extend is like restructure, but adds text activities.
func (w *world) extend(ctx context.Context, name string, questions, texts int) error {
	q := &structure.Quiz{Defined: true, Name: "Words"}
	if all, err := w.Quizzes.List(ctx, w.actor, query.Query{}); err == nil && len(all.Items) > 0 {
		q.ID = all.Items[0].ID
	}
	for i := range questions {
		q.Questions = append(q.Questions, quiz.Question{
			Key: fmt.Sprintf("q%d", i), Text: fmt.Sprintf("Question %d?", i), Choices: []quiz.Choice{{Text: "Yes", Correct: true}, {Text: "No"}},
		})
	}
	plan := structure.Plan{Activities: []structure.Activity{
		{Key: "text", Title: "Text", Kind: "text"},
		{Key: "quiz", Title: "Quiz", Kind: "quiz", Quiz: q},
		{Key: "work", Title: "Work", Kind: "assignment", Assignment: &structure.Assignment{Defined: true, Title: "Essay of " + name}},
	}}
	for i := range texts {
		key := fmt.Sprintf("text%d", i)
		plan.Activities = append(plan.Activities, structure.Activity{Key: key, Title: key, Kind: "text"})
	}
	if s, err := w.Structures.Get(ctx, w.actor, name); err == nil {
		for _, a := range s.Activities {
			if a.Slot.Key == "work" {
				plan.Activities[2].Assignment.ID = a.Content.Assignment
			}
		}
	}
	_, err := w.Structures.Replace(ctx, w.actor, name, app.StructureUpdate{
		Plan: plan, Check: func(structure.Structure) error { return nil },
	})
	return err
}

// removeCourse deletes a course and all its records.
func (w *world) removeCourse(ctx context.Context, id course.ID) error {
	if _, err := w.Courses.DeleteAll(ctx, w.actor, id); err != nil {
		return err
	}
	return drain(ctx, w.CourseRemoval.DeleteNext)
}

// drain calls next until it finds no due job.
func drain(ctx context.Context, next func(context.Context) (bool, error)) error {
	for more := true; more; {
		var err error
		if more, err = next(ctx); err != nil {
			return err
		}
	}
	return nil
}

func second[T any](_ T, err error) error { return err }

// named returns the attributes of a group with the given name.
func named(name string) group.Changes { return group.Changes{Name: &name} }
