package membership_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
)

var (
	now  = time.Date(2026, 1, 31, 15, 4, 5, 123e6, time.UTC)
	id   = membership.ID{UUID: uuid.UUID{15: 1}}
	ada  = person.State{ID: person.ID{UUID: uuid.UUID{15: 2}}, Email: "ada@lms.test"}
	math = group.State{ID: group.ID{UUID: uuid.UUID{15: 3}}, Name: "Mathematics"}
)

// Who may join what: a rule adds rows, and a member of the table where it looks
// at something new.
func TestJoin(t *testing.T) {
	for _, tc := range []struct {
		name    string
		person  person.State
		group   group.State
		role    membership.Role
		refused fault.Kind // 0 when the person joins
	}{
		{"a member", ada, math, membership.Member, 0},
		{"a manager", ada, math, membership.Manager, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			m, err := membership.Join(id, person.Restore(tc.person), group.Restore(tc.group), tc.role, now)
			if tc.refused != 0 {
				is.True(fault.Is(err, tc.refused))
				is.Equal(m, membership.Membership{})
				return
			}
			is.NoErr(err)
			is.Equal(m, membership.Membership{
				ID: id, Person: tc.person.ID, Group: tc.group.ID, Role: tc.role, CreatedAt: now, UpdatedAt: now,
			})
		})
	}
}

func TestEnrolls(t *testing.T) {
	is := is.New(t)
	is.True(membership.Member.Enrolls())
	is.Equal(membership.Manager.Enrolls(), false)
}
