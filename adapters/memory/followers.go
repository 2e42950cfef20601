package memory

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"lyceum/adapters/memory/ordered"
	"lyceum/domain/change"
	"lyceum/ports"
)

var _ ports.FollowerRepo = followers{}

type followers struct{ tx *tx }

// Add implements ports.FollowerRepo.
func (r followers) Add(ctx context.Context, f change.Follower) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	f.School = s.school.State().ID
	s.followers.writable(s.version).Set(f.Name, f)
	return nil
}

// AddIfAbsent implements ports.FollowerRepo.
func (r followers) AddIfAbsent(ctx context.Context, f change.Follower) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	if _, ok := s.followers.table.Get(f.Name); ok {
		return nil
	}
	return r.Add(ctx, f)
}

// Extend implements ports.FollowerRepo.
func (r followers) Extend(ctx context.Context, names []string, until int64) (extended []string, err error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if f, ok := s.followers.table.Get(name); ok {
			f.Until = until
			s.followers.writable(s.version).Set(name, f)
			extended = append(extended, name)
		}
	}
	return extended, nil
}

// Move implements ports.FollowerRepo.
func (r followers) Move(ctx context.Context, f change.Follower, to int64) (bool, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return false, err
	}
	kept, ok := s.followers.table.Get(f.Name)
	if !ok || kept.Position != f.Position || kept.Until != f.Until {
		return false, nil
	}
	kept.Position = to
	s.followers.writable(s.version).Set(f.Name, kept)
	return true, nil
}

// Delete implements ports.FollowerRepo.
func (r followers) Delete(ctx context.Context, name string) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	s.followers.writable(s.version).Remove(name)
	return nil
}

// FollowersBehind implements ports.Schools.
func (r schools) FollowersBehind(ctx context.Context, names, everywhere []string) ([]change.Follower, error) {
	var due []change.Follower
	for t := range r.store.registry.Load().tenants.From(0) {
		s := t.state.Load()
		last := s.changes.table.last()
		for f := range s.followers.table.From(0) {
			known := slices.Contains(names, f.Name) || slices.Contains(everywhere, f.Name)
			if f.Until > 0 || known && f.Position < last {
				due = append(due, f)
			}
		}
		for _, name := range everywhere {
			if _, ok := s.followers.table.Get(name); !ok {
				due = append(due, change.Follower{School: s.school.State().ID, Name: name, Position: change.New})
			}
		}
	}
	slices.SortFunc(due, func(a, b change.Follower) int {
		return cmp.Or(ordered.CompareIDs(a.School.UUID, b.School.UUID), strings.Compare(a.Name, b.Name))
	})
	return due, ordered.CheckContext(ctx)
}

// last returns the position of the last change; 0: none.
func (f *changeFeed) last() int64 {
	for c := range f.rows.Whole().From(max(0, f.rows.All.Len()-1)) {
		return c.position
	}
	return 0
}
