package storetest

import (
	"context"
	"reflect"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"lyceum/domain/bulk"
	"lyceum/domain/category"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/job"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
)

// exactly compares records member by member. Times are equal when they are the
// same instant in the same zone; nil and empty lists are equal.
var exactly = cmp.Options{
	cmpopts.EquateEmpty(),
	cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) && a.Location() == b.Location() }),
	cmp.AllowUnexported(
		school.AuthMethod{}, person.Role{}, enrollment.Role{}, membership.Role{}, job.State{}, coupon.Format{}, bulk.Kind{},
	),
}

// diff tells in what got is not want; it is empty when they are equal.
func diff(got, want any) string {
	if reflect.DeepEqual(got, want) { // at once, where lists are compared by the thousand
		return ""
	}
	return cmp.Diff(want, got, exactly)
}

// taken tells in what err is not the fault that the record id of the given type
// holds the value of field already.
func taken(err error, field, holder string, id interface{ String() string }) string {
	faults := fault.All(err)
	if len(faults) != 1 || faults[0].Holder == nil {
		return cmp.Diff("one fault with a holder", err)
	}
	f := faults[0]
	got := []string{f.Kind.String(), f.Field, f.Holder.Type, f.Holder.ID.String()}
	return cmp.Diff([]string{fault.Invalid.String(), field, holder, id.String()}, got)
}

// isMissing tells whether err is the fault NotFound.
func isMissing(err error) bool { return fault.Is(err, fault.NotFound) }

// everything is all that a school shows of itself to a reader.
type everything struct {
	School      school.State
	Categories  []category.State
	Coupons     []coupon.State
	Courses     []course.Summary
	People      []person.Summary
	Enrollments []enrollment.Enrollment
	Groups      []group.Summary
	Memberships []membership.Membership
}

// all reads everything of the school, so that a test can tell whether anything
// has changed.
func (s tenant) all() everything {
	s.t.Helper()
	reader, ctx := s.read(), s.ctx()
	own, err := reader.School.Get(ctx)
	s.must(err)
	categories, err := reader.Categories.List(ctx, query.Query{Page: query.Everything()})
	s.must(err)
	coupons, err := reader.Coupons.List(ctx, query.Query{Page: query.Everything()})
	s.must(err)
	courses, err := reader.Courses.List(ctx, query.Query{Page: query.Everything()})
	s.must(err)
	people, err := reader.People.List(ctx, query.Query{Page: query.Everything()})
	s.must(err)
	groups, err := reader.Groups.List(ctx, query.Query{Page: query.Everything()})
	s.must(err)
	memberships, err := reader.Memberships.List(ctx, query.Query{Page: query.Everything()})
	s.must(err)
	all := everything{
		School: own.State(), Categories: categories.Items, Courses: courses.Items, People: people.Items,
		Groups: groups.Items, Memberships: memberships.Items, Coupons: coupons.Items,
	}
	for _, p := range people.Items {
		es, err := reader.Enrollments.OfPerson(ctx, p.ID)
		s.must(err)
		all.Enrollments = append(all.Enrollments, es...)
	}
	return all
}

// must ends the test when there is an error.
func (s tenant) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// summary returns the person as documents show one.
func (s tenant) summary(id person.ID) person.Summary {
	s.t.Helper()
	p, err := s.read().People.Get(s.ctx(), id)
	s.must(err)
	return p
}

// shown returns the course as documents show it.
func (s tenant) shown(id course.ID) course.Summary {
	s.t.Helper()
	c, err := s.read().Courses.Get(s.ctx(), id)
	s.must(err)
	return c
}

// group returns the group as documents show it.
func (s tenant) group(id group.ID) group.Summary {
	s.t.Helper()
	g, err := s.read().Groups.Get(s.ctx(), id)
	s.must(err)
	return g
}

// enrollmentsOf returns the person's enrollments.
func (s tenant) enrollmentsOf(id person.ID) []enrollment.Enrollment {
	s.t.Helper()
	es, err := s.read().Enrollments.OfPerson(s.ctx(), id)
	s.must(err)
	return es
}

// A cause is the end of a context: how to bring it about, and the error that
// tells of it.
type cause struct {
	name string
	end  func(context.Context) (context.Context, context.CancelFunc)
	err  error
}

// causes is the two ways in which a context ends.
func causes() []cause {
	return []cause{
		{"cancelled", cancelled, context.Canceled},
		{"too late", expired, context.DeadlineExceeded},
	}
}

func cancelled(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	return ctx, cancel
}

func expired(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithDeadline(ctx, time.Unix(0, 0))
}
