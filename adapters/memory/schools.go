package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"lyceum/adapters/memory/ordered"
	"lyceum/domain/fault"
	"lyceum/domain/property"
	"lyceum/domain/school"
	"lyceum/domain/text"
	"lyceum/ports"
)

var (
	_ ports.Schools      = schools{}
	_ ports.SchoolReader = schoolReader{}
	_ ports.SchoolRepo   = schoolRepo{}
)

type schoolReader struct{ view view }

// Get implements ports.SchoolReader.
func (r schoolReader) Get(ctx context.Context) (school.School, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return school.School{}, err
	}
	return s.school, nil
}

// Summary implements ports.SchoolReader.
func (r schoolReader) Summary(ctx context.Context) (school.Summary, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return school.Summary{}, err
	}
	return school.Summary{State: s.school.State(), Defined: s.definedNames(property.School)}, nil
}

// CountPeople implements ports.SchoolReader.
func (r schoolReader) CountPeople(ctx context.Context) (int64, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return 0, err
	}
	return int64(s.people.table.ByID.Len()), nil
}

// StoredBytes implements ports.SchoolReader.
func (r schoolReader) StoredBytes(ctx context.Context) (int64, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return 0, err
	}
	var bytes int64
	for kept := range s.submissions.table.ByID.From(0) {
		bytes += kept.File.Size
	}
	return bytes, nil
}

type schoolRepo struct {
	schoolReader
	tx *tx
}

// GetForUpdate implements ports.SchoolRepo.
func (r schoolRepo) GetForUpdate(ctx context.Context) (school.School, error) { return r.Get(ctx) }

// GetForShare implements ports.SchoolRepo.
func (r schoolRepo) GetForShare(ctx context.Context) (school.School, error) { return r.Get(ctx) }

// Save implements ports.SchoolRepo.
func (r schoolRepo) Save(ctx context.Context, changed school.School) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	if id := changed.State().ID; id != s.school.State().ID {
		return fmt.Errorf("memory: school %s is not the school of the transaction", id)
	}
	var errName error
	if changed.State().Name != s.school.State().Name {
		errName = r.tx.lockName(ctx, changed.State())
	}
	if err := fault.Join(errName, r.tx.store.registry.Load().checkSlug(changed.State())); err != nil {
		return err
	}
	s.school = changed
	return nil
}

type schools struct{ store *store }

// List implements ports.Schools.
func (r schools) List(ctx context.Context) ([]school.School, error) {
	if err := ordered.CheckContext(ctx); err != nil {
		return nil, err
	}
	var all []school.School
	for t := range r.store.registry.Load().tenants.From(0) {
		all = append(all, t.state.Load().school)
	}
	slices.SortFunc(all, func(a, b school.School) int {
		return cmp.Or(
			strings.Compare(text.Fold(a.State().Name), text.Fold(b.State().Name)),
			ordered.CompareIDs(a.State().ID.UUID, b.State().ID.UUID),
		)
	})
	return all, nil
}

// Get implements ports.Schools.
func (r schools) Get(ctx context.Context, id school.ID) (school.School, error) {
	return schoolReader{committed{r.store, id}}.Get(ctx)
}

// BySlug implements ports.Schools.
func (r schools) BySlug(ctx context.Context, slug string) (school.School, error) {
	id, ok := r.store.registry.Load().slugs.Get(slug)
	if !ok {
		return school.School{}, fault.RecordNotFound()
	}
	return r.Get(ctx, school.ID{UUID: id})
}

// Only implements ports.Schools.
func (r schools) Only(ctx context.Context) (school.School, error) {
	if err := ordered.CheckContext(ctx); err != nil {
		return school.School{}, err
	}
	var found []school.School
	for t := range r.store.registry.Load().tenants.From(0) {
		if found = append(found, t.state.Load().school); len(found) == 2 {
			break
		}
	}
	if len(found) != 1 {
		return school.School{}, fault.RecordNotFound()
	}
	return found[0], nil
}

// ListKeys implements ports.Schools.
func (r schools) ListKeys(ctx context.Context, id school.ID) ([]school.Key, error) {
	s, err := committed{r.store, id}.current(ctx)
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return s.allKeys(), nil
}

// KeyByHash implements ports.Schools.
func (r schools) KeyByHash(ctx context.Context, h school.Hash) (school.Key, school.School, error) {
	if err := ordered.CheckContext(ctx); err != nil {
		return school.Key{}, school.School{}, err
	}
	g := r.store.registry.Load()
	id, ok := g.hashes.Get(h)
	if !ok {
		return school.Key{}, school.School{}, fault.RecordNotFound()
	}
	owner, _ := g.owner(id)
	t, _ := g.tenants.Get(owner.UUID)
	s := t.state.Load()
	k, err := s.key(id)
	return k, s.school, err
}

// OwnerOfKey implements ports.Schools.
func (r schools) OwnerOfKey(ctx context.Context, id school.KeyID) (school.ID, error) {
	if err := ordered.CheckContext(ctx); err != nil {
		return school.ID{}, err
	}
	return r.store.registry.Load().owner(id)
}

// TouchKey implements ports.Schools. It does nothing while a transaction of the school runs.
func (r schools) TouchKey(ctx context.Context, id school.KeyID, at time.Time) error {
	if err := ordered.CheckContext(ctx); err != nil {
		return err
	}
	owner, err := r.store.registry.Load().owner(id)
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	t, err := r.store.tenant(owner)
	if err != nil || !t.tryAcquire() {
		return err
	}
	defer t.release()
	s := t.state.Load().next()
	if err := s.updateKey(id, func(k *school.Key) {
		if k.LastUsed == nil || k.LastUsed.Before(at) {
			k.LastUsed = &at
		}
	}); err != nil {
		return err
	}
	t.state.Store(s)
	return nil
}

// sweep removes at most limit records that find returns, from one school after another, and returns
// how many it removed. find returns at most n records. sweep starts no transaction in a school
// without such records.
func sweep[R any](
	ctx context.Context, r schools, limit int, find func(s *state, n int) []R, remove func(*state, R) error,
) (int, error) {
	removed := 0
	for t := range r.store.registry.Load().tenants.From(0) {
		if removed == limit || len(find(t.state.Load(), limit-removed)) == 0 {
			continue
		}
		err := r.store.inTenant(ctx, t, func(ctx context.Context, w *tx) error {
			s, err := w.current(ctx)
			if err != nil {
				return err
			}
			for _, old := range find(s, limit-removed) {
				if err := remove(s, old); err != nil {
					return err
				}
				removed++
			}
			return nil
		})
		if err != nil {
			return removed, err
		}
	}
	return removed, ordered.CheckContext(ctx)
}
