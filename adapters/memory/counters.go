package memory

import (
	"iter"
	"slices"
	"strconv"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/adapters/memory/tables"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/reconcile"
)

// counter describes a count of records R that is stored in rows T of another table.
type counter[T, R any] struct {
	name    string
	table   func(*state) *versioned[*ordered.Table[T]]
	count   func(*T) *int64
	records func(*state) iter.Seq[*R] // all records, in any role
	counted func(*R) bool
	row     func(*R) uuid.UUID // id of the row that counts the record
}

var (
	coursesOfPerson = counter[person.Summary, tables.Enrollment]{
		"course_count", personEntity.table, func(p *person.Summary) *int64 { return &p.CourseCount },
		allEnrollments, isLearner, func(e *tables.Enrollment) uuid.UUID { return e.Person.UUID },
	}
	groupsOfPerson = counter[person.Summary, membership.Membership]{
		"group_count", personEntity.table, func(p *person.Summary) *int64 { return &p.GroupCount },
		allMemberships, isMember, func(m *membership.Membership) uuid.UUID { return m.Person.UUID },
	}
	learnersOfCourse = counter[course.Summary, tables.Enrollment]{
		"enrollments_count", courseEntity.table, func(c *course.Summary) *int64 { return &c.EnrollmentsCount },
		allEnrollments, isLearner, func(e *tables.Enrollment) uuid.UUID { return e.Course.UUID },
	}
	membersOfGroup = counter[group.Summary, membership.Membership]{
		"membership_count", groupEntity.table, func(g *group.Summary) *int64 { return &g.MembershipCount },
		allMemberships, isMember, func(m *membership.Membership) uuid.UUID { return m.Group.UUID },
	}
)

func allEnrollments(s *state) iter.Seq[*tables.Enrollment] {
	return s.enrollments.table.ByID.From(0)
}

func allMemberships(s *state) iter.Seq[*membership.Membership] {
	return s.memberships.table.ByID.From(0)
}

func isLearner(e *tables.Enrollment) bool    { return e.Learner }
func isMember(m *membership.Membership) bool { return m.Role == membership.Member }

// add adds n for each counted record of rs to the row that counts it.
func (c counter[T, R]) add(s *state, rs []*R, n int64) error {
	by := c.tally(slices.Values(rs))
	for id := range by {
		by[id] *= n
	}
	return c.table(s).writable(s.version).Add(by, func(row *T, n int64) { *c.count(row) += n })
}

// tally counts rs by the ids of the rows that count them.
func (c counter[T, R]) tally(rs iter.Seq[*R]) map[uuid.UUID]int64 {
	by := map[uuid.UUID]int64{}
	for r := range rs {
		if c.counted(r) {
			by[c.row(r)]++
		}
	}
	return by
}

// recount compares all counts with the records, fixes wrong counts and returns the discrepancies.
func (c counter[T, R]) recount(s *state) ([]reconcile.Discrepancy, error) {
	cell, all := c.table(s), c.tally(c.records(s))
	var wrong []reconcile.Discrepancy
	for _, r := range slices.Collect(cell.table.ByID.From(0)) { // copied first, because the loop changes the table
		id := cell.table.ID(&r.Row)
		stored, expected := *c.count(&r.Row), all[id]
		if stored == expected {
			continue
		}
		wrong = append(wrong, reconcile.Discrepancy{
			Record: cell.table.Name + " " + id.String(), Value: c.name,
			Stored: strconv.FormatInt(stored, 10), Expected: strconv.FormatInt(expected, 10),
		})
		err := cell.writable(s.version).Update(id, func(row *T) { *c.count(row) = expected })
		if err != nil {
			return nil, err
		}
	}
	return wrong, nil
}
