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

func (m *importer) groupByName(name string) (group.State, error) {
	return find(m.groups, text.UniqueKey(name), "group", "group", name)
}

func (m *importer) importGroupCourse(l *format.GroupCourse) error {
	g, errGroup := m.groupByName(l.Group)
	c, errCourse := m.courseByPermalink(l.Course)
	if err := fault.Join(errGroup, errCourse); err != nil {
		return err
	}
	h := ports.GroupCourse{Group: g.ID, Course: c.ID}
	known, err := markSeen(m.groupCourses, h, m.line)
	if err != nil || known != nil {
		return m.countUnchanged(l.Kind, err)
	}
	register(m.groupCourses, h, empty{}, m.line)
	m.batch.GroupCourses = append(m.batch.GroupCourses, h)
	m.created(l.Kind, 1)
	return nil
}

// countUnchanged counts a line that changes nothing, and returns err.
func (m *importer) countUnchanged(kind string, err error) error {
	if err == nil {
		m.count(kind).Unchanged++
	}
	return err
}

// importMembership imports a membership. It does not enroll the person in the group's courses,
// because the file also contains the enrollments.
func (m *importer) importMembership(ctx context.Context, l *format.Membership) error {
	g, errGroup := m.groupByName(l.Group)
	p, errPerson := m.personByEmail(l.Person)
	role, errRole := membership.ParseRole(l.Role)
	if err := fault.Join(errGroup, errPerson, errRole); err != nil {
		return err
	}
	key := membershipKey{g.ID, p.ID, role}
	known, err := markSeen(m.memberships, key, m.line)
	if err != nil || known != nil {
		return m.countUnchanged(l.Kind, err)
	}
	if err := m.mayJoin(ctx, p, g, role); err != nil {
		return err
	}
	created, updated := m.timestamps(l.CreatedAt, l.UpdatedAt)
	register(m.memberships, key, empty{}, m.line)
	m.batch.Memberships = append(m.batch.Memberships, membership.Membership{
		ID: membership.ID{UUID: m.id(l.Kind, l.ID)}, Person: p.ID, Group: g.ID, Role: role, CreatedAt: created, UpdatedAt: updated,
	})
	m.created(l.Kind, 1)
	return nil
}

func (m *importer) importEnrollment(ctx context.Context, l *format.Enrollment) error {
	c, errCourse := m.courseByPermalink(l.Course)
	p, errPerson := m.personByEmail(l.Person)
	role, errRole := enrollment.ParseRole(l.Role)
	if err := fault.Join(errCourse, errPerson, errRole); err != nil {
		return err
	}
	key := enrollmentKey{c.ID, p.ID, role}
	known, err := markSeen(m.enrollments, key, m.line)
	if err != nil || known != nil {
		return m.countUnchanged(l.Kind, err)
	}
	if err := m.mayEnroll(ctx, p, c, role); err != nil {
		return err
	}
	created, updated := m.timestamps(l.CreatedAt, l.UpdatedAt)
	register(m.enrollments, key, empty{}, m.line)
	m.batch.Enrollments = append(m.batch.Enrollments, enrollment.Enrollment{
		ID: enrollment.ID{UUID: m.id(l.Kind, l.ID)}, Person: p.ID, Course: c.ID, Role: role, CreatedAt: created, UpdatedAt: updated,
	})
	m.created(l.Kind, 1)
	return nil
}
