package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"lyceum/adapters/memory/ordered"
	"lyceum/domain/fault"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/ports"
)

var (
	_ ports.KeyReader = keyReader{}
	_ ports.KeyRepo   = keys{}
)

type keyReader struct{ view view }

func (r keyReader) List(ctx context.Context, q query.Query) (query.Result[school.Key], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[school.Key]{}, err
	}
	return school.KeySchema.Evaluate(q, s.allKeys()), nil
}

func (r keyReader) Get(ctx context.Context, id school.KeyID) (school.Key, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return school.Key{}, err
	}
	return s.key(id)
}

type keys struct {
	keyReader
	tx *tx
}

func (r keys) All(ctx context.Context) ([]school.Key, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	return s.allKeys(), nil
}

func (r keys) Add(ctx context.Context, k school.Key) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	if k.School != s.school.State().ID {
		return fmt.Errorf("memory: the key %s is of another school, %s", k.ID, k.School)
	}
	return r.tx.addKey(k)
}

func (r keys) Save(ctx context.Context, k school.Key) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	k = cloneKey(k)
	return s.updateKey(k.ID, func(kept *school.Key) {
		kept.Name, kept.ExpiresAt, kept.RevokedAt = k.Name, k.ExpiresAt, k.RevokedAt
	})
}

// addKey keeps a new key of the school, which the registry hears of at the end.
func (w *tx) addKey(k school.Key) error {
	if err := w.registry.checkKey(k); err != nil {
		return err
	}
	if slices.ContainsFunc(w.added, func(a school.Key) bool { return a.ID == k.ID || a.Hash == k.Hash }) {
		return knownKey(k)
	}
	k = cloneKey(k)
	w.state.keys.own(w.state.version).Set(k.ID.UUID, &k)
	w.added = append(w.added, k)
	return nil
}

func knownKey(k school.Key) error {
	return fmt.Errorf("memory: keys already has %s or its hash", k.ID)
}

// allKeys returns copies of the school's keys, oldest first, then by id.
func (s *state) allKeys() []school.Key {
	var all []school.Key
	for k := range s.keys.table.From(0) {
		all = append(all, cloneKey(*k))
	}
	slices.SortFunc(all, func(a, b school.Key) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), ordered.CompareIDs(a.ID.UUID, b.ID.UUID))
	})
	return all
}

// key returns a copy of the key id, NotFound when there is none.
func (s *state) key(id school.KeyID) (school.Key, error) {
	k, ok := s.keys.table.Get(id.UUID)
	if !ok {
		return school.Key{}, fault.Missing()
	}
	return cloneKey(*k), nil
}

// updateKey replaces the key by what change makes of it, NotFound when there is
// none. The key's times are shared: change replaces the pointers only.
func (s *state) updateKey(id school.KeyID, change func(*school.Key)) error {
	old, ok := s.keys.table.Get(id.UUID)
	if !ok {
		return fault.Missing()
	}
	k := *old
	change(&k)
	s.keys.own(s.version).Set(id.UUID, &k)
	return nil
}

func cloneKey(k school.Key) school.Key {
	k.LastUsed, k.ExpiresAt, k.RevokedAt = clonePointer(k.LastUsed), clonePointer(k.ExpiresAt), clonePointer(k.RevokedAt)
	return k
}
