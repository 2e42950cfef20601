package memory

import (
	"cmp"
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/change"
	"lyceum/domain/query"
	"lyceum/ports"
)

var _ ports.ChangeReader = changeReader{}

// changeFeed contains the changes of a school in order.
type changeFeed struct {
	rows     ordered.Index[*auditEvent]
	start    int64 // position of the last deleted change
	position int64 // position of the last added change, even if it was deleted
}

func newChangeFeed() *changeFeed {
	return &changeFeed{rows: ordered.NewIndex(ordered.Order[*auditEvent]{
		Compare: func(a, b *auditEvent) int { return cmp.Compare(a.position, b.position) },
	})}
}

// Copy returns a feed with the same changes that can be changed independently.
func (f *changeFeed) Copy() *changeFeed { return &changeFeed{f.rows.Copy(), f.start, f.position} }

// next returns the next position.
func (f *changeFeed) next() int64 {
	f.position++
	return f.position
}

// state returns the state of the feed. Changes are readable at once, because the transactions of a
// school run one after another.
func (f *changeFeed) state(store uuid.UUID) change.Feed {
	return change.Feed{Store: store, Start: f.start, End: f.position}
}

type changeReader struct {
	view  view
	store uuid.UUID
}

// Page implements ports.ChangeReader.
func (r changeReader) Page(ctx context.Context, q query.Query) (query.Result[change.Change], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[change.Change]{}, err
	}
	rows := s.changes.table.rows
	l := ordered.Derived(change.Schema, rows, (*auditEvent).change, rows.Whole().Ordered(), ordered.Finders{
		"uuid": func(_ query.Attr, v query.Value) (any, bool) { return rows.All.Get(&auditEvent{position: v.Int}) },
	})
	return ordered.List[change.Change](ctx, l.Narrowed(mayBeOfKind(change.Schema.Attributes(), q.Where, changeOfKind)), q)
}

// changeOfKind returns the entry of a change of a kind.
func changeOfKind(k eventKind) query.Entry {
	return change.Schema.LazyRecord(change.Change{Action: change.Action(k.action), Record: change.Record{Type: k.typ}}).Entry()
}

// Feed implements ports.ChangeReader.
func (r changeReader) Feed(ctx context.Context) (change.Feed, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return change.Feed{}, err
	}
	return s.changes.table.state(r.store), nil
}

// Changes implements ports.Snapshot.
func (s *snapshot) Changes(context.Context) (change.Feed, error) {
	return s.state.changes.table.state(s.store), nil
}

// ExpireChanges implements ports.Schools. It processes one school after another.
func (r schools) ExpireChanges(ctx context.Context, before time.Time) error {
	for t := range r.store.registry.Load().tenants.From(0) {
		if t.state.Load().changes.table.lastBefore(before) == 0 {
			continue
		}
		err := r.store.inTenant(ctx, t, func(ctx context.Context, w *tx) error {
			s, err := w.current(ctx)
			if err == nil {
				f := s.changes.writable(s.version)
				f.expire(f.lastBefore(before))
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return ordered.CheckContext(ctx)
}

// lastBefore returns the position of the last of the oldest changes; 0: none. They end at the first
// change that is not older than before.
func (f *changeFeed) lastBefore(before time.Time) (last int64) {
	for c := range f.rows.Whole().From(0) {
		if !c.cause.at.Before(before) {
			break
		}
		last = c.position
	}
	return last
}

// expire removes the changes up to a position.
func (f *changeFeed) expire(last int64) {
	for c := range f.rows.Copy().Whole().From(0) {
		if c.position > last {
			break
		}
		f.rows.Remove(c)
	}
	f.start = max(f.start, last)
}
