package jobqueue

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"lyceum/adapters/memory/ordered"
	"lyceum/domain/job"
	"lyceum/ports"
)

// Backlog implements ports.Queue.
func (q *Queue) Backlog(ctx context.Context) ([]ports.Backlog, error) {
	if err := ordered.CheckContext(ctx); err != nil {
		return nil, err
	}
	type heap struct {
		kind  job.Kind
		state job.State
	}
	counted := map[heap]ports.Backlog{}
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, j := range q.jobs {
		h := heap{j.Kind, j.State}
		b, known := counted[h]
		if !known || j.RunAt.Before(b.RunAt) {
			b.RunAt = j.RunAt
		}
		b.Kind, b.State = j.Kind, j.State
		b.Jobs++
		counted[h] = b
	}
	return slices.SortedFunc(maps.Values(counted), func(a, b ports.Backlog) int {
		return cmp.Or(
			strings.Compare(string(a.Kind), string(b.Kind)), strings.Compare(a.State.String(), b.State.String()),
		)
	}), nil
}
