package memory

import (
	"context"

	"lyceum/domain/school"
)

// Delete implements ports.Schools. It ignores the limit and deletes the whole school, because other
// schools do not have to wait for that.
func (r schools) Delete(ctx context.Context, id school.ID, _ int) (gone bool, err error) {
	if err := checkContext(ctx); err != nil {
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
	r.store.queue.removeSchool(id)
	return true, nil
}

// removeSchool removes the jobs of a school.
func (q *queue) removeSchool(id school.ID) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, j := range q.jobs {
		if j.School == id {
			q.remove(j.ID)
		}
	}
}
