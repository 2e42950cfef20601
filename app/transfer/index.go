package transfer

import (
	"context"
	"errors"
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
	"lyceum/domain/policy"
	"lyceum/domain/property"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/redemption"
	"lyceum/domain/school"
	"lyceum/domain/text"
	"lyceum/ports"
)

// entry is a record of the school or of the file.
type entry[T any] struct {
	record   T
	existing bool // whether the school had the record before the import
	line     int  // line of the record; 0: none so far
	none     bool // a rule returned NoEffect for the line
}

// registry maps the names of records in lines to the entries of one kind.
type registry[K comparable, T any] map[K]*entry[T]

func (s registry[K, T]) addExisting(key K, is T) { s[key] = &entry[T]{record: is, existing: true} }

// empty is the record of a relation, which consists only of its key.
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

// index contains the records of the school and of the lines read so far. It contains no events. Of
// the school's learner data it contains only course attempts.
type index struct {
	school       school.ID // zero: a new school
	properties   registry[propertyKey, property.State]
	categories   registry[string, category.State]
	coupons      registry[string, coupon.State]
	people       registry[string, person.State]
	partnerships registry[format.Partner, person.PartnershipID]
	redemptions  map[redemptionKey]int
	courses      registry[string, course.State]
	quizzes      registry[ordinalName, quiz.State]
	assignments  registry[ordinalName, assignment.State]
	activities   map[activityName]*indexedActivity
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
		properties: registry[propertyKey, property.State]{},
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

func (u *Transfers) index(ctx context.Context, id school.ID) (*index, error) {
	x := newIndex()
	x.school = id
	permalinks := map[course.ID]string{}
	err := u.deps.Store.Snapshot(ctx, id, func(ctx context.Context, s ports.Snapshot) error {
		var quizNames, titles, activityNames ordinals
		return runSteps(
			addEach(ctx, s.Properties, func(d property.State) { x.properties.addExisting(propertyKey{d.Resource, d.Name}, d) }),
			addEach(ctx, s.Categories, func(c category.State) { x.categories.addExisting(text.UniqueKey(c.Name), c) }),
			addEach(ctx, s.Coupons, func(c coupon.State) { x.coupons.addExisting(text.UniqueKey(c.Code), c) }),
			addEach(ctx, s.People, func(p person.State) { x.people.addExisting(text.UniqueKey(p.Email), p) }),
			addEach(ctx, s.Partnerships, func(p ports.WithEmail[person.Partnership]) {
				x.partnerships.addExisting(format.Partner{Person: text.UniqueKey(p.Email), Role: p.Record.Role.String()}, p.Record.ID)
			}),
			addEach(ctx, s.Redemptions, func(r ports.WithEmail[redemption.Redemption]) {
				x.redemptions[redemptionKey{r.Record.Coupon, r.Record.Person, r.Record.CreatedAt.UnixMilli()}]++
			}),
			addEach(ctx, s.Courses, func(c course.State) {
				permalinks[c.ID] = c.Permalink
				x.courses.addExisting(c.Permalink, c)
			}),
			addEach(ctx, s.Quizzes, func(q quiz.State) { x.quizzes.addExisting(quizNames.next("", q.Name), q) }),
			addEach(ctx, s.Assignments, func(a assignment.State) { x.assignments.addExisting(titles.next("", a.Title), a) }),
			addEach(ctx, s.Activities, func(a activity.State) {
				in := permalinks[a.Course]
				x.registerActivity(&indexedActivity{state: a, name: activityName{in, activityNames.next(in, a.Title)}})
			}),
			addEach(ctx, s.Groups, func(g group.State) { x.groups.addExisting(text.UniqueKey(g.Name), g) }),
			addEach(ctx, s.GroupCourses, func(h ports.GroupCourse) { x.groupCourses.addExisting(h, empty{}) }),
			addEach(ctx, s.Memberships, func(m ports.WithEmail[membership.Membership]) {
				x.memberships.addExisting(membershipKey{m.Record.Group, m.Record.Person, m.Record.Role}, empty{})
			}),
			addEach(ctx, s.Enrollments, func(e ports.WithEmail[enrollment.Enrollment]) {
				x.enrollments.addExisting(enrollmentKey{e.Record.Course, e.Record.Person, e.Record.Role}, empty{})
			}),
			addEach(ctx, s.Attempts, func(r ports.WithEmail[ports.CourseAttempt]) {
				x.attempts.addExisting(courseAttemptKey{r.Record.Course, r.Record.Person, r.Record.Number}, r.Record.ID)
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

// addEach returns a step that calls add for each record of a snapshot.
func addEach[T any](
	ctx context.Context, scan func(context.Context, func(T) error) error, add func(T),
) func() error {
	return func() error {
		return scan(ctx, func(record T) error { add(record); return nil })
	}
}

// runSteps runs the steps up to the first error.
func runSteps(steps ...func() error) error {
	for _, run := range steps {
		if err := run(); err != nil {
			return err
		}
	}
	return nil
}

// find returns the record with the given key. If there is none, it returns a fault on field: no
// <noun> matches <name>. If a rule returned NoEffect for the line of the record, find returns
// policy.NoEffect.
func find[K comparable, T any](s registry[K, T], key K, field, noun, name string) (T, error) {
	e, ok := s[key]
	if ok && !e.none {
		return e.record, nil
	}
	var nothing T
	if ok {
		return nothing, policy.NoEffect
	}
	return nothing, fault.Invalidf(field, "no %s matches %q", noun, name)
}

// markSeen returns the entry of key, or nil if neither the school nor the file has one so far. If
// the file already has a line with this key, it returns a fault.
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

// registerVerdict returns verdict. If verdict is NoEffect, it first registers the record of the
// line as a record that is not saved.
func registerVerdict[K comparable, T any](s registry[K, T], key K, is T, line int, verdict error) error {
	if errors.Is(verdict, policy.NoEffect) {
		s[key] = &entry[T]{record: is, line: line, none: true}
	}
	return verdict
}

func register[K comparable, T any](s registry[K, T], key K, is T, line int) {
	s[key] = &entry[T]{record: is, line: line}
}
