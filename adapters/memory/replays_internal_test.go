package memory

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/replay"
)

// The answers that mention a record are found without a look at the others, and an
// answer that is replaced or removed is not found any more.
func TestWhatAnswersMention(t *testing.T) {
	is := is.New(t)
	m := newRemembered()
	others := strings.Repeat(uuid.NewString()+" ", 20)
	for i := range byte(200) {
		m.set(replay.Record{Claim: replay.Claim{ID: replay.ID{1, i}}, Answer: replay.Answer{Status: 200, Body: []byte(others)}})
	}
	person, claim := uuid.New(), replay.Claim{ID: replay.ID{2}}
	m.set(replay.Record{Claim: claim, Answer: replay.Answer{Status: 201, Location: "/v2/people/" + person.String(), Body: []byte(others)}})
	is.Equal(m.about(person), []replay.Claim{claim})
	is.True(testing.AllocsPerRun(5, func() { m.about(person) }) < 20)

	before := m.Copy()
	m.set(replay.Record{Claim: claim, Answer: replay.Answer{Status: replay.Erased}})
	is.Equal(len(m.about(person)), 0)
	is.Equal(before.about(person), []replay.Claim{claim})
	for i := range byte(200) {
		m.remove(replay.ID{1, i})
	}
	is.Equal(m.byMention.Len(), 0)
}
