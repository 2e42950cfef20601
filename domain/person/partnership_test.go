package person_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/test/conformance/schematest"
)

var part = person.PartnershipID{UUID: uuid.UUID{15: 9}}

func TestNewPartnership(t *testing.T) {
	is := is.New(t)
	p, err := person.NewPartnership(part, id, person.Manager, now)
	is.NoErr(err)
	is.Equal(p, person.Partnership{ID: part, Person: id, Role: person.Manager, CreatedAt: now})
	_, err = person.NewPartnership(part, id, person.Role{}, now)
	is.Equal(err, fault.Blank("role"))
}

// The last owner cannot be removed; other partnerships can.
func TestCheckRemoval(t *testing.T) {
	for _, tc := range []struct {
		role   person.Role
		owners int
		free   bool
	}{
		{person.Owner, 2, true},
		{person.Owner, 1, false},
		{person.Owner, 0, false},
		{person.Manager, 1, true},
		{person.Instructor, 0, true},
	} {
		is := is.New(t)
		err := person.Partnership{Role: tc.role}.CheckRemoval(tc.owners)
		is.Equal(err == nil, tc.free)                      // a fault unless tc.free is true
		is.Equal(fault.Is(err, fault.Forbidden), !tc.free) // the fault is Forbidden
	}
}

func TestPartnershipSchema(t *testing.T) {
	is := is.New(t)
	schematest.Attributes(t, person.PartnershipSchema, person.Partnership{ID: part, Person: id, Role: person.Owner, CreatedAt: now}, map[string]string{
		"uuid":       "00000000-0000-0000-0000-000000000009",
		"role":       "owner",
		"person.id":  id.String(),
		"created_at": "2026-01-31T15:04:05.123Z",
	})
	is.Equal(schematest.Order(person.PartnershipSchema), "-created_at")
}
