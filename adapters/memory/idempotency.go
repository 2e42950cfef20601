package memory

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/idempotency"
	"lyceum/domain/person"
	"lyceum/ports"
)

var _ ports.IdempotencyRepo = responses{}

// responseTable contains the claimed requests and their recorded responses, indexed by id, by age
// and by the ids that the responses mention.
type responseTable struct {
	byID      ordered.Dict[idempotency.ID, *response]
	byAge     ordered.Dict[byAgeKey, *response]
	byMention ordered.Tree[mention]
}

// response is a recorded response with the ids that it mentions. It is immutable; a change
// replaces it.
type response struct {
	idempotency.Record
	mentions []uuid.UUID
}

// A mention is an entry of responseTable.byMention.
type mention struct {
	of uuid.UUID      // ID of the mentioned record
	id idempotency.ID // ID of the response
}

// byAgeKey orders responses from the oldest to the newest.
type byAgeKey struct {
	at time.Time
	id idempotency.ID
}

func newResponseTable() responseTable {
	compareIDs := func(a, b idempotency.ID) int { return bytes.Compare(a[:], b[:]) }
	return responseTable{
		byID: ordered.NewDict[idempotency.ID, *response](compareIDs),
		byAge: ordered.NewDict[byAgeKey, *response](func(a, b byAgeKey) int {
			if c := a.at.Compare(b.at); c != 0 {
				return c
			}
			return compareIDs(a.id, b.id)
		}),
		byMention: ordered.NewTree(func(a, b mention) int {
			return cmp.Or(ordered.CompareIDs(a.of, b.of), compareIDs(a.id, b.id))
		}),
	}
}

// Copy returns a table with the same responses that can be changed independently.
func (m responseTable) Copy() responseTable {
	return responseTable{m.byID.Copy(), m.byAge.Copy(), m.byMention.Copy()}
}

// set inserts r, which mentions the given ids, or replaces the response with its id.
func (m responseTable) set(r idempotency.Record, mentions ...uuid.UUID) {
	m.remove(r.ID)
	r.Body = slices.Clone(r.Body)
	kept := &response{r, mentions}
	m.byID.Set(r.ID, kept)
	m.byAge.Set(byAgeKey{r.At, r.ID}, kept)
	for _, id := range kept.mentions {
		m.byMention.Set(mention{id, r.ID})
	}
}

func (m responseTable) remove(id idempotency.ID) {
	if old, ok := m.byID.Get(id); ok {
		m.byID.Remove(id)
		m.byAge.Remove(byAgeKey{old.At, id})
		for _, of := range old.mentions {
			m.byMention.Delete(mention{of, id})
		}
	}
}

// mentioning returns the claims of the responses that mention the record id.
func (m responseTable) mentioning(id uuid.UUID) []idempotency.Claim {
	var about []idempotency.Claim
	m.byMention.Ascend(mention{of: id}, func(at mention) bool {
		if at.of != id {
			return false
		}
		kept, _ := m.byID.Get(at.id)
		about = append(about, idempotency.Claim{ID: kept.ID, At: kept.At})
		return true
	})
	return about
}

type responses struct{ tx *tx }

// Claim implements ports.IdempotencyRepo.
func (r responses) Claim(ctx context.Context, c idempotency.Claim, expired time.Time) (idempotency.Record, bool, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return idempotency.Record{}, false, err
	}
	if kept, ok := s.responses.table.byID.Get(c.ID); ok && kept.Status != 0 && kept.At.After(expired) {
		found := kept.Record
		found.Body = slices.Clone(found.Body)
		return found, true, nil
	}
	s.responses.writable(s.version).set(idempotency.Record{Claim: c})
	r.tx.claimed[c.ID] = true
	return idempotency.Record{}, false, nil
}

// SaveResponse implements ports.IdempotencyRepo.
func (r responses) SaveResponse(ctx context.Context, id idempotency.ID, a idempotency.Response) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	claim, ok := s.responses.table.byID.Get(id)
	if !ok || !r.tx.claimed[id] {
		return fmt.Errorf("memory: the transaction has not claimed the request %x", id)
	}
	mentions := a.Mentions()
	for _, id := range slices.Clone(mentions) {
		if p, err := s.partnerships.table.Get(id); err == nil {
			mentions = append(mentions, p.Person.UUID)
		}
	}
	a.About = nil
	s.responses.writable(s.version).set(idempotency.Record{Claim: claim.Claim, Response: a}, mentions...)
	return nil
}

// EraseByPerson implements ports.IdempotencyRepo.
func (r responses) EraseByPerson(ctx context.Context, id person.ID, limit int) (int, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return 0, err
	}
	about := s.responses.table.mentioning(id.UUID)
	about = about[:min(limit, len(about))]
	for _, c := range about {
		s.responses.writable(s.version).set(idempotency.Record{Claim: c, Response: idempotency.Response{Status: idempotency.Erased}})
	}
	return len(about), nil
}

// DeleteExpiredResponses implements ports.Schools. It processes one school after another.
func (r schools) DeleteExpiredResponses(ctx context.Context, until time.Time, most int) (int, error) {
	swept := 0
	for t := range r.store.registry.Load().tenants.From(0) {
		if swept == most {
			break
		}
		if !t.state.Load().responses.table.hasExpired(until) {
			continue
		}
		err := r.store.inTenant(ctx, t, func(ctx context.Context, w *tx) error {
			n, err := responses{w}.DeleteExpired(ctx, until, most-swept)
			swept += n
			return err
		})
		if err != nil {
			return swept, err
		}
	}
	return swept, ordered.CheckContext(ctx)
}

// hasExpired reports whether a request was claimed at or before until.
func (m responseTable) hasExpired(until time.Time) bool {
	for r := range m.byAge.From(0) {
		return !r.At.After(until)
	}
	return false
}

// DeleteExpired implements ports.IdempotencyRepo.
func (r responses) DeleteExpired(ctx context.Context, until time.Time, most int) (int, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return 0, err
	}
	var old []idempotency.ID
	for kept := range s.responses.table.byAge.From(0) {
		if len(old) == most || kept.At.After(until) {
			break
		}
		old = append(old, kept.ID)
	}
	for _, id := range old {
		s.responses.writable(s.version).remove(id)
	}
	return len(old), nil
}
