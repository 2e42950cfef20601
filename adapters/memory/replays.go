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
	"lyceum/domain/person"
	"lyceum/domain/replay"
	"lyceum/ports"
)

var _ ports.ReplayRepo = replays{}

// remembered is the requests that were carried out, and how they were answered.
// Records are replaced, never changed.
type remembered struct {
	byID      ordered.Dict[replay.ID, *remembrance]
	byAge     ordered.Dict[aged, *remembrance]
	byMention ordered.Tree[mention]
}

// remembrance is a record with the ids that its answer mentions, which are looked for
// once.
type remembrance struct {
	replay.Record
	mentions []uuid.UUID
}

// mention is a place among the records by what they mention.
type mention struct {
	of uuid.UUID
	id replay.ID
}

// aged is a place among the records, the oldest first.
type aged struct {
	at time.Time
	id replay.ID
}

func newRemembered() remembered {
	compareIDs := func(a, b replay.ID) int { return bytes.Compare(a[:], b[:]) }
	return remembered{
		byID: ordered.NewDict[replay.ID, *remembrance](compareIDs),
		byAge: ordered.NewDict[aged, *remembrance](func(a, b aged) int {
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

// Copy returns the same records, which change on their own.
func (m remembered) Copy() remembered {
	return remembered{m.byID.Copy(), m.byAge.Copy(), m.byMention.Copy()}
}

// set keeps r in the place of what was under its id.
func (m remembered) set(r replay.Record) {
	m.remove(r.ID)
	r.Body = slices.Clone(r.Body)
	kept := &remembrance{r, r.Mentions()}
	m.byID.Set(r.ID, kept)
	m.byAge.Set(aged{r.At, r.ID}, kept)
	for _, id := range kept.mentions {
		m.byMention.Set(mention{id, r.ID})
	}
}

func (m remembered) remove(id replay.ID) {
	if old, ok := m.byID.Get(id); ok {
		m.byID.Remove(id)
		m.byAge.Remove(aged{old.At, id})
		for _, of := range old.mentions {
			m.byMention.Delete(mention{of, id})
		}
	}
}

// about returns the records whose answers mention id.
func (m remembered) about(id uuid.UUID) []replay.Claim {
	var about []replay.Claim
	m.byMention.Ascend(mention{of: id}, func(at mention) bool {
		if at.of != id {
			return false
		}
		kept, _ := m.byID.Get(at.id)
		about = append(about, replay.Claim{ID: kept.ID, At: kept.At})
		return true
	})
	return about
}

type replays struct{ tx *tx }

func (r replays) Claim(ctx context.Context, c replay.Claim) (replay.Record, bool, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return replay.Record{}, false, err
	}
	if kept, ok := s.replays.table.byID.Get(c.ID); ok && kept.Status != 0 && kept.At.After(c.Expired()) {
		found := kept.Record
		found.Body = slices.Clone(found.Body)
		return found, true, nil
	}
	s.replays.own(s.version).set(replay.Record{Claim: c})
	r.tx.claimed[c.ID] = true
	return replay.Record{}, false, nil
}

func (r replays) Keep(ctx context.Context, id replay.ID, a replay.Answer) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	claim, ok := s.replays.table.byID.Get(id)
	if !ok || !r.tx.claimed[id] {
		return fmt.Errorf("memory: the transaction has not taken the request %x", id)
	}
	s.replays.own(s.version).set(replay.Record{Claim: claim.Claim, Answer: a})
	return nil
}

func (r replays) EraseOfPerson(ctx context.Context, id person.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	for _, c := range s.replays.table.about(id.UUID) {
		s.replays.own(s.version).set(replay.Record{Claim: c, Answer: replay.Answer{Status: replay.Erased}})
	}
	return nil
}

// SweepReplays takes the schools one after the other.
func (r schools) SweepReplays(ctx context.Context, until time.Time, most int) (int, error) {
	swept := 0
	for t := range r.store.registry.Load().tenants.From(0) {
		if swept == most {
			break
		}
		if !t.state.Load().replays.table.oldest(until) {
			continue
		}
		err := r.store.inTenant(ctx, t, func(ctx context.Context, w *tx) error {
			n, err := replays{w}.Forget(ctx, until, most-swept)
			swept += n
			return err
		})
		if err != nil {
			return swept, err
		}
	}
	return swept, alive(ctx)
}

// oldest reports whether a record was taken at that time or before.
func (m remembered) oldest(until time.Time) bool {
	for r := range m.byAge.From(0) {
		return !r.At.After(until)
	}
	return false
}

func (r replays) Forget(ctx context.Context, until time.Time, most int) (int, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return 0, err
	}
	var old []replay.ID
	for kept := range s.replays.table.byAge.From(0) {
		if len(old) == most || kept.At.After(until) {
			break
		}
		old = append(old, kept.ID)
	}
	for _, id := range old {
		s.replays.own(s.version).remove(id)
	}
	return len(old), nil
}
