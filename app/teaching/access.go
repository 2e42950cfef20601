package teaching

import (
	"context"
	"slices"

	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/person"
	"lyceum/domain/query"
)

// Invitation returns the invitation of a person, or NotFound if the person was never invited.
func (t *Teaching) Invitation(ctx context.Context, s Staff, id person.ID) (invitation.Invitation, error) {
	a, err := s.manager()
	if err != nil {
		return invitation.Invitation{}, err
	}
	return t.app.Invitations.Get(ctx, a, id)
}

// Resend enqueues another invitation email to a person.
func (t *Teaching) Resend(ctx context.Context, s Staff, id person.ID) error {
	a, err := s.manager()
	if err != nil {
		return err
	}
	_, err = t.app.Invitations.Resend(ctx, a, id)
	return err
}

// CheckLink returns Forbidden if an owner cannot create a sign-in link for a person with these
// partnerships: they make the person an owner. An owner has all rights of the other roles, and could
// also enter as the person by changing the email address.
func CheckLink(held []person.Partnership) error {
	if slices.ContainsFunc(held, func(p person.Partnership) bool { return p.Role == person.Owner }) {
		return fault.Forbiddenf("A sign-in link cannot be created for an owner of the school")
	}
	return nil
}

// SignInLink returns the token of a new sign-in link for a person who is not an owner, for a server
// that sends no emails.
func (t *Teaching) SignInLink(ctx context.Context, s Staff, id person.ID) (string, error) {
	a, err := s.owner()
	if err != nil {
		return "", err
	}
	p, err := t.app.People.Get(ctx, a, id)
	if err != nil {
		return "", err
	}
	return t.app.SignIns.CreateLinkBy(ctx, a, p.Email, CheckLink)
}

// GiveRole gives a person a partnership.
func (t *Teaching) GiveRole(ctx context.Context, s Staff, id person.ID, role person.Role) error {
	a, err := s.owner()
	if err != nil {
		return err
	}
	_, err = t.app.Partnerships.Create(ctx, a, id, role)
	return err
}

// HeldRole is a partnership of a person, and what the person loses with it.
type HeldRole struct {
	person.Partnership
	HasOthers bool     // whether the person has other roles
	Courses   []string // names of the courses from which the person is removed as an instructor
	More      bool     // whether there are more courses
}

// maxLostCourses is the maximum number of courses in HeldRole.
const maxLostCourses = 50

// HeldRole returns the partnership id of the person of, or NotFound if the person does not have it.
func (t *Teaching) HeldRole(ctx context.Context, s Staff, of person.ID, id person.PartnershipID) (HeldRole, error) {
	a, err := s.owner()
	if err != nil {
		return HeldRole{}, err
	}
	roles, err := t.Roles(ctx, s, of)
	if err != nil {
		return HeldRole{}, err
	}
	i := slices.IndexFunc(roles[of], func(p person.Partnership) bool { return p.ID == id })
	if i < 0 {
		return HeldRole{}, fault.RecordNotFound()
	}
	held := HeldRole{Partnership: roles[of][i], HasOthers: len(roles[of]) > 1}
	found, err := t.app.Courses.List(ctx, a, query.Query{
		Where: query.HasID(course.Schema.Attr("instructor_partnerships.id"), id.UUID),
		Sort:  []query.Order{{Attr: course.Schema.Attr("name")}}, Page: query.NewPage(1, maxLostCourses), WithoutProperties: true,
	})
	for _, c := range found.Items {
		held.Courses = append(held.Courses, c.Name)
	}
	held.More = found.More
	return held, err
}

// EndRole deletes a partnership. The last owner cannot be removed.
func (t *Teaching) EndRole(ctx context.Context, s Staff, id person.PartnershipID) error {
	a, err := s.owner()
	if err != nil {
		return err
	}
	return t.app.Partnerships.Delete(ctx, a, id)
}
