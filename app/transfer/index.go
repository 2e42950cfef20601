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

// entry is a record of the school or the file.
type entry[T any] struct {
	is   T
	old  bool // the school has it
	line int  // line with the record; 0: none so far
}

// registry is the entries of a kind, by their names in lines.
type registry[K comparable, T any] map[K]*entry[T]

func (s registry[K, T]) has(key K, is T) { s[key] = &entry[T]{is: is, old: true} }

// empty is the value of a relation, which has a key only.
type empty struct{}

// Keys of relations and attempts.
type (
	membershipKey struct {
		group  group.ID
		person person.ID
		role   membership.Role
	}
	enrollmentKey struct {
		course course.ID
		person person.ID
		role   enrollment.Role
	}
	courseAttemptKey struct {
		course course.ID
		person person.ID
		number int
	}
	quizAttemptKey struct {
		attempt  attempt.ID
		activity activity.ID
		number   int
	}
)

// index is the records that the school has, and those of the file so far, without what learners did
// within course attempts and without the feed.
type index struct {
	school       school.ID // zero: a new school
	categories   registry[string, category.State]
	coupons      registry[string, coupon.State]
	people       registry[string, person.State]
	partnerships registry[format.Partner, person.PartnershipID]
	redemptions  map[redemptionKey]int
	courses      registry[string, course.State]
	quizzes      registry[ordinalName, quiz.State]
	assignments  registry[ordinalName, assignment.State]
	activities   map[activityName]*indexedActivity // by their names in lines
	keys         map[course.ID]map[string]*indexedActivity
	visible      map[course.ID]int // visible activities of each course
	groups       registry[string, group.State]
	groupCourses registry[ports.GroupCourse, empty]
	memberships  registry[membershipKey, empty]
	enrollments  registry[enrollmentKey, empty]
	attempts     registry[courseAttemptKey, attempt.ID]
	quizAttempts registry[quizAttemptKey, empty]
	feedEnd      time.Time // time of the last event; zero: the feed is empty
}

func newIndex() *index {
	return &index{
		categories: registry[string, category.State]{}, coupons: registry[string, coupon.State]{},
		people: registry[string, person.State]{}, partnerships: registry[format.Partner, person.PartnershipID]{},
		redemptions: map[redemptionKey]int{},
		courses:     registry[string, course.State]{}, quizzes: registry[ordinalName, quiz.State]{},
		assignments: registry[ordinalName, assignment.State]{}, activities: map[activityName]*indexedActivity{},
		keys: map[course.ID]map[string]*indexedActivity{}, visible: map[course.ID]int{},
		groups: registry[string, group.State]{}, groupCourses: registry[ports.GroupCourse, empty]{}, memberships: registry[membershipKey, empty]{},
		enrollments: registry[enrollmentKey, empty]{}, attempts: registry[courseAttemptKey, attempt.ID]{}, quizAttempts: registry[quizAttemptKey, empty]{},
	}
}

// index reads the records of a school.
func (u *Transfers) index(ctx context.Context, id school.ID) (*index, error) {
	x := newIndex()
	x.school = id
	permalinks := map[course.ID]string{}
	err := u.deps.Store.Snapshot(ctx, id, func(ctx context.Context, s ports.Snapshot) error {
		var quizNames, titles, steps ordinals
		return first(
			each(ctx, s.Categories, func(c category.State) { x.categories.has(text.UniqueKey(c.Name), c) }),
			each(ctx, s.Coupons, func(c coupon.State) { x.coupons.has(text.UniqueKey(c.Code), c) }),
			each(ctx, s.People, func(p person.State) { x.people.has(text.UniqueKey(p.Email), p) }),
			each(ctx, s.Partnerships, func(p ports.WithEmail[person.Partnership]) {
				x.partnerships.has(format.Partner{Person: text.UniqueKey(p.Email), Role: p.Record.Role.String()}, p.Record.ID)
			}),
			each(ctx, s.Redemptions, func(r ports.WithEmail[redemption.Redemption]) {
				x.redemptions[redemptionKey{r.Record.Coupon, r.Record.Person, r.Record.CreatedAt.UnixMilli()}]++
			}),
			each(ctx, s.Courses, func(c course.State) {
				permalinks[c.ID] = c.Permalink
				x.courses.has(c.Permalink, c)
			}),
			each(ctx, s.Quizzes, func(q quiz.State) { x.quizzes.has(quizNames.next("", q.Name), q) }),
			each(ctx, s.Assignments, func(a assignment.State) { x.assignments.has(titles.next("", a.Title), a) }),
			each(ctx, s.Activities, func(a activity.State) {
				in := permalinks[a.Course]
				x.registerActivity(&indexedActivity{is: a, name: activityName{in, steps.next(in, a.Title)}})
			}),
			each(ctx, s.Groups, func(g group.State) { x.groups.has(text.UniqueKey(g.Name), g) }),
			each(ctx, s.GroupCourses, func(h ports.GroupCourse) { x.groupCourses.has(h, empty{}) }),
			each(ctx, s.Memberships, func(m ports.WithEmail[membership.Membership]) {
				x.memberships.has(membershipKey{m.Record.Group, m.Record.Person, m.Record.Role}, empty{})
			}),
			each(ctx, s.Enrollments, func(e ports.WithEmail[enrollment.Enrollment]) {
				x.enrollments.has(enrollmentKey{e.Record.Course, e.Record.Person, e.Record.Role}, empty{})
			}),
			each(ctx, s.Attempts, func(r ports.WithEmail[ports.CourseAttempt]) {
				x.attempts.has(courseAttemptKey{r.Record.Course, r.Record.Person, r.Record.Number}, r.Record.ID)
			}),
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

// each returns a step that calls add for each record of a snapshot.
func each[T any](
	ctx context.Context, scan func(context.Context, func(T) error) error, add func(T),
) func() error {
	return func() error {
		return scan(ctx, func(record T) error { add(record); return nil })
	}
}

// first calls steps until one returns an error.
func first(steps ...func() error) error {
	for _, run := range steps {
		if err := run(); err != nil {
			return err
		}
	}
	return nil
}

// find returns the record with a key, or a fault on field. Noun and name are for the fault.
func find[K comparable, T any](s registry[K, T], key K, field, noun, name string) (T, error) {
	if e, ok := s[key]; ok {
		return e.is, nil
	}
	var nothing T
	return nothing, fault.Invalidf(field, "no %s matches %q", noun, name)
}

// markSeen returns the entry of key; nil if neither the school nor the file has one so far. It
// refuses a second line with the same key.
func markSeen[K comparable, T any](s registry[K, T], key K, line int) (*entry[T], error) {
	e, ok := s[key]
	if !ok {
		return nil, nil
	}
	if e.line > 0 {
		return nil, fault.Invalidf("", "duplicates line %d", e.line)
	}
	e.line = line
	return e, nil
}

// register adds a record of the file.
func register[K comparable, T any](s registry[K, T], key K, is T, line int) {
	s[key] = &entry[T]{is: is, line: line}
}
