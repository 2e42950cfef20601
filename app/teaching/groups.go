package teaching

import (
	"context"

	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/query"
)

// Groups returns a page of groups. An instructor sees the groups that have one of their courses.
func (t *Teaching) Groups(ctx context.Context, s Staff, q query.Query) (query.Result[group.Summary], error) {
	a := s.actor.PermitStaff()
	if s.courses != nil {
		return t.app.Groups.ListWithCourses(ctx, a, s.courses, q)
	}
	return t.app.Groups.List(ctx, a, q)
}

// Group returns a group and the courses of the group that the person may use.
func (t *Teaching) Group(ctx context.Context, s Staff, id group.ID) (group.Summary, []course.Summary, error) {
	a := s.actor.PermitStaff()
	g, err := t.app.Groups.Get(ctx, a, id)
	if err != nil {
		return group.Summary{}, nil, err
	}
	held, err := t.app.Groups.CourseIDs(ctx, a, []group.ID{id})
	if err != nil {
		return group.Summary{}, nil, err
	}
	courses, err := t.Courses(ctx, s, query.Query{Where: query.HasAnyID(course.Schema.Attr("uuid"), held[id]), Page: query.AllRows()})
	if err == nil && s.courses != nil && len(courses.Items) == 0 {
		return group.Summary{}, nil, fault.RecordNotFound()
	}
	return g, courses.Items, err
}

// Members returns a page of the memberships of a group, of both roles. An instructor sees the
// memberships of the people who are enrolled in their courses.
func (t *Teaching) Members(ctx context.Context, s Staff, id group.ID, q query.Query) (query.Result[membership.Membership], error) {
	if _, _, err := t.Group(ctx, s, id); err != nil {
		return query.Result[membership.Membership]{}, err
	}
	if s.courses != nil {
		found, err := t.People(ctx, s, Audience{Group: id}, query.Query{Page: query.AllRows(), WithoutProperties: true})
		if err != nil {
			return query.Result[membership.Membership]{}, err
		}
		q = q.And(query.HasAnyID(membership.Schema.Attr("person.id"), each(found.Items, func(p person.Summary) person.ID { return p.ID })))
	}
	return t.app.Memberships.ListOf(ctx, s.actor.PermitStaff(), id, q)
}

// CreateGroup adds a group.
func (t *Teaching) CreateGroup(ctx context.Context, s Staff, e group.Changes) (group.Summary, error) {
	a, err := s.manager()
	if err != nil {
		return group.Summary{}, err
	}
	return t.app.Groups.Create(ctx, a, e)
}

// UpdateGroup changes a group.
func (t *Teaching) UpdateGroup(ctx context.Context, s Staff, id group.ID, e group.Changes) (group.Summary, error) {
	a, err := s.manager()
	if err != nil {
		return group.Summary{}, err
	}
	return t.app.Groups.Update(ctx, a, id, e)
}

// DeleteGroup deletes a group.
func (t *Teaching) DeleteGroup(ctx context.Context, s Staff, id group.ID) error {
	a, err := s.manager()
	if err != nil {
		return err
	}
	return t.app.Groups.Delete(ctx, a, id)
}

// AddCourse adds a course to a group and enrolls its members.
func (t *Teaching) AddCourse(ctx context.Context, s Staff, id group.ID, c course.ID) error {
	a, err := s.manager()
	if err != nil {
		return err
	}
	return t.app.Groups.AddCourses(ctx, a, id, []course.ID{c})
}

// RemoveCourse removes a course from a group. Members stay enrolled.
func (t *Teaching) RemoveCourse(ctx context.Context, s Staff, id group.ID, c course.ID) error {
	a, err := s.manager()
	if err != nil {
		return err
	}
	return t.app.Groups.RemoveCourses(ctx, a, id, []course.ID{c})
}

// AddMember makes a person a member of a group.
func (t *Teaching) AddMember(ctx context.Context, s Staff, id group.ID, p person.ID) error {
	a, err := s.manager()
	if err != nil {
		return err
	}
	return t.app.Memberships.AddPeople(ctx, a, id, []person.ID{p})
}

// RemoveMember removes a member from a group.
func (t *Teaching) RemoveMember(ctx context.Context, s Staff, id group.ID, p person.ID) error {
	a, err := s.manager()
	if err != nil {
		return err
	}
	return t.app.Memberships.RemovePeople(ctx, a, id, []person.ID{p})
}

// PeopleOf returns the people of memberships that the person of the staff may see, by ID.
func (t *Teaching) PeopleOf(ctx context.Context, s Staff, of []membership.Membership) (map[person.ID]person.Summary, error) {
	ids := each(of, func(m membership.Membership) person.ID { return m.Person })
	found, err := t.People(ctx, s, Audience{}, query.Query{
		Where: query.HasAnyID(person.Schema.Attr("uuid"), ids), Page: query.AllRows(), WithoutProperties: true,
	})
	people := map[person.ID]person.Summary{}
	for _, p := range found.Items {
		people[p.ID] = p
	}
	return people, err
}
