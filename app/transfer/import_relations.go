package transfer

import (
	"context"

	"lyceum/app/transfer/format"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/text"
	"lyceum/ports"
)

func (m *importing) called(name string) (group.State, error) {
	return find(m.groups, text.Key(name), "group", "group", name)
}

func (m *importing) groupCourse(l *format.GroupCourse) error {
	g, errGroup := m.called(l.Group)
	c, errCourse := m.taught(l.Course)
	if err := fault.Join(errGroup, errCourse); err != nil {
		return err
	}
	h := ports.GroupCourse{Group: g.ID, Course: c.ID}
	known, err := claim(m.held, h, m.line)
	if err != nil || known != nil {
		return m.known(l.Kind, err)
	}
	bring(m.held, h, none{}, m.line)
	m.batch.GroupCourses = append(m.batch.GroupCourses, h)
	m.created(l.Kind, 1)
	return nil
}

// known counts a relation that the school has, unless there is an error.
func (m *importing) known(kind string, err error) error {
	if err == nil {
		m.count(kind).Unchanged++
	}
	return err
}

// membership takes a place in a group. It enrolls in nothing: the file says who
// is enrolled.
func (m *importing) membership(ctx context.Context, l *format.Membership) error {
	g, errGroup := m.called(l.Group)
	p, errPerson := m.who(l.Person)
	role, errRole := membership.ParseRole(l.Role)
	if err := fault.Join(errGroup, errPerson, errRole); err != nil {
		return err
	}
	key := seat{g.ID, p.ID, role}
	known, err := claim(m.seats, key, m.line)
	if err != nil || known != nil {
		return m.known(l.Kind, err)
	}
	if err := m.mayJoin(ctx, p, g, role); err != nil {
		return err
	}
	created, updated := m.times(l.CreatedAt, l.UpdatedAt)
	bring(m.seats, key, none{}, m.line)
	m.batch.Memberships = append(m.batch.Memberships, membership.Membership{
		ID: membership.ID{UUID: m.id(l.Kind, l.ID)}, Person: p.ID, Group: g.ID, Role: role, CreatedAt: created, UpdatedAt: updated,
	})
	m.created(l.Kind, 1)
	return nil
}

// enrollment takes a place in a course.
func (m *importing) enrollment(ctx context.Context, l *format.Enrollment) error {
	c, errCourse := m.taught(l.Course)
	p, errPerson := m.who(l.Person)
	role, errRole := enrollment.ParseRole(l.Role)
	if err := fault.Join(errCourse, errPerson, errRole); err != nil {
		return err
	}
	key := seatInCourse{c.ID, p.ID, role}
	known, err := claim(m.places, key, m.line)
	if err != nil || known != nil {
		return m.known(l.Kind, err)
	}
	if err := m.mayLearn(ctx, p, c, role); err != nil {
		return err
	}
	created, updated := m.times(l.CreatedAt, l.UpdatedAt)
	bring(m.places, key, none{}, m.line)
	m.batch.Enrollments = append(m.batch.Enrollments, enrollment.Enrollment{
		ID: enrollment.ID{UUID: m.id(l.Kind, l.ID)}, Person: p.ID, Course: c.ID, Role: role, CreatedAt: created, UpdatedAt: updated,
	})
	m.created(l.Kind, 1)
	return nil
}
