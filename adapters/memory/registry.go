package memory

import (
	"bytes"
	"context"
	"fmt"

	"github.com/google/uuid"
	"lyceum/domain/fault"
	"lyceum/domain/school"
)

// registry is the schools and the keys that open them at one moment. A
// published registry never changes.
type registry struct {
	tenants dict[uuid.UUID, *tenant]
	keys    dict[uuid.UUID, *school.Key] // keys are replaced, never changed
	hashes  dict[school.Hash, uuid.UUID] // of the keys, to their ids
}

func newRegistry() *registry {
	return &registry{
		tenants: newDict[uuid.UUID, *tenant](compareIDs),
		keys:    newDict[uuid.UUID, *school.Key](compareIDs),
		hashes:  newDict[school.Hash, uuid.UUID](func(a, b school.Hash) int { return bytes.Compare(a[:], b[:]) }),
	}
}

// change publishes the registry's successor, which fn makes out of a copy,
// unless fn returns an error.
func (s *Store) change(ctx context.Context, fn func(*registry) error) error {
	if err := alive(ctx); err != nil {
		return err
	}
	s.changing.Lock()
	defer s.changing.Unlock()
	r := s.registry.Load()
	next := &registry{tenants: r.tenants.Copy(), keys: r.keys.Copy(), hashes: r.hashes.Copy()}
	if err := fn(next); err != nil {
		return err
	}
	s.registry.Store(next)
	return nil
}

func (r *registry) addSchool(s school.School) error {
	id := s.State().ID.UUID
	if _, ok := r.tenants.get(id); ok {
		return fmt.Errorf("memory: schools already has %s", id)
	}
	r.tenants.set(id, newTenant(s))
	return nil
}

func (r *registry) addKey(k school.Key) error {
	if _, ok := r.tenants.get(k.School.UUID); !ok {
		return fault.Missing()
	}
	_, sameID := r.keys.get(k.ID.UUID)
	_, sameHash := r.hashes.get(k.Hash)
	if sameID || sameHash {
		return fmt.Errorf("memory: keys already has %s or its hash", k.ID)
	}
	k = cloneKey(k)
	r.keys.set(k.ID.UUID, &k)
	r.hashes.set(k.Hash, k.ID.UUID)
	return nil
}

// updateKey replaces the key by what change makes of it, NotFound when there is
// none. The key's times are shared: change replaces the pointers only.
func (r *registry) updateKey(id school.KeyID, change func(*school.Key)) error {
	old, ok := r.keys.get(id.UUID)
	if !ok {
		return fault.Missing()
	}
	k := *old
	change(&k)
	r.keys.set(id.UUID, &k)
	return nil
}

func cloneKey(k school.Key) school.Key {
	k.LastUsed, k.RevokedAt = clonePointer(k.LastUsed), clonePointer(k.RevokedAt)
	return k
}
