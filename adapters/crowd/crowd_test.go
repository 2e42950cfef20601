package crowd_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/clock"
	"lyceum/adapters/crowd"
	"lyceum/adapters/memory"
	"lyceum/app"
	"lyceum/domain/attempt"
	"lyceum/domain/completion"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/group"
	"lyceum/domain/ledger"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/ports"
	"pgregory.net/rapid"
)

// open returns a store with a school in it, and the use cases on it.
func open(t *testing.T) (*memory.Store, *app.App, school.ID) {
	t.Helper()
	store := memory.New()
	id := school.ID{UUID: uuid.New()}
	s, err := school.New(id, "School", school.Open, time.Now().UTC())
	if err := errors.Join(err, store.Schools().Add(t.Context(), s)); err != nil {
		t.Fatal(err)
	}
	return store, app.New(store, store.Schools(), store.Queue(), nil, nil, clock.NewSystem(), clock.NewRandom()), id
}

// kept gathers what is loaded.
type kept struct{ ports.Batch }

func (k *kept) Load(ctx context.Context, _ school.ID, fn func(ctx context.Context, l ports.Load) error) error {
	return fn(ctx, k)
}

func (k *kept) LoadNew(context.Context, school.School, func(context.Context, ports.Load) error) error {
	return errors.New("the school is there")
}

func (*kept) Tx() ports.Tx { return ports.Tx{} }

func (k *kept) Add(_ context.Context, b ports.Batch) error {
	k.Categories = append(k.Categories, b.Categories...)
	k.Coupons = append(k.Coupons, b.Coupons...)
	k.People = append(k.People, b.People...)
	k.Courses = append(k.Courses, b.Courses...)
	k.Activities = append(k.Activities, b.Activities...)
	k.Groups = append(k.Groups, b.Groups...)
	k.GroupCourses = append(k.GroupCourses, b.GroupCourses...)
	k.Memberships = append(k.Memberships, b.Memberships...)
	k.Enrollments = append(k.Enrollments, b.Enrollments...)
	k.Attempts = append(k.Attempts, b.Attempts...)
	k.Completions = append(k.Completions, b.Completions...)
	k.QuizAttempts = append(k.QuizAttempts, b.QuizAttempts...)
	k.Events = append(k.Events, b.Events...)
	return nil
}

func TestASchoolIsAsLargeAsAskedAndItsBooksAreRight(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		upTo := func(name string, n int) int { return rapid.IntRange(0, n).Draw(rt, name) }
		size := crowd.Size{
			People: upTo("people", 60), Courses: upTo("courses", 9), Categories: upTo("categories", 4),
			Coupons: upTo("coupons", 3), Groups: upTo("groups", 12), Seed: rapid.Uint64Range(1, 1<<62).Draw(rt, "seed"),
		}
		learners := size.People - size.People/10
		size.Enrollments = upTo("enrollments", learners*size.Courses)
		size.Memberships = upTo("memberships", learners*((size.Groups+1)/2))
		if size.Enrollments > 0 {
			size.Answers, size.Events = upTo("answers", 300), upTo("events", 200)
		}
		store, a, id := open(t)
		done := 0
		if err := crowd.Fill(t.Context(), store, id, size, func(n int, _ string) { done = n }); err != nil {
			rt.Fatal(err)
		}
		var k kept
		if err := crowd.Fill(t.Context(), &k, id, size, nil); err != nil {
			rt.Fatal(err)
		}
		answers := 0
		for _, r := range k.QuizAttempts {
			answers += len(r.State().Answers)
		}
		made := crowd.Size{
			People: len(k.People), Courses: len(k.Courses), Categories: len(k.Categories), Coupons: len(k.Coupons),
			Groups: len(k.Groups), Enrollments: len(k.Enrollments), Memberships: len(k.Memberships),
			Events: len(k.Events), Answers: answers, Seed: size.Seed,
		}
		if made != size || done != size.Total() {
			rt.Fatalf("made %+v, told %d", made, done)
		}
		err := a.Rebuild.School(t.Context(), id, func(d ledger.Difference) { rt.Errorf("%+v", d) })
		if err != nil {
			rt.Fatal(err)
		}
		follows(rt, k)
		completes(rt, k)
	})
}

// completes checks that work which completes an activity comes with a completion.
func completes(rt *rapid.T, k kept) {
	done := map[attempt.Completion]bool{}
	for _, c := range k.Completions {
		done[attempt.Completion{Attempt: c.Attempt, Activity: c.Activity}] = true
	}
	for _, r := range k.QuizAttempts {
		s := r.State()
		if completion.ByAnswers(s.Score) && !done[attempt.Completion{Attempt: s.CourseAttempt, Activity: s.Activity}] {
			rt.Fatal("a quiz with all answers is not completed")
		}
	}
	by := map[person.ID]map[course.ActivityID]bool{}
	for _, a := range k.Attempts {
		for c := range done {
			if c.Attempt == a.State().ID {
				if by[a.State().Person] == nil {
					by[a.State().Person] = map[course.ActivityID]bool{}
				}
				by[a.State().Person][c.Activity] = true
			}
		}
	}
	for _, e := range k.Events {
		if completion.ByEvent(e) && !by[e.Person][e.Activity] {
			rt.Fatal("a video that was watched is not completed")
		}
	}
}

// follows checks that members learn what their groups hold, and that who views
// an activity is enrolled in its course.
func follows(rt *rapid.T, k kept) {
	type place struct {
		person person.ID
		course course.ID
	}
	learns, held := map[place]bool{}, map[group.ID][]course.ID{}
	for _, e := range k.Enrollments {
		learns[place{e.Person, e.Course}] = e.Role == enrollment.Learner
	}
	for _, h := range k.GroupCourses {
		held[h.Group] = append(held[h.Group], h.Course)
	}
	for _, m := range k.Memberships {
		for _, c := range held[m.Group] {
			if m.Role == membership.Member && !learns[place{m.Person, c}] {
				rt.Fatal("a member does not learn what the group holds")
			}
		}
	}
	of := map[course.ActivityID]course.ID{}
	for _, a := range k.Activities {
		of[a.State().ID] = a.State().Course
	}
	for i, e := range k.Events {
		if !learns[place{e.Person, of[e.Activity]}] {
			rt.Fatal("somebody views what they do not learn")
		}
		if i > 0 && e.CreatedAt.Before(k.Events[i-1].CreatedAt) {
			rt.Fatal("the feed goes back in time")
		}
	}
}

var some = crowd.Size{
	People: 40, Courses: 5, Categories: 3, Coupons: 2, Groups: 6, Enrollments: 70, Memberships: 30, Answers: 90,
	Events: 50, Seed: 7,
}

func TestASeedMakesTheSameRowsAndAnotherDoesNotCollide(t *testing.T) {
	is := is.New(t)
	var one, two kept
	is.NoErr(crowd.Fill(t.Context(), &one, school.ID{}, some, nil))
	is.NoErr(crowd.Fill(t.Context(), &two, school.ID{}, some, nil))
	is.Equal(one, two)

	store, a, id := open(t)
	is.NoErr(crowd.Fill(t.Context(), store, id, some, nil))
	is.True(errors.Is(crowd.Fill(t.Context(), store, id, some, nil), ports.ErrKnown))
	other := some
	other.Seed = 8
	is.NoErr(crowd.Fill(t.Context(), store, id, other, nil))
	people, err := store.Read(id).People.List(t.Context(), query.Query{Page: query.Everything()})
	is.NoErr(err)
	is.Equal(len(people.Items), 80)
	is.NoErr(a.Rebuild.School(t.Context(), id, func(d ledger.Difference) { t.Error(d) }))
}

func TestAddressesReachNobody(t *testing.T) {
	is := is.New(t)
	var k kept
	is.NoErr(crowd.Fill(t.Context(), &k, school.ID{}, crowd.Size{People: 500, Seed: 1}, nil))
	for _, p := range k.People {
		is.True(strings.HasSuffix(p.State().Email, "@example.test"))
	}
}

func TestSizesThatMakeNoSense(t *testing.T) {
	tests := []struct {
		name string
		size crowd.Size
		want string
	}{
		{"no seed", crowd.Size{}, "invalid: seed: must be 1 or more"},
		{
			"negative and too large",
			crowd.Size{People: -1, Events: 2_000_000_000, Seed: 1},
			"invalid: people: must not be negative; invalid: events: must be at most 1000000000",
		},
		{
			"more than there are pairs",
			crowd.Size{People: 3, Courses: 2, Groups: 3, Enrollments: 7, Memberships: 7, Seed: 1},
			"invalid: enrollments: must be at most 6: 3 people in 2 courses, each once; " +
				"invalid: memberships: must be at most 6: 3 people in 2 groups without a course, each once",
		},
		{
			"nobody to learn",
			crowd.Size{Events: 1, Answers: 1, Seed: 1},
			"invalid: events: must be 0 where nobody is enrolled; invalid: answers: must be 0 where nobody is enrolled",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			var k kept
			err := crowd.Fill(t.Context(), &k, school.ID{}, tt.size, nil)
			is.True(err != nil)
			is.Equal(err.Error(), tt.want)
			is.Equal(len(k.People), 0)
		})
	}
}
