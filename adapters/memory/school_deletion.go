package memory

import (
	"context"

	"lyceum/adapters/memory/ordered"
	"lyceum/domain/school"
)

// Delete implements ports.Schools. It ignores the limit and deletes the whole school, because other
// schools do not have to wait for that.
func (r schools) Delete(ctx context.Context, id school.ID, _ int) (gone bool, err error) {
	if err := ordered.CheckContext(ctx); err != nil {
		return false, err
	}
	t, err := r.store.tenant(id)
	if err != nil {
		return true, nil
	}
	if err := t.acquire(ctx); err != nil {
		return false, err
	}
	defer t.release()
	t.deleted = true
	err = r.store.changeRegistry(ctx, func(g *registry) error {
		g.tenants.Remove(id.UUID)
		g.slugs.Remove(t.state.Load().school.State().Slug)
		for _, k := range t.state.Load().allKeys() {
			g.owners.Remove(k.ID.UUID)
			g.hashes.Remove(k.Hash)
		}
		return nil
	})
	if err != nil {
		t.deleted = false
		return false, err
	}
	r.store.queue.RemoveSchool(id)
	return true, nil
}
