package membership_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
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

func TestNew(t *testing.T) {
	is := is.New(t)
	for _, role := range membership.Roles() {
		is.Equal(membership.New(id, person.Restore(ada), group.Restore(math), role, now), membership.Membership{
			ID: id, Person: ada.ID, Group: math.ID, Role: role, CreatedAt: now, UpdatedAt: now,
		})
	}
}

func TestEnrolls(t *testing.T) {
	is := is.New(t)
	is.True(membership.Member.Enrolls())
	is.Equal(membership.Manager.Enrolls(), false)
}
