package membership_test

import (
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/membership"
	"lyceum/test/conformance/schematest"
)

func TestParseRole(t *testing.T) {
	for _, r := range membership.Roles() {
		t.Run(r.String(), func(t *testing.T) {
			is := is.New(t)
			parsed, err := membership.ParseRole(r.String())
			is.NoErr(err)
			is.Equal(parsed, r)
		})
	}
	for _, name := range []string{"", "Member", "learner"} {
		t.Run("not "+name, func(t *testing.T) {
			is := is.New(t)
			_, err := membership.ParseRole(name)
			is.True(fault.Is(err, fault.Invalid))
			is.Equal(fault.All(err)[0].Field, "role")
		})
	}
}

func TestSchema(t *testing.T) {
	is := is.New(t)
	schematest.Attributes(t, membership.Schema, membership.Membership{
		ID: id, Person: ada.ID, Group: math.ID, Role: membership.Manager, CreatedAt: now, UpdatedAt: now.Add(time.Hour),
	}, map[string]string{
		"uuid":       "00000000-0000-0000-0000-000000000001",
		"role":       "manager",
		"person.id":  "00000000-0000-0000-0000-000000000002",
		"group.id":   "00000000-0000-0000-0000-000000000003",
		"created_at": "2026-01-31T15:04:05.123Z",
		"updated_at": "2026-01-31T16:04:05.123Z",
	})
	is.Equal(schematest.Order(membership.Schema), "-created_at")
}
