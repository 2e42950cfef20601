package policies_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lyceum/adapters/files"
	"lyceum/app"
	"lyceum/app/transfer"
	"lyceum/domain/activity"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/test/kit"
	"lyceum/test/kit/fake"
	"lyceum/test/kit/pgtest"
	"lyceum/test/kit/stores"
)

// onTwoInstances runs a test on each store with two instances.
func onTwoInstances(t *testing.T, test func(t *testing.T, on [2]stores.Backend)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		b := stores.Memory()
		test(t, [2]stores.Backend{b, b})
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		dsn := pgtest.Exclusive(t) // because the instances run the jobs of all schools
		test(t, [2]stores.Backend{stores.Postgres(t, dsn, 8), stores.Postgres(t, dsn, 8)})
	})
}

// ids is shared by all schools, because some of them share a store.
var ids = fake.NewIDs()

// world is a school and the two instances that serve it.
type world struct {
	t       *testing.T
	apps    [2]*app.App
	actor   app.Actor
	people  []person.ID // by number
	coupons []coupon.ID
	course  map[string]course.ID
	group   map[string]group.ID
	act     map[string]activity.ID
	quiz    quiz.ID
	ask     []quiz.QuestionID
	mail    *fake.InvitationSender
	tokens  []string // tokens of invitation links, by the number of the person
}

// newWorld creates a school with n people, who are members of the group Old with the course
// algebra. The rules do not apply to this import.
func newWorld(t *testing.T, on [2]stores.Backend, n int, rules policy.Set) *world {
	t.Helper()
	w := &world{t: t, course: map[string]course.ID{}, group: map[string]group.ID{}, act: map[string]activity.ID{}}
	w.mail = fake.NewInvitationSender()
	clock, store := fake.NewClock(fake.Start), files.NewMemory()
	for i, b := range on {
		w.apps[i] = app.New(b.Store, b.Schools, b.Queue, store, w.mail, clock, ids)
		w.apps[i].SetPolicies(rules)
	}
	_, secret, err := kit.School{Name: t.Name() + " " + ids.New().String(), Lines: school(n)}.Import(t.Context(), w.apps[0])
	must(t, err)
	w.actor, err = w.apps[0].Auth.Authenticate(t.Context(), secret)
	must(t, err)
	w.find(n)
	return w
}

func school(n int) string {
	lines := []string{
		`{"kind": "quiz", "name": "Sums", "questions": [{"text": "1 + 1?", "choices": [{"text": "2", "correct": true}, {"text": "3"}]}, ` +
			`{"text": "2 + 2?", "choices": [{"text": "4", "correct": true}, {"text": "5"}]}]}`,
		`{"kind": "assignment", "title": "Essay"}`,
		`{"kind": "course", "permalink": "algebra", "name": "Algebra"}`,
		`{"kind": "course", "permalink": "geometry", "name": "Geometry"}`,
		`{"kind": "activity", "course": "algebra", "title": "Read", "type": "text"}`,
		`{"kind": "activity", "course": "algebra", "title": "Watch", "type": "video", "seconds": 60}`,
		`{"kind": "activity", "course": "algebra", "title": "Sums", "type": "quiz", "quiz": "Sums"}`,
		`{"kind": "activity", "course": "algebra", "title": "Essay", "type": "assignment", "assignment": "Essay"}`,
		`{"kind": "group", "name": "Old"}`, `{"kind": "group_course", "group": "Old", "course": "algebra"}`,
		`{"kind": "group", "name": "New"}`,
		`{"kind": "group", "name": "Figures"}`, `{"kind": "group_course", "group": "Figures", "course": "geometry"}`,
	}
	var people, rest []string
	for i := range n {
		people = append(people, personLine(i), couponLine(i, false))
		rest = append(rest,
			fmt.Sprintf(`{"kind": "membership", "group": "Old", "person": %q, "role": "member"}`, email(i)),
			fmt.Sprintf(`{"kind": "enrollment", "course": "algebra", "person": %q, "role": "learner"}`, email(i)))
	}
	return strings.Join(append(append(people, lines...), rest...), "\n")
}

func email(i int) string { return fmt.Sprintf("p%d@example.test", i) }

func code(i int) string { return fmt.Sprintf("C%d", i) }

func personLine(i int) string { return fmt.Sprintf(`{"kind": "person", "email": %q}`, email(i)) }

func couponLine(i int, enabled bool) string {
	return fmt.Sprintf(`{"kind": "coupon", "code": %q, "currency_code": "EUR", "start_on": "2020-01-02", "format": "fixed", "value": 1, "maximum_usages": 100, "enabled": %t}`, code(i), enabled)
}

// find reads the ids of the school's records.
func (w *world) find(n int) {
	w.t.Helper()
	ctx, a, all := w.t.Context(), w.apps[0], query.Query{Page: query.AllRows()}
	people, err := a.People.List(ctx, w.actor, all)
	must(w.t, err)
	w.people, w.coupons = make([]person.ID, n), make([]coupon.ID, n)
	for _, p := range people.Items {
		w.people[number(p.Email)] = p.ID
	}
	coupons, err := a.Coupons.List(ctx, w.actor, all)
	must(w.t, err)
	for _, c := range coupons.Items {
		w.coupons[number(c.Code)] = c.ID
	}
	courses, err := a.Courses.List(ctx, w.actor, all)
	must(w.t, err)
	for _, c := range courses.Items {
		w.course[c.Permalink] = c.ID
	}
	groups, err := a.Groups.List(ctx, w.actor, all)
	must(w.t, err)
	for _, g := range groups.Items {
		w.group[g.Name] = g.ID
	}
	acts, err := a.Activities.ListOfCourse(ctx, w.actor, "algebra", all)
	must(w.t, err)
	for _, act := range acts.Items {
		w.act[act.Title] = act.ID
		if act.Content.Kind == activity.Quiz {
			w.quiz = act.Content.Quiz
		}
	}
	s, err := a.Structures.Get(ctx, w.actor, "algebra")
	must(w.t, err)
	for _, q := range s.Quizzes {
		for _, question := range q.Questions {
			w.ask = append(w.ask, question.ID)
		}
	}
}

// linesImport returns an import of lines.
func linesImport(all ...string) transfer.Import {
	return kit.Reading(`{"kind": "school", "format": 1, "name": "x"}` + "\n" + strings.Join(all, "\n") + "\n" + `{"kind": "end"}` + "\n")
}

// csvImport returns an import of people as CSV.
func csvImport(rows ...string) transfer.Import {
	return kit.Reading("email,groups\n" + strings.Join(rows, "\n") + "\n")
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// limit is the maximum duration of a test with concurrent requests.
const limit = 3 * time.Minute
