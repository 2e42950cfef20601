package transfer

import (
	"context"
	"time"

	"lyceum/app/transfer/format"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/attempt"
	"lyceum/domain/category"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/redemption"
	"lyceum/domain/school"
	"lyceum/domain/text"
	"lyceum/ports"
)

// entry is something that the school has or the file brings.
type entry[T any] struct {
	is   T
	old  bool // whether the school has it
	line int  // that tells of it; 0: none so far
}

// shelf is the entries of a kind, by what lines call them.
type shelf[K comparable, T any] map[K]*entry[T]

func (s shelf[K, T]) has(key K, is T) { s[key] = &entry[T]{is: is, old: true} }

// none is what there is to know of a relation beside that it exists.
type none struct{}

// What lines call relations and what is learned.
type (
	seat struct {
		group  group.ID
		person person.ID
		role   membership.Role
	}
	seatInCourse struct {
		course course.ID
		person person.ID
		role   enrollment.Role
	}
	runOf struct {
		course course.ID
		person person.ID
		number int
	}
	quizRunOf struct {
		attempt  attempt.ID
		activity activity.ID
		number   int
	}
)

// index is what a school has, and what a file that is read has brought so far. It
// holds all but what was learned within course attempts and the feed.
type index struct {
	school       school.ID // zero when there is none yet
	categories   shelf[string, category.State]
	coupons      shelf[string, coupon.State]
	people       shelf[string, person.State]
	partnerships shelf[format.Partner, person.PartnershipID]
	uses         map[use]int
	courses      shelf[string, course.State]
	quizzes      shelf[title, quiz.State]
	assignments  shelf[title, assignment.State]
	activities   map[step]*lesson // by what lines call them
	keys         map[course.ID]map[string]*lesson
	steps        map[course.ID]int // activities that each course shows
	groups       shelf[string, group.State]
	held         shelf[ports.GroupCourse, none]
	seats        shelf[seat, none]
	places       shelf[seatInCourse, none]
	runs         shelf[runOf, attempt.ID]
	quizRuns     shelf[quizRunOf, none]
	feedEnd      time.Time // of the last event; zero when there is none
}

func newIndex() *index {
	return &index{
		categories: shelf[string, category.State]{}, coupons: shelf[string, coupon.State]{},
		people: shelf[string, person.State]{}, partnerships: shelf[format.Partner, person.PartnershipID]{},
		uses:    map[use]int{},
		courses: shelf[string, course.State]{}, quizzes: shelf[title, quiz.State]{},
		assignments: shelf[title, assignment.State]{}, activities: map[step]*lesson{},
		keys: map[course.ID]map[string]*lesson{}, steps: map[course.ID]int{},
		groups: shelf[string, group.State]{}, held: shelf[ports.GroupCourse, none]{}, seats: shelf[seat, none]{},
		places: shelf[seatInCourse, none]{}, runs: shelf[runOf, attempt.ID]{}, quizRuns: shelf[quizRunOf, none]{},
	}
}

// index reads what a school has.
func (u *Transfers) index(ctx context.Context, id school.ID) (*index, error) {
	x := newIndex()
	x.school = id
	permalinks := map[course.ID]string{}
	err := u.deps.Store.Snapshot(ctx, id, func(ctx context.Context, s ports.Snapshot) error {
		var quizNames, titles, steps numbering
		return first(
			func() error {
				return s.Categories(ctx, func(c category.State) error { x.categories.has(text.Key(c.Name), c); return nil })
			},
			func() error {
				return s.Coupons(ctx, func(c coupon.State) error { x.coupons.has(text.Key(c.Code), c); return nil })
			},
			func() error {
				return s.People(ctx, func(p person.State) error { x.people.has(text.Key(p.Email), p); return nil })
			},
			func() error {
				return s.Partnerships(ctx, func(p ports.Owned[person.Partnership]) error {
					x.partnerships.has(format.Partner{Person: text.Key(p.Email), Role: p.Record.Role.String()}, p.Record.ID)
					return nil
				})
			},
			func() error {
				return s.Redemptions(ctx, func(r ports.Owned[redemption.Redemption]) error {
					x.uses[use{r.Record.Coupon, r.Record.Person, r.Record.CreatedAt.UnixMilli()}]++
					return nil
				})
			},
			func() error {
				return s.Courses(ctx, func(c course.State) error {
					permalinks[c.ID] = c.Permalink
					x.courses.has(c.Permalink, c)
					return nil
				})
			},
			func() error {
				return s.Quizzes(ctx, func(q quiz.State) error { x.quizzes.has(quizNames.next("", q.Name), q); return nil })
			},
			func() error {
				return s.Assignments(ctx, func(a assignment.State) error {
					x.assignments.has(titles.next("", a.Title), a)
					return nil
				})
			},
			func() error {
				return s.Activities(ctx, func(a activity.State) error {
					in := permalinks[a.Course]
					x.teach(&lesson{is: a, name: step{in, steps.next(in, a.Title)}})
					return nil
				})
			},
			func() error {
				return s.Groups(ctx, func(g group.State) error { x.groups.has(text.Key(g.Name), g); return nil })
			},
			func() error {
				return s.GroupCourses(ctx, func(h ports.GroupCourse) error { x.held.has(h, none{}); return nil })
			},
			func() error { return x.learned(ctx, s) },
		)
	})
	if err != nil {
		return nil, err
	}
	last, err := u.deps.Store.Read(id).Events.List(ctx, query.Query{
		Sort: []query.Order{{Attr: event.Schema.Attr("created_at"), Desc: true}}, Page: query.NewPage(1, 1),
	})
	if len(last.Items) > 0 {
		x.feedEnd = last.Items[0].CreatedAt
	}
	return x, err
}

// learned reads who is where in groups and courses, and what was begun.
func (x *index) learned(ctx context.Context, s ports.Snapshot) error {
	return first(
		func() error {
			return s.Memberships(ctx, func(m ports.Owned[membership.Membership]) error {
				x.seats.has(seat{m.Record.Group, m.Record.Person, m.Record.Role}, none{})
				return nil
			})
		},
		func() error {
			return s.Enrollments(ctx, func(e ports.Owned[enrollment.Enrollment]) error {
				x.places.has(seatInCourse{e.Record.Course, e.Record.Person, e.Record.Role}, none{})
				return nil
			})
		},
		func() error {
			return s.Attempts(ctx, func(r ports.Owned[ports.Run]) error {
				x.runs.has(runOf{r.Record.Course, r.Record.Person, r.Record.Number}, r.Record.ID)
				return nil
			})
		},
	)
}

// first runs steps until one fails.
func first(steps ...func() error) error {
	for _, run := range steps {
		if err := run(); err != nil {
			return err
		}
	}
	return nil
}

// find returns what a line calls key, or the fault that there is no such noun,
// called name.
func find[K comparable, T any](s shelf[K, T], key K, field, noun, name string) (T, error) {
	if e, ok := s[key]; ok {
		return e.is, nil
	}
	var nothing T
	return nothing, fault.Invalidf(field, "there is no %s %q", noun, name)
}

// claim returns the entry of key, nil when neither the school nor the file has
// one so far. It refuses a second line about the same.
func claim[K comparable, T any](s shelf[K, T], key K, line int) (*entry[T], error) {
	e, ok := s[key]
	if !ok {
		return nil, nil
	}
	if e.line > 0 {
		return nil, fault.Invalidf("", "line %d tells of the same", e.line)
	}
	e.line = line
	return e, nil
}

// bring puts what the file brings on a shelf.
func bring[K comparable, T any](s shelf[K, T], key K, is T, line int) {
	s[key] = &entry[T]{is: is, line: line}
}
