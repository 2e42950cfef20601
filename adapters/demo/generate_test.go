package demo_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/app/transfer"
	"lyceum/app/transfer/format"
	"lyceum/domain/completion"
	"lyceum/domain/event"
	"lyceum/domain/reconcile"
	"pgregory.net/rapid"
)

// place identifies an enrollment or a membership: a course or group, and a person.
type place struct{ in, person string }

// generated contains the contents of the lines of a generated school.
type generated struct {
	demo.Size
	learns, members map[place]bool
	held            map[string][]string
	completed       map[place]map[string]bool
	viewed          []*format.Event
	quizzes         []*format.QuizAttempt
	submitted       []*format.Submission
}

// read parses the lines of a generated school, and counts them by the fields of Size.
func read(t interface{ Fatal(...any) }, text string) generated {
	g := generated{
		learns: map[place]bool{}, members: map[place]bool{}, held: map[string][]string{},
		completed: map[place]map[string]bool{},
	}
	for in := format.NewReader(strings.NewReader(text)); ; {
		line, err := in.Next()
		if errors.Is(err, io.EOF) {
			return g
		}
		if err != nil || line.Err != nil {
			t.Fatal(err, line.Err)
		}
		switch l := line.Record.(type) {
		case *format.Category:
			g.Categories++
		case *format.Coupon:
			g.Coupons++
		case *format.Person:
			g.People++
		case *format.Course:
			g.Courses++
		case *format.Group:
			g.Groups++
		case *format.GroupCourse:
			g.held[l.Group] = append(g.held[l.Group], l.Course)
		case *format.Membership:
			g.Memberships++
			g.members[place{l.Group, l.Person}] = true
		case *format.Enrollment:
			g.Enrollments++
			g.learns[place{l.Course, l.Person}] = true
		case *format.Attempt:
			done := map[string]bool{}
			for _, c := range l.Completed {
				done[c.Activity] = true
			}
			g.completed[place{l.Course, l.Person}] = done
		case *format.QuizAttempt:
			g.Answers += len(l.Answers)
			g.quizzes = append(g.quizzes, l)
		case *format.Submission:
			g.Submissions++
			g.submitted = append(g.submitted, l)
		case *format.Event:
			g.Events++
			g.viewed = append(g.viewed, l)
		}
	}
}

func TestGeneratedSchoolHasSizeAndIsConsistent(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		upTo := func(name string, n int) int { return rapid.IntRange(0, n).Draw(rt, name) }
		size := demo.Size{
			People: upTo("people", 60), Courses: upTo("courses", 9), Categories: upTo("categories", 4),
			Coupons: upTo("coupons", 3), Groups: upTo("groups", 12), Seed: rapid.Uint64Range(1, 1<<62).Draw(rt, "seed"),
		}
		learners := size.People - size.People/10
		size.Enrollments = upTo("enrollments", learners*size.Courses)
		size.Memberships = upTo("memberships", learners*((size.Groups+1)/2))
		if size.Enrollments > 0 {
			size.Answers, size.Events = upTo("answers", 300), upTo("events", 200)
			size.Submissions = upTo("submissions", size.Enrollments)
		}
		a := newApp()
		made, err := a.Transfers.ImportNew(t.Context(), transfer.Import{Open: demo.Generated("School", size)})
		if err != nil {
			rt.Fatal(err)
		}
		err = a.Reconcile.School(t.Context(), made.School.ID, func(d reconcile.Discrepancy) { rt.Errorf("%+v", d) })
		if err != nil {
			rt.Fatal(err)
		}
		g := read(rt, write(rt, size))
		g.Seed = size.Seed
		if g.Size != size {
			rt.Fatalf("made %+v", g.Size)
		}
		g.follows(rt)
	})
}

func write(t interface{ Fatal(...any) }, size demo.Size) string {
	var b bytes.Buffer
	if err := demo.Write(&b, "School", size); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// follows checks that members are enrolled in the courses of their groups, that people who view an
// activity are enrolled in its course, and that answers or submissions that complete an activity
// come with a completion.
func (g generated) follows(rt *rapid.T) {
	for m := range g.members {
		for _, c := range g.held[m.in] {
			if !g.learns[place{c, m.person}] {
				rt.Fatal("a member does not learn what the group holds")
			}
		}
	}
	const all = 5
	for _, q := range g.quizzes {
		if len(q.Answers) == all && !g.completed[place{q.Course, q.Person}][q.Activity] {
			rt.Fatal("a quiz with all answers is not completed")
		}
	}
	for _, s := range g.submitted {
		if !g.completed[place{s.Course, s.Person}][s.Activity] {
			rt.Fatal("a submission does not complete its activity")
		}
	}
	for i, e := range g.viewed {
		watched, _ := e.Watched.Float64()
		switch {
		case !g.learns[place{e.Course, e.Person}]:
			rt.Fatal("an event is about a course in which the person is not enrolled")
		case i > 0 && e.CreatedAt.Before(g.viewed[i-1].CreatedAt.Time):
			rt.Fatal("the feed goes back in time")
		case watched*1e6 >= float64(completion.MinWatched) && !g.completed[place{e.Course, e.Person}][e.Activity]:
			rt.Fatal("a video that was watched is not completed")
		}
	}
}

// DefaultSize returns a valid size for every number of people.
func TestDefaultSize(t *testing.T) {
	is := is.New(t)
	for _, people := range []int{0, 1, 2, 3, 5, 10, 99, 100, 500, 999, 1000, 1001, 100_000} {
		size := demo.DefaultSize(people)
		is.Equal(size.People, people)
		is.NoErr(size.Validate())
	}
	is.Equal(demo.DefaultSize(1000), demo.Size{
		People: 1000, Courses: 50, Categories: 12, Coupons: 10, Groups: 20, Enrollments: 5000, Memberships: 1500,
		Answers: 2000, Events: 5000, Submissions: 200, Seed: 1,
	})
	is.Equal(demo.DefaultSize(10).Enrollments, 45)
}

var some = demo.Size{
	People: 40, Courses: 5, Categories: 3, Coupons: 2, Groups: 6, Enrollments: 70, Memberships: 30, Answers: 90,
	Events: 50, Seed: 7,
}

func TestSeedsAreReproducibleAndDisjoint(t *testing.T) {
	is := is.New(t)
	is.Equal(write(t, some), write(t, some))
	a := newApp()
	who := load(t, a)
	before := len(people(t, a, who))
	other := some
	other.Seed = 8
	for _, size := range []demo.Size{some, other} {
		feed := list(t, event.Schema, who, a.Events.List)
		size.FeedEnd = feed[len(feed)-1].CreatedAt
		done, err := a.Transfers.Import(t.Context(), who, transfer.Import{Open: demo.Generated("Any", size)})
		is.NoErr(err)
		for _, k := range done.Kinds {
			is.Equal(k.Changed+k.Unchanged, 0)
		}
	}
	is.Equal(len(people(t, a, who)), before+80)
}

func TestAddressesAreReserved(t *testing.T) {
	is := is.New(t)
	for line := range strings.Lines(write(t, demo.Size{People: 500, Seed: 1})) {
		var l format.Person
		is.NoErr(json.Unmarshal([]byte(line), &l))
		is.True(l.Kind != format.PersonKind || strings.HasSuffix(l.Email, "@example.test"))
	}
	is.True(strings.Contains(write(t, demo.Size{People: 500, Seed: 1}), `"`+demo.Size{People: 500, Seed: 1}.Email(499)+`"`))
}

func TestSizeValidate(t *testing.T) {
	tests := []struct {
		name string
		size demo.Size
		want string
	}{
		{"no seed", demo.Size{}, "invalid: seed: must be at least 1"},
		{
			"negative and too large",
			demo.Size{People: -1, Events: 2_000_000_000, Seed: 1},
			"invalid: people: must not be negative; invalid: events: must be at most 1000000000",
		},
		{
			"more than there are pairs",
			demo.Size{People: 3, Courses: 2, Groups: 3, Enrollments: 7, Memberships: 7, Seed: 1},
			"invalid: enrollments: must be at most 6 (3 people in 2 courses); " +
				"invalid: memberships: must be at most 6 (3 people in 2 groups without a course)",
		},
		{
			"no learners",
			demo.Size{Events: 1, Answers: 1, Seed: 1},
			"invalid: events: must be 0 without enrollments; invalid: answers: must be 0 without enrollments",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			var b bytes.Buffer
			err := demo.Write(&b, "School", tt.size)
			is.True(err != nil)
			is.Equal(err.Error(), tt.want)
			is.Equal(b.Len(), 0)
		})
	}
}
