package storetest

import (
	"context"
	"reflect"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/assignment"
	"lyceum/domain/category"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/decimal"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/redemption"
	"lyceum/domain/school"
	"lyceum/domain/submission"
	"lyceum/domain/webhook"
	"lyceum/ports"
)

// compareOptions compare records field by field. Times are equal if they are the same instant in
// the same zone. Nil and empty lists are equal. A number that the store generates, such as the id
// of a score or the position of an event, is equal to the placeholder 0.
var compareOptions = cmp.Options{
	cmp.FilterPath(isGenerated, cmp.Comparer(func(a, b int64) bool { return a == b || a == 0 || b == 0 })),
	cmpopts.EquateEmpty(),
	cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) && a.Location() == b.Location() }),
	cmp.Exporter(func(reflect.Type) bool { return true }),
}

func isGenerated(p cmp.Path) bool {
	if len(p) < 2 {
		return false
	}
	switch p.Index(-2).Type() {
	case reflect.TypeFor[analytics.QuizScore]():
		return p.Last().String() == ".ID"
	case reflect.TypeFor[event.Event]():
		return p.Last().String() == ".Position"
	}
	return false
}

// diff returns the difference between got and want, or "" if they are equal.
func diff(got, want any) string {
	got, want = withoutHidden(got), withoutHidden(want)
	if reflect.DeepEqual(got, want) { // faster for lists with thousands of rows
		return ""
	}
	return cmp.Diff(want, got, compareOptions)
}

// diffTaken returns "" if err is the fault that another record, with the given type and id, already
// has the value of field. Otherwise it returns the difference.
func diffTaken(err error, field, holder string, id interface{ String() string }) string {
	faults := fault.All(err)
	if len(faults) != 1 || faults[0].Holder == nil {
		return cmp.Diff("one fault with a holder", err)
	}
	f := faults[0]
	got := []string{f.Kind.String(), f.Field, f.Holder.Type, f.Holder.ID.String()}
	return cmp.Diff([]string{fault.Invalid.String(), field, holder, id.String()}, got)
}

// isNotFound reports whether err is the fault NotFound.
func isNotFound(err error) bool { return fault.Is(err, fault.NotFound) }

// everything contains all data that a reader returns about a school: every list, under its name in
// ports.Reader. complete.go checks that it has every list.
type everything struct {
	School       school.State
	Keys         []school.Key
	Properties   []property.State
	Categories   []category.State
	Coupons      []coupon.State
	Redemptions  []redemption.Summary
	Courses      []course.Summary
	People       []person.Summary
	Partnerships []person.Partnership
	Enrollments  []enrollment.Summary
	Groups       []group.Summary
	Memberships  []membership.Membership
	Activities   []activity.State
	Quizzes      []quiz.Summary
	Assignments  []assignment.State
	Submissions  []submission.Summary
	Events       []event.Event

	Webhooks          []webhook.Endpoint
	WebhookDeliveries []webhook.Delivery

	CourseAnalytics []analytics.CourseProgress
	QuizScores      []analytics.QuizScore
	RawAnswers      []analytics.RawAnswer
	QuizAttempts    []analytics.QuizAttempt
	Completions     []analytics.Completion
}

// all reads everything about the school, so that a test can check whether a record has changed.
func (s tenant) all() everything {
	s.t.Helper()
	r := s.read()
	own, err := r.School.Get(s.ctx())
	s.must(err)
	return everything{
		School:       own.State(),
		Keys:         rowsOf(s, r.Keys),
		Properties:   rowsOf(s, r.Properties),
		Categories:   rowsOf(s, r.Categories),
		Coupons:      rowsOf(s, r.Coupons),
		Redemptions:  rowsOf(s, r.Redemptions),
		Courses:      rowsOf(s, r.Courses),
		People:       rowsOf(s, r.People),
		Partnerships: rowsOf(s, r.Partnerships),
		Enrollments:  rowsOf(s, r.Enrollments),
		Groups:       rowsOf(s, r.Groups),
		Memberships:  rowsOf(s, r.Memberships),
		Activities:   rowsOf(s, r.Activities),
		Quizzes:      rowsOf(s, r.Quizzes),
		Assignments:  rowsOf(s, r.Assignments),
		Submissions:  rowsOf(s, r.Submissions),
		Events:       rowsOf(s, r.Events),

		Webhooks:          rowsOf(s, r.Webhooks),
		WebhookDeliveries: rowsOf(s, r.WebhookDeliveries),

		CourseAnalytics: rowsOf(s, r.CourseAnalytics),
		QuizScores:      rowsOf(s, r.QuizScores),
		RawAnswers:      rowsOf(s, r.RawAnswers),
		QuizAttempts:    rowsOf(s, r.QuizAttempts),
		Completions:     rowsOf(s, r.Completions),
	}
}

// rowsOf returns all rows of a list in its default order.
func rowsOf[T any](s tenant, l ports.Lister[T]) []T {
	s.t.Helper()
	found, err := l.List(s.ctx(), query.Query{Page: query.AllRows()})
	s.must(err)
	return found.Items
}

// withoutAttempt returns the expected summary of an enrollment before the person has started the
// course: the progress of a learner is 0, and the progress of a manager is nil.
func withoutAttempt(e enrollment.Enrollment) enrollment.Summary {
	s := enrollment.Summary{Enrollment: e}
	if e.Role == enrollment.Learner {
		s.Progress = new(decimal.Percent)
	}
	return s
}

// must fails the test if err is not nil.
func (s tenant) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// personSummary returns a person with its counts.
func (s tenant) personSummary(id person.ID) person.Summary {
	s.t.Helper()
	p, err := s.read().People.Get(s.ctx(), id)
	s.must(err)
	return p
}

// courseSummary returns a course with its counts.
func (s tenant) courseSummary(id course.ID) course.Summary {
	s.t.Helper()
	c, err := s.read().Courses.Get(s.ctx(), id)
	s.must(err)
	return c
}

// group returns a group with its counts.
func (s tenant) group(id group.ID) group.Summary {
	s.t.Helper()
	g, err := s.read().Groups.Get(s.ctx(), id)
	s.must(err)
	return g
}

// enrollmentsOf returns the enrollments of a person.
func (s tenant) enrollmentsOf(id person.ID) []enrollment.Enrollment {
	s.t.Helper()
	es, err := s.read().Enrollments.ByPerson(s.ctx(), id)
	s.must(err)
	return es
}

// A cause is one way in which a context ends, with the resulting error.
type cause struct {
	name string
	end  func(context.Context) (context.Context, context.CancelFunc)
	err  error
}

// causes returns both causes: cancellation and an exceeded deadline.
func causes() []cause {
	return []cause{
		{"canceled", canceled, context.Canceled},
		{"deadline exceeded", expired, context.DeadlineExceeded},
	}
}

func canceled(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	return ctx, cancel
}

func expired(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithDeadline(ctx, time.Unix(0, 0))
}
