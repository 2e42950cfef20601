package memory

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/idempotency"
)

// The responses that mention a record are found without visiting others. Responses that were
// replaced or removed are not found.
func TestResponsesByMention(t *testing.T) {
	is := is.New(t)
	m := newResponseTable()
	others := strings.Repeat(uuid.NewString()+" ", 20)
	for i := range byte(200) {
		m.set(idempotency.Record{Claim: idempotency.Claim{ID: idempotency.ID{1, i}}, Response: idempotency.Response{Status: 200, Body: []byte(others)}})
	}
	person, claim := uuid.New(), idempotency.Claim{ID: idempotency.ID{2}}
	m.set(idempotency.Record{Claim: claim, Response: idempotency.Response{Status: 201, Location: "/v2/people/" + person.String(), Body: []byte(others)}})
	is.Equal(m.mentioning(person), []idempotency.Claim{claim})
	is.True(testing.AllocsPerRun(5, func() { m.mentioning(person) }) < 20)

	before := m.Copy()
	m.set(idempotency.Record{Claim: claim, Response: idempotency.Response{Status: idempotency.Erased}})
	is.Equal(len(m.mentioning(person)), 0)
	is.Equal(before.mentioning(person), []idempotency.Claim{claim})
	for i := range byte(200) {
		m.remove(idempotency.ID{1, i})
	}
	is.Equal(m.byMention.Len(), 0)
}
