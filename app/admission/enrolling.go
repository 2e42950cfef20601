package admission

import (
	"context"
	"maps"
	"slices"

	"lyceum/app/usecase"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/query"
	"lyceum/ports"
)

// Enrolling decides, row by row, which people are enrolled in which courses.
type Enrolling struct {
	decisions[CourseRole, enrollment.Enrollment]
	deps    usecase.Deps
	courses *Courses
	people  map[person.ID]person.Person
	by      policy.Request
	actor   usecase.Actor
}

// NewEnrolling returns an Enrolling for a request of the actor a that enrolls people in courses.
// The people and the courses must be locked.
func NewEnrolling(
	ctx context.Context, d usecase.Deps, tx ports.Tx, a usecase.Actor, courses *Courses, people map[person.ID]person.Person,
) (*Enrolling, error) {
	by, err := d.Request(ctx, tx.School, a, d.Clock.Now())
	if err != nil {
		return nil, err
	}
	e := &Enrolling{deps: d, courses: courses, people: people, by: by, actor: a}
	var existing []CourseRole
	// Without rules there is nothing to decide: Save ignores existing enrollments.
	if len(d.Policies.Living.Enroll) > 0 && len(people) > 0 && len(courses.ByID) > 0 {
		existing, err = courseRoles(ctx, tx, people, courses.ByID)
	}
	e.decisions = newDecisions(existing, func(made enrollment.Enrollment, n int64) {
		if made.Role == enrollment.Learner {
			courses.learners.add(made.Course, n)
		}
	})
	return e, err
}

// Row grants all roles of a row, or none if a role is refused. It returns the refusal of each role,
// or nil if no role is refused. It ignores existing roles.
func (e *Enrolling) Row(roles []CourseRole) []error {
	return byTurns(e.deps.Processors, len(roles), func() []error {
		e.startRow(len(roles))
		return decideRow(roles, e.ask, e.giveBack)
	})
}

// ask returns the refusal of a role in the current row, or nil.
func (e *Enrolling) ask(role CourseRole) error {
	return e.decide(role, func() (enrollment.Enrollment, error) {
		p, c := e.people[role.Person], e.courses.ByID[role.In]
		err := e.deps.Policies.Living.Enroll.Check(policy.Enrolling{
			Request: e.by, Person: p.State(), Course: c.State(), Role: role.Role, Learners: e.courses.learners[role.In],
		})
		if err != nil {
			return enrollment.Enrollment{}, err
		}
		return enrollment.New(enrollment.ID{UUID: e.deps.IDs.New()}, p, c, role.Role, e.by.At), nil
	})
}

// Save adds the granted enrollments. They count toward the allowance of the school.
func (e *Enrolling) Save(ctx context.Context, tx ports.Tx) error {
	added, err := tx.Enrollments.AddIfAbsent(ctx, e.granted)
	e.use(added)
	return err
}

// use counts n added records toward the allowance of the school.
func (e *Enrolling) use(n int) { e.deps.Additions.Use(e.actor.School(), n) }

// CheckAllowance returns Unavailable if the school may not add n enrollments now.
func (e *Enrolling) CheckAllowance(n int) error { return e.deps.Additions.Check(e.actor.School(), n) }

// courseRoles returns the existing roles of people in courses.
func courseRoles(
	ctx context.Context, tx ports.Tx, people map[person.ID]person.Person, courses map[course.ID]course.Course,
) ([]CourseRole, error) {
	found, err := tx.Enrollments.List(ctx, query.Query{Page: query.AllRows(), Where: query.And{
		query.HasAnyID(enrollment.Schema.Attr("person.id"), slices.Collect(maps.Keys(people))),
		query.HasAnyID(enrollment.Schema.Attr("course.id"), slices.Collect(maps.Keys(courses))),
	}})
	roles := make([]CourseRole, len(found.Items))
	for i, e := range found.Items {
		roles[i] = CourseRole{e.Person, e.Course, e.Role}
	}
	return roles, err
}
