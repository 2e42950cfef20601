package app

import (
	"context"

	"lyceum/app/auth"
	"lyceum/app/usecase"
	"lyceum/domain/activity"
	"lyceum/domain/course"
	"lyceum/domain/decimal"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/domain/text"
)

// Academy contains the use cases of the pages on which the learners of a school find their courses.
type Academy struct {
	deps        usecase.Deps
	enrollments *Enrollments
	memberships *Memberships
	redemptions *Redemptions
}

// OwnCourse is a course in which the visitor is enrolled as a learner.
type OwnCourse struct {
	Course   course.Summary
	Progress decimal.Percent // of the latest attempt; 0 if there is none
}

// Courses returns the courses in which the visitor is enrolled as a learner, sorted by name.
func (u *Academy) Courses(ctx context.Context, v auth.Visitor) ([]OwnCourse, error) {
	a, q, err := u.deps.OwnCourses(ctx, v.Actor, query.Query{
		Sort: []query.Order{{Attr: course.Schema.Attr("name")}}, Page: query.AllRows(),
	}, course.Schema.Attr("uuid"))
	if err != nil {
		return nil, err
	}
	r := u.deps.Read(a)
	courses, err := r.Courses.List(ctx, q)
	if err != nil {
		return nil, err
	}
	pairs := make([]enrollment.PersonCourse, len(courses.Items))
	for i, c := range courses.Items {
		pairs[i] = enrollment.PersonCourse{Person: v.Actor.Learner(), Course: c.ID}
	}
	latest, err := r.CourseAnalytics.LatestMany(ctx, pairs)
	own := make([]OwnCourse, len(courses.Items))
	for i, c := range courses.Items {
		own[i] = OwnCourse{Course: c, Progress: latest[pairs[i]].State().Progress}
	}
	return own, err
}

// CoverOf is the content of a course's cover, the page that presents the course and its activities.
type CoverOf struct {
	Course     course.Summary
	Activities []activity.State // in the order of the course, without archived ones and without texts
	Enrolled   bool             // whether the visitor is enrolled as a learner
}

// Cover returns the cover of the course with the given permalink. v is nil if no person is signed
// in. In that case Cover returns Unauthenticated unless the covers of the school are public.
func (u *Academy) Cover(ctx context.Context, s school.State, v *auth.Visitor, permalink string) (CoverOf, error) {
	if v == nil && !s.Entry.PublicCovers {
		return CoverOf{}, fault.BadCredentials()
	}
	r := u.deps.Store.Read(s.ID)
	id, err := usecase.CourseID(ctx, r.Courses, permalink)
	if err != nil {
		return CoverOf{}, err
	}
	var c CoverOf
	if c.Course, err = r.Courses.Get(ctx, id); err != nil {
		return CoverOf{}, err
	}
	if c.Activities, err = shownActivities(ctx, r, id); err != nil || v == nil {
		return c, err
	}
	_, err = u.deps.OnCourse(ctx, v.Actor, id)
	if c.Enrolled = err == nil; fault.Is(err, fault.NotFound) {
		err = nil
	}
	return c, err
}

// CourseByToken returns the course whose enrollment link has the token, or NotFound.
func (u *Academy) CourseByToken(ctx context.Context, s school.ID, token string) (course.Summary, error) {
	return byToken(ctx, token, u.deps.Store.Read(s).Courses.List, course.Schema.Attr("enroll_token"))
}

// GroupByToken returns the group whose enrollment link has the token, or NotFound.
func (u *Academy) GroupByToken(ctx context.Context, s school.ID, token string) (group.Summary, error) {
	return byToken(ctx, token, u.deps.Store.Read(s).Groups.List, group.Schema.Attr("enroll_token"))
}

// byToken returns the record in list whose attribute attr is token, or NotFound.
func byToken[T any](
	ctx context.Context, token string, list func(context.Context, query.Query) (query.Result[T], error), attr query.Attr,
) (found T, err error) {
	if text.Token("", token) != nil {
		return found, fault.RecordNotFound()
	}
	all, err := list(ctx, query.Query{
		Where: query.Cond{Attr: attr, Op: query.Eq, Values: []query.Value{{Text: token, Fold: token}}}, Page: query.NewPage(1, 1),
	})
	if err == nil && len(all.Items) == 0 {
		err = fault.RecordNotFound()
	}
	if err != nil {
		return found, err
	}
	return all.Items[0], nil
}

// Enroll enrolls the visitor as a learner in the course whose enrollment link has the token.
func (u *Academy) Enroll(ctx context.Context, v auth.Visitor, token string) (course.Summary, error) {
	c, err := u.CourseByToken(ctx, v.School.ID, token)
	if err != nil {
		return c, err
	}
	return c, u.enrollments.Enroll(ctx, v.Actor.Permit(), v.Person.ID, []CourseRole{{Course: c.ID, Role: enrollment.Learner}})
}

// Join makes the visitor a member of the group whose enrollment link has the token.
func (u *Academy) Join(ctx context.Context, v auth.Visitor, token string) (group.Summary, error) {
	g, err := u.GroupByToken(ctx, v.School.ID, token)
	if err != nil {
		return g, err
	}
	return g, u.memberships.Join(ctx, v.Actor.Permit(), v.Person.ID, []GroupRole{{Group: g.ID, Role: membership.Member}})
}
