package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"lyceum/adapters/memory/ordered"
	"lyceum/adapters/memory/tables"
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

// List implements ports.KeyReader.
func (r keyReader) List(ctx context.Context, q query.Query) (query.Result[school.Key], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[school.Key]{}, err
	}
	return school.KeySchema.Evaluate(q, s.allKeys()), nil
}

// Get implements ports.KeyReader.
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

// GetAllForUpdate implements ports.KeyRepo.
func (r keys) GetAllForUpdate(ctx context.Context) ([]school.Key, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	return s.allKeys(), nil
}

// GetForShare implements ports.KeyRepo.
func (r keys) GetForShare(ctx context.Context, id school.KeyID) (school.Key, error) {
	return r.Get(ctx, id)
}

// Add implements ports.KeyRepo.
func (r keys) Add(ctx context.Context, k school.Key) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	if k.School != s.school.State().ID {
		return fmt.Errorf("memory: the key %s belongs to another school, %s", k.ID, k.School)
	}
	return r.tx.addKey(k)
}

// Save implements ports.KeyRepo.
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

// addKey inserts a key of the transaction's school. The registry gets the key when the transaction
// is published.
func (w *tx) addKey(k school.Key) error {
	if err := w.registry.checkKey(k); err != nil {
		return err
	}
	if slices.ContainsFunc(w.newKeys, func(a school.Key) bool { return a.ID == k.ID || a.Hash == k.Hash }) {
		return errKeyExists(k)
	}
	k = cloneKey(k)
	w.state.keys.writable(w.state.version).Set(k.ID.UUID, &k)
	w.newKeys = append(w.newKeys, k)
	return nil
}

func errKeyExists(k school.Key) error {
	return fmt.Errorf("memory: keys: duplicate ID or hash of %s", k.ID)
}

// allKeys returns copies of the school's keys, ordered by creation time, then by id.
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

// key returns a copy of the key with the given id, or NotFound if it does not exist.
func (s *state) key(id school.KeyID) (school.Key, error) {
	k, ok := s.keys.table.Get(id.UUID)
	if !ok {
		return school.Key{}, fault.RecordNotFound()
	}
	return cloneKey(*k), nil
}

// updateKey applies change to a copy of the key id and replaces the key with the copy. It returns
// NotFound if the key does not exist. The copy shares the times of the key: change may replace the
// pointers but must not write through them.
func (s *state) updateKey(id school.KeyID, change func(*school.Key)) error {
	old, ok := s.keys.table.Get(id.UUID)
	if !ok {
		return fault.RecordNotFound()
	}
	k := *old
	change(&k)
	s.keys.writable(s.version).Set(id.UUID, &k)
	return nil
}

func cloneKey(k school.Key) school.Key {
	k.LastUsed, k.ExpiresAt, k.RevokedAt = tables.ClonePointer(k.LastUsed), tables.ClonePointer(k.ExpiresAt), tables.ClonePointer(k.RevokedAt)
	return k
}
