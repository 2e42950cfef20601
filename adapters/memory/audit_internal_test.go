package memory

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/audit"
	"lyceum/domain/change"
	"lyceum/domain/person"
	"lyceum/domain/school"
)

// The change feed does not show addresses, but it refers to the events, so they must be replaced there
// too.
func TestAddressesAreErasedInTheFeed(t *testing.T) {
	is := is.New(t)
	s, ada, grace := newState(school.School{}), person.ID{UUID: uuid.New()}, person.ID{UUID: uuid.New()}
	add := func(p person.ID) {
		l := changeLog{s, &cause{time.Now(), audit.Origin{Actor: audit.Actor{Person: p}, Address: "192.0.2.7"}}}
		l.add(person.Type, uuid.NewString(), false, true, nil)
		l.audit(audit.SignedOut, change.Record{Type: person.Type, ID: p.String()}) // not a change
	}
	add(ada)
	add(grace)
	add(ada)
	is.Equal(s.eraseAddresses(ada, 10), 4)
	is.Equal(s.changes.table.rows.All.Len(), 3)
	is.Equal(s.trail.table.rows.All.Len(), 6)
	for e := range s.changes.table.rows.Whole().From(0) {
		is.Equal(e.cause.origin.Address == "", e.cause.origin.Person == ada)
		same, ok := s.trail.table.rows.All.Get(e)
		is.True(ok && same == e) // not kept twice
	}
}
