package memory

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/ports"
)

// registry contains the schools and their keys. It is immutable once published.
type registry struct {
	tenants ordered.Dict[uuid.UUID, *tenant]
	owners  ordered.Dict[uuid.UUID, uuid.UUID]      // school by key id
	slugs   ordered.Dict[string, uuid.UUID]         // school by slug
	hashes  ordered.Dict[school.Hash, school.KeyID] // key id by hash
}

func newRegistry() *registry {
	return &registry{
		tenants: ordered.NewDict[uuid.UUID, *tenant](ordered.CompareIDs),
		owners:  ordered.NewDict[uuid.UUID, uuid.UUID](ordered.CompareIDs),
		slugs:   ordered.NewDict[string, uuid.UUID](strings.Compare),
		hashes:  ordered.NewDict[school.Hash, school.KeyID](func(a, b school.Hash) int { return bytes.Compare(a[:], b[:]) }),
	}
}

// changeRegistry applies fn to a copy of the registry and publishes the copy, unless fn fails.
func (s *store) changeRegistry(ctx context.Context, fn func(*registry) error) error {
	if err := ordered.CheckContext(ctx); err != nil {
		return err
	}
	s.registryMu.Lock()
	defer s.registryMu.Unlock()
	r := s.registry.Load()
	next := &registry{tenants: r.tenants.Copy(), owners: r.owners.Copy(), slugs: r.slugs.Copy(), hashes: r.hashes.Copy()}
	if err := fn(next); err != nil {
		return err
	}
	s.registry.Store(next)
	return nil
}

func (r *registry) addTenant(id school.ID, t *tenant) error {
	if _, ok := r.tenants.Get(id.UUID); ok {
		return fmt.Errorf("memory: the ID of the school %s is taken: %w", id, ports.ErrExists)
	}
	slug := t.state.Load().school.State().Slug
	if _, ok := r.slugs.Get(slug); ok {
		return fmt.Errorf("memory: the slug %q is taken: %w", slug, ports.ErrExists)
	}
	r.tenants.Set(id.UUID, t)
	r.slugs.Set(slug, id.UUID)
	return nil
}

// checkSlug returns Invalid on the field slug if another school has the slug of s.
func (r *registry) checkSlug(s school.State) error {
	if holder, ok := r.slugs.Get(s.Slug); ok && holder != s.ID.UUID {
		return fault.TakenValue("slug")
	}
	return nil
}

// setSlug replaces the slug of a school.
func (r *registry) setSlug(before, after school.State) error {
	if err := r.checkSlug(after); err != nil {
		return err
	}
	r.slugs.Remove(before.Slug)
	r.slugs.Set(after.Slug, after.ID.UUID)
	return nil
}

// addKeys adds the keys of a school. It returns an error if one of them exists.
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

// checkKey returns an error if the id or the hash of k is used, in any school.
func (r *registry) checkKey(k school.Key) error {
	_, sameID := r.owners.Get(k.ID.UUID)
	_, sameHash := r.hashes.Get(k.Hash)
	if sameID || sameHash {
		return errKeyExists(k)
	}
	return nil
}

// owner returns the school of the key with the given id, or NotFound if the key does not exist.
func (r *registry) owner(id school.KeyID) (school.ID, error) {
	owner, ok := r.owners.Get(id.UUID)
	if !ok {
		return school.ID{}, fault.RecordNotFound()
	}
	return school.ID{UUID: owner}, nil
}

// lockName locks the names of schools until the end of the transaction. It returns Invalid on the
// field name if another school has the same name as s.
func (w *tx) lockName(ctx context.Context, s school.State) error {
	if !w.namesLocked && w.newSchool == nil { // LoadNewSchool has locked the names
		if err := w.store.lockNames(ctx); err != nil {
			return err
		}
		w.namesLocked = true
	}
	for t := range w.store.registry.Load().tenants.From(0) {
		other := t.state.Load().school.State()
		if other.ID != s.ID && school.SameName(other.Name, s.Name) {
			return fault.TakenValue("name")
		}
	}
	return nil
}

// lockNames waits until no other caller holds the lock of the names of schools, and locks it.
func (s *store) lockNames(ctx context.Context) error {
	select {
	case s.namesLock <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ordered.CheckContext(ctx)
	}
}

func (s *store) unlockNames() { <-s.namesLock }
