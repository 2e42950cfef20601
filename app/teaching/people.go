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
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/property"
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
	q.WithoutProperties = q.WithoutProperties || !s.Manages()
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
// their courses, and themselves, without properties.
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
	p, err := t.app.People.Get(ctx, s.actor.PermitStaff(), id)
	if !s.Manages() {
		p.Properties = property.Values{}
	}
	return p, err
}

// runsSchool reports whether a person is an owner or a manager.
func (t *Teaching) runsSchool(ctx context.Context, s Staff, id person.ID) (bool, error) {
	roles, err := t.Roles(ctx, s, id)
	return runsSchool(roles[id]), err
}

// runsSchool reports whether one of the partnerships is that of an owner or a manager.
func runsSchool(held []person.Partnership) bool {
	return slices.ContainsFunc(held, func(p person.Partnership) bool { return p.Role != person.Instructor })
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
	runs, err := t.runsSchool(ctx, s, id)
	if err == nil && runs {
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

// CheckBacklog is like bulk.Bulk.CheckBacklog.
func (t *Teaching) CheckBacklog(ctx context.Context, s Staff) error {
	a, err := s.manager()
	if err != nil {
		return err
	}
	return t.app.Bulk.CheckBacklog(ctx, a)
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

// PersonByEmail returns the person with the given email address, or Invalid if there is none. To an
// instructor, who cannot enroll owners and managers, these people are unknown too.
func (t *Teaching) PersonByEmail(ctx context.Context, s Staff, email string) (person.Summary, error) {
	if text.CheckText("email", email) != nil {
		return person.Summary{}, errUnknownPerson
	}
	found, err := t.app.People.List(ctx, s.actor.PermitStaff(), query.Query{
		Where: query.Cond{
			Attr: person.Schema.Attr("email"), Op: query.Eq, Values: []query.Value{{Text: email, Fold: text.Fold(email)}},
		}, Page: query.NewPage(1, 1), WithoutProperties: true,
	})
	if err == nil && len(found.Items) == 0 {
		err = errUnknownPerson
	}
	if err == nil && !s.Manages() {
		var runs bool
		if runs, err = t.runsSchool(ctx, s, found.Items[0].ID); err == nil && runs {
			err = errUnknownPerson
		}
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
