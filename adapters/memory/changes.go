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

// changeFeed contains the changes of a school in order. Changes are immutable.
type changeFeed struct {
	rows     ordered.Index[*change.Change]
	start    int64 // position of the last deleted change
	position int64 // position of the last added change, even if it was deleted
}

func newChangeFeed() *changeFeed {
	return &changeFeed{rows: ordered.NewIndex(ordered.Order[*change.Change]{
		Compare: func(a, b *change.Change) int { return cmp.Compare(a.Position, b.Position) },
	})}
}

// Copy returns a feed with the same changes that can be changed independently.
func (f *changeFeed) Copy() *changeFeed { return &changeFeed{f.rows.Copy(), f.start, f.position} }

// add adds c at the end of the feed, and sets its position.
func (f *changeFeed) add(c change.Change) {
	f.position++
	c.Position = f.position
	f.rows.Set(&c)
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
	shown := func(c *change.Change) change.Change { return *c }
	l := ordered.Derived(change.Schema, rows, shown, rows.Whole().Ordered(), nil)
	return ordered.List[change.Change](ctx, l, q)
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

// DeleteExpiredChanges implements ports.Schools. It processes one school after another.
func (r schools) DeleteExpiredChanges(ctx context.Context, before time.Time, limit int) (int, error) {
	deleted := 0
	for t := range r.store.registry.Load().tenants.From(0) {
		if len(t.state.Load().changes.table.olderThan(before, limit-deleted)) == 0 {
			continue
		}
		err := r.store.inTenant(ctx, t, func(ctx context.Context, w *tx) error {
			s, err := w.current(ctx)
			if err != nil {
				return err
			}
			f := s.changes.writable(s.version)
			for _, c := range f.olderThan(before, limit-deleted) {
				f.rows.Remove(c)
				f.start = max(f.start, c.Position)
				deleted++
			}
			return nil
		})
		if err != nil {
			return deleted, err
		}
	}
	return deleted, ordered.CheckContext(ctx)
}

// olderThan returns the oldest changes, at most limit. It stops at the first change that is not
// older than before.
func (f *changeFeed) olderThan(before time.Time, limit int) (old []*change.Change) {
	for c := range f.rows.Whole().From(0) {
		if len(old) >= limit || !c.At.Before(before) {
			break
		}
		old = append(old, c)
	}
	return old
}
