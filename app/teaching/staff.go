package teaching

import (
	"context"
	"errors"
	"slices"

	"lyceum/app"
	"lyceum/app/auth"
	"lyceum/app/usecase"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
)

// Teaching contains the use cases of the teaching app.
type Teaching struct{ app *app.App }

// New returns the use cases, which call the use cases of a.
func New(a *app.App) *Teaching { return &Teaching{a} }

// Staff is a signed-in person who has a partnership. The role is the highest one of the person.
//
// An owner may do everything. A manager may do everything except manage API keys, webhooks, the
// settings of the school, and owners and managers. An instructor may read and change the courses
// that they instruct, and read the groups that have one of these courses.
type Staff struct {
	Person  person.Summary
	Role    person.Role
	actor   usecase.Actor // not permitted; see manager, owner and onCourse
	courses []course.ID   // that an instructor instructs; nil: all courses
}

// Enter returns the person of a session as a person of the staff. It returns Forbidden if the
// person has no partnership.
func (t *Teaching) Enter(ctx context.Context, v auth.Visitor) (Staff, error) {
	system := usecase.SystemActor(v.School.ID)
	of := query.Query{Where: query.HasID(person.PartnershipSchema.Attr("person.id"), v.Person.ID.UUID), Page: query.AllRows()}
	held, err := t.app.Partnerships.List(ctx, system, of)
	if err != nil {
		return Staff{}, err
	}
	s, highest := Staff{Person: v.Person}, person.PartnershipID{}
	for _, role := range []person.Role{person.Owner, person.Manager, person.Instructor} {
		if i := slices.IndexFunc(held.Items, func(p person.Partnership) bool { return p.Role == role }); i >= 0 {
			s.Role, highest = role, held.Items[i].ID
			break
		}
	}
	switch s.Role {
	case person.Role{}:
		return Staff{}, fault.Forbiddenf("You do not belong to the staff of this school")
	case person.Instructor:
		s.courses, err = t.instructed(ctx, system, held.Items)
	}
	scope := school.Write
	if s.Role == person.Owner {
		scope = school.Admin
	}
	s.actor = usecase.ByStaff(v.School.ID, v.Session, highest, scope).WithSlug(v.School.Slug)
	return s, err
}

// instructed returns the courses that have one of the partnerships as an instructor. It is never
// nil.
func (t *Teaching) instructed(ctx context.Context, a usecase.Actor, held []person.Partnership) ([]course.ID, error) {
	partnerships := make([]person.PartnershipID, len(held))
	for i, p := range held {
		partnerships[i] = p.ID
	}
	in := query.HasAnyID(course.Schema.Attr("instructor_partnerships.id"), partnerships)
	found, err := t.app.Courses.List(ctx, a, query.Query{Where: in, Page: query.AllRows(), WithoutProperties: true})
	ids := make([]course.ID, len(found.Items))
	for i, c := range found.Items {
		ids[i] = c.ID
	}
	return ids, err
}

// The faults of operations that the role of a person does not permit.
var (
	errNotOwner   = fault.Forbiddenf("Only an owner of the school can do this")
	errNotManager = fault.Forbiddenf("Only an owner or a manager of the school can do this")
	errShared     = fault.Forbiddenf("A quiz or an assignment of this course is also used in a course that you do not instruct")

	errEnrollsManagement = fault.Forbiddenf("Only an owner or a manager of the school can enroll owners and managers")
)

// IsNotPermitted reports whether err means that the role of the person does not permit the
// operation.
func IsNotPermitted(err error) bool {
	return errors.Is(err, errNotOwner) || errors.Is(err, errNotManager) || errors.Is(err, usecase.ErrRoleEnded)
}

// IsOwner reports whether the person may do everything.
func (s Staff) IsOwner() bool { return s.Role == person.Owner }

// Manages reports whether the person is an owner or a manager.
func (s Staff) Manages() bool { return s.Role == person.Owner || s.Role == person.Manager }

// owner returns the actor if the person is an owner, and otherwise Forbidden.
func (s Staff) owner() (usecase.Actor, error) {
	if !s.IsOwner() {
		return usecase.Actor{}, errNotOwner
	}
	return s.actor.PermitStaff(), nil
}

// manager returns the actor if the person is an owner or a manager, and otherwise Forbidden.
func (s Staff) manager() (usecase.Actor, error) {
	if !s.Manages() {
		return usecase.Actor{}, errNotManager
	}
	return s.actor.PermitStaff(), nil
}

// onCourse returns the actor if the person may use the course id, and otherwise NotFound. It does
// not check that the course exists.
func (s Staff) onCourse(id course.ID) (usecase.Actor, error) {
	if s.courses == nil {
		return s.actor.PermitStaff(), nil
	}
	if !slices.Contains(s.courses, id) {
		return usecase.Actor{}, fault.RecordNotFound()
	}
	return s.actor.Instructing(id).PermitStaff(), nil
}

// within returns the actor, and q restricted to the records of the courses that the person may
// use. of is the attribute with the ID of the course.
func (s Staff) within(q query.Query, of query.Attr) (usecase.Actor, query.Query) {
	if s.courses != nil {
		q = q.And(query.HasAnyID(of, s.courses))
	}
	return s.actor.PermitStaff(), q
}

// CheckManages returns Forbidden unless the person is an owner or a manager.
func (s Staff) CheckManages() error {
	_, err := s.manager()
	return err
}

// CheckOwns returns Forbidden unless the person is an owner.
func (s Staff) CheckOwns() error {
	_, err := s.owner()
	return err
}
