package memory

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/domain/text"
	"lyceum/ports"
)

var (
	_ ports.Schools      = schools{}
	_ ports.SchoolReader = schoolReader{}
)

type schoolReader struct{ view view }

func (r schoolReader) Get(ctx context.Context) (school.School, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return school.School{}, err
	}
	return s.school, nil
}

type schools struct{ store *Store }

func (r schools) Add(ctx context.Context, s school.School) error {
	return r.store.change(ctx, func(g *registry) error { return g.addSchool(s) })
}

func (r schools) List(ctx context.Context) ([]school.School, error) {
	if err := alive(ctx); err != nil {
		return nil, err
	}
	var all []school.School
	for t := range r.store.registry.Load().tenants.from(0) {
		all = append(all, t.state.Load().school)
	}
	slices.SortFunc(all, func(a, b school.School) int {
		return cmp.Or(
			strings.Compare(text.Fold(a.State().Name), text.Fold(b.State().Name)),
			compareIDs(a.State().ID.UUID, b.State().ID.UUID),
		)
	})
	return all, nil
}

func (r schools) Find(ctx context.Context, id school.ID) (school.School, error) {
	return schoolReader{committed{r.store, id}}.Get(ctx)
}

func (r schools) AddKey(ctx context.Context, k school.Key) error {
	return r.store.change(ctx, func(g *registry) error { return g.addKey(k) })
}

func (r schools) Keys(ctx context.Context, id school.ID) ([]school.Key, error) {
	if err := alive(ctx); err != nil {
		return nil, err
	}
	var keys []school.Key
	for k := range r.store.registry.Load().keys.from(0) {
		if k.School == id {
			keys = append(keys, cloneKey(*k))
		}
	}
	slices.SortStableFunc(keys, func(a, b school.Key) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return keys, nil
}

func (r schools) FindKey(ctx context.Context, h school.Hash) (school.Key, school.School, error) {
	if err := alive(ctx); err != nil {
		return school.Key{}, school.School{}, err
	}
	g := r.store.registry.Load()
	id, ok := g.hashes.get(h)
	if !ok {
		return school.Key{}, school.School{}, fault.Missing()
	}
	k, _ := g.keys.get(id)
	t, _ := g.tenants.get(k.School.UUID)
	return cloneKey(*k), t.state.Load().school, nil
}

func (r schools) RevokeKey(ctx context.Context, id school.KeyID, at time.Time) error {
	return r.store.change(ctx, func(g *registry) error {
		return g.updateKey(id, func(k *school.Key) { k.Revoke(at) })
	})
}

func (r schools) TouchKey(ctx context.Context, id school.KeyID, at time.Time) error {
	err := r.store.change(ctx, func(g *registry) error {
		return g.updateKey(id, func(k *school.Key) {
			if k.LastUsed == nil || k.LastUsed.Before(at) {
				k.LastUsed = &at
			}
		})
	})
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}
