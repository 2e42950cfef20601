package memory

import (
	"bytes"
	"context"
	"fmt"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/ports"
)

// registry is the schools at one moment, and which key opens which of them. A
// published registry never changes.
type registry struct {
	tenants ordered.Dict[uuid.UUID, *tenant]
	owners  ordered.Dict[uuid.UUID, uuid.UUID]      // of the keys, by the keys' ids
	hashes  ordered.Dict[school.Hash, school.KeyID] // of the keys, to their ids
}

func newRegistry() *registry {
	return &registry{
		tenants: ordered.NewDict[uuid.UUID, *tenant](ordered.CompareIDs),
		owners:  ordered.NewDict[uuid.UUID, uuid.UUID](ordered.CompareIDs),
		hashes:  ordered.NewDict[school.Hash, school.KeyID](func(a, b school.Hash) int { return bytes.Compare(a[:], b[:]) }),
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
	next := &registry{tenants: r.tenants.Copy(), owners: r.owners.Copy(), hashes: r.hashes.Copy()}
	if err := fn(next); err != nil {
		return err
	}
	s.registry.Store(next)
	return nil
}

func (r *registry) addSchool(s school.School) error {
	return r.addTenant(s.State().ID, newTenant(s))
}

func (r *registry) addTenant(id school.ID, t *tenant) error {
	if _, ok := r.tenants.Get(id.UUID); ok {
		return fmt.Errorf("memory: schools: %w: %s", ports.ErrKnown, id)
	}
	r.tenants.Set(id.UUID, t)
	return nil
}

// addKeys notes whose the keys are, unless one is known already.
func (r *registry) addKeys(ks []school.Key) error {
	for _, k := range ks {
		if err := r.checkKey(k); err != nil {
			return err
		}
		r.owners.Set(k.ID.UUID, k.School.UUID)
		r.hashes.Set(k.Hash, k.ID)
	}
	return nil
}

// checkKey refuses a key whose id or hash is there already, in whichever school.
func (r *registry) checkKey(k school.Key) error {
	_, sameID := r.owners.Get(k.ID.UUID)
	_, sameHash := r.hashes.Get(k.Hash)
	if sameID || sameHash {
		return knownKey(k)
	}
	return nil
}

// owner returns the school that the key id opens, NotFound when there is none.
func (r *registry) owner(id school.KeyID) (school.ID, error) {
	owner, ok := r.owners.Get(id.UUID)
	if !ok {
		return school.ID{}, fault.Missing()
	}
	return school.ID{UUID: owner}, nil
}
