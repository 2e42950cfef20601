package memory

import (
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/idempotency"
)

// The responses that mention a record must be found without visiting other responses. Responses
// that were replaced or removed must not be found.
func TestResponsesByMention(t *testing.T) {
	is := is.New(t)
	m := newResponseTable()
	for i := range byte(200) {
		m.set(idempotency.Record{Claim: idempotency.Claim{ID: idempotency.ID{1, i}}}, uuid.New(), uuid.New())
	}
	person, claim := uuid.New(), idempotency.Claim{ID: idempotency.ID{2}}
	m.set(idempotency.Record{Claim: claim}, uuid.New(), person)
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
