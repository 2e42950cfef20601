package teaching

import (
	"context"
	"errors"
	"slices"

	"lyceum/app/usecase"
	"lyceum/domain/bulk"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/invitation"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/text"
	"lyceum/ports"
)

// Audience selects people by what they belong to. A zero field selects everyone.
type Audience struct {
	Course course.ID
	Group  group.ID
	Role   person.Role
}

// People returns a page of the people of an audience. An instructor sees the people who are
// enrolled in their courses.
func (t *Teaching) People(ctx context.Context, s Staff, in Audience, q query.Query) (query.Result[person.Summary], error) {
	a, of := s.actor.PermitStaff(), ports.Audience{Courses: s.courses}
	if in.Course != (course.ID{}) {
		if _, err := s.onCourse(in.Course); err != nil {
			return query.Result[person.Summary]{}, err
		}
		of.Courses = []course.ID{in.Course}
	}
	if in.Group != (group.ID{}) {
		if _, _, err := t.Group(ctx, s, in.Group); err != nil {
			return query.Result[person.Summary]{}, err
		}
		of.Groups = []group.ID{in.Group}
	}
	if in.Role != (person.Role{}) {
		held, err := t.app.Partnerships.List(ctx, a, query.Query{Page: query.AllRows()})
		if err != nil {
			return query.Result[person.Summary]{}, err
		}
		var ids []person.ID
		for _, p := range held.Items {
			if p.Role == in.Role {
				ids = append(ids, p.Person)
			}
		}
		q = q.And(query.HasAnyID(person.Schema.Attr("uuid"), ids))
	}
	return t.app.People.ListAudience(ctx, a, of, q)
}

func (t *Teaching) enrollments(ctx context.Context, s Staff, q query.Query) (query.Result[enrollment.Summary], error) {
	a, q := s.within(q, enrollment.Schema.Attr("course.id"))
	return t.app.Enrollments.List(ctx, a, q)
}

// Person returns the person with the given ID. An instructor sees the people who are enrolled in
// their courses, and themselves.
func (t *Teaching) Person(ctx context.Context, s Staff, id person.ID) (person.Summary, error) {
	if s.courses != nil && id != s.Person.ID {
		found, err := t.enrollments(ctx, s, query.Query{
			Where: query.HasID(enrollment.Schema.Attr("person.id"), id.UUID), Page: query.NewPage(1, 1),
		})
		if err == nil && len(found.Items) == 0 {
			err = fault.RecordNotFound()
		}
		if err != nil {
			return person.Summary{}, err
		}
	}
	return t.app.People.Get(ctx, s.actor.PermitStaff(), id)
}

// Roles returns the partnerships of people, by person.
func (t *Teaching) Roles(ctx context.Context, s Staff, people ...person.ID) (map[person.ID][]person.Partnership, error) {
	found, err := t.app.Partnerships.List(ctx, s.actor.PermitStaff(), query.Query{
		Where: query.HasAnyID(person.PartnershipSchema.Attr("person.id"), people), Page: query.AllRows(),
	})
	roles := map[person.ID][]person.Partnership{}
	for _, p := range found.Items {
		roles[p.Person] = append(roles[p.Person], p)
	}
	return roles, err
}

// Invite adds and invites a person.
func (t *Teaching) Invite(ctx context.Context, s Staff, p person.Profile) (person.Summary, error) {
	a, err := s.manager()
	if err != nil {
		return person.Summary{}, err
	}
	return t.app.People.Create(ctx, a, p)
}

// onPerson returns the actor if the person of the staff may change or delete the person id. A
// manager may not change owners and other managers: with another email address, the manager could
// sign in as the owner.
func (t *Teaching) onPerson(ctx context.Context, s Staff, id person.ID) (usecase.Actor, error) {
	a, err := s.manager()
	if err != nil || s.IsOwner() || id == s.Person.ID {
		return a, err
	}
	roles, err := t.Roles(ctx, s, id)
	if err == nil && slices.ContainsFunc(roles[id], func(p person.Partnership) bool { return p.Role != person.Instructor }) {
		err = fault.Forbiddenf("Only an owner of the school can change owners and managers")
	}
	return a, err
}

// UpdatePerson changes a person.
func (t *Teaching) UpdatePerson(ctx context.Context, s Staff, id person.ID, e person.Changes) (person.Summary, error) {
	a, err := t.onPerson(ctx, s, id)
	if err != nil {
		return person.Summary{}, err
	}
	return t.app.People.Update(ctx, a, id, e)
}

// RemovePerson deletes a person and their data.
func (t *Teaching) RemovePerson(ctx context.Context, s Staff, id person.ID) error {
	a, err := t.onPerson(ctx, s, id)
	if err != nil {
		return err
	}
	return t.app.People.Delete(ctx, a, id)
}

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
	roles, err := t.Roles(ctx, s, id)
	if err == nil {
		err = CheckLink(roles[id])
	}
	if err != nil {
		return "", err
	}
	o := ports.OriginOf(ctx)
	o.Actor = a.Audited()
	return t.app.SignIns.CreateLink(ports.WithOrigin(ctx, o), a.School(), p.Email)
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

// AddPeople accepts rows about people and returns the bulk job that adds and invites them.
func (t *Teaching) AddPeople(ctx context.Context, s Staff, rows []bulk.Row) (bulk.Job, error) {
	a, err := s.manager()
	if err != nil {
		return bulk.Job{}, err
	}
	return t.app.Bulk.Accept(ctx, a, bulk.People, rows)
}

// BulkJob returns the bulk job with the given ID.
func (t *Teaching) BulkJob(ctx context.Context, s Staff, id bulk.ID) (bulk.Job, error) {
	a, err := s.manager()
	if err != nil {
		return bulk.Job{}, err
	}
	return t.app.Bulk.Get(ctx, a, id)
}

var errUnknownPerson = fault.Invalidf("email", "The school has no person with this email address")

// IsUnknownPerson reports whether err means that PersonByEmail has found no person.
func IsUnknownPerson(err error) bool { return errors.Is(err, errUnknownPerson) }

// PersonByEmail returns the person with the given email address, or Invalid if there is none.
func (t *Teaching) PersonByEmail(ctx context.Context, s Staff, email string) (person.Summary, error) {
	found, err := t.app.People.List(ctx, s.actor.PermitStaff(), query.Query{
		Where: query.Cond{
			Attr: person.Schema.Attr("email"), Op: query.Eq, Values: []query.Value{{Text: email, Fold: text.Fold(email)}},
		}, Page: query.NewPage(1, 1),
	})
	if err == nil && len(found.Items) == 0 {
		err = errUnknownPerson
	}
	if err != nil {
		return person.Summary{}, err
	}
	return found.Items[0], nil
}

// Memberships returns the groups of a person that the person of the staff may see.
func (t *Teaching) Memberships(ctx context.Context, s Staff, id person.ID) ([]group.Summary, error) {
	found, err := t.app.Memberships.List(ctx, s.actor.PermitStaff(), query.Query{
		Where: query.HasID(membership.Schema.Attr("person.id"), id.UUID), Page: query.AllRows(),
	})
	if err != nil {
		return nil, err
	}
	var ids []group.ID
	for _, m := range found.Items {
		ids = append(ids, m.Group)
	}
	groups, err := t.Groups(ctx, s, query.Query{Where: query.HasAnyID(group.Schema.Attr("uuid"), ids), Page: query.AllRows()})
	return groups.Items, err
}
