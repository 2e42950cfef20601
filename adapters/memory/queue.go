package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"lyceum/adapters/memory/ordered"
	"lyceum/domain/fault"
	"lyceum/domain/job"
	"lyceum/domain/school"
	"lyceum/ports"
)

var _ ports.Queue = (*queue)(nil)

// queue is the jobs of all schools. Jobs are never changed, only replaced.
type queue struct {
	mu    sync.Mutex // guards what follows
	jobs  map[job.ID]*job.Job
	due   ordered.Tree[*job.Job] // those that are not dead, by compareDue
	bells map[chan struct{}]job.Kind
	turns map[job.Kind]school.ID // the school that was served last
}

func newQueue() *queue {
	return &queue{
		jobs: map[job.ID]*job.Job{}, due: ordered.NewTree(compareDue), bells: map[chan struct{}]job.Kind{},
		turns: map[job.Kind]school.ID{},
	}
}

// compareDue orders the jobs of a kind by school, and those of a school by when
// they may run.
func compareDue(a, b *job.Job) int {
	return cmp.Or(
		strings.Compare(string(a.Kind), string(b.Kind)),
		ordered.CompareIDs(a.School.UUID, b.School.UUID),
		a.RunAt.Compare(b.RunAt),
		ordered.CompareIDs(a.ID.UUID, b.ID.UUID),
	)
}

// add keeps new jobs, removes those about gone and calls publish, which publishes
// what was written along with them, while the queue is locked; an id that is
// there already is an error.
func (q *queue) add(jobs map[job.ID]job.Job, gone map[matter]bool, publish func()) error {
	if len(jobs) == 0 && len(gone) == 0 {
		publish()
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for id := range jobs {
		if _, ok := q.jobs[id]; ok {
			return fmt.Errorf("memory: jobs already has %s", id)
		}
	}
	publish()
	if len(gone) > 0 {
		for id, j := range q.jobs {
			if gone[matterOf(*j)] {
				q.remove(id)
			}
		}
	}
	for _, j := range jobs {
		q.put(j)
		q.ring(j.Kind)
	}
	return nil
}

// put keeps j in the place of the job that had its id.
func (q *queue) put(j job.Job) {
	q.remove(j.ID)
	q.jobs[j.ID] = &j
	if j.State != job.Dead {
		q.due.Set(&j)
	}
}

func (q *queue) remove(id job.ID) {
	if j, ok := q.jobs[id]; ok {
		q.due.Delete(j)
		delete(q.jobs, id)
	}
}

func (q *queue) Lease(ctx context.Context, kind job.Kind, n int, now, until time.Time) ([]job.Job, error) {
	if err := alive(ctx); err != nil {
		return nil, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	var leased []job.Job
	for len(leased) < n {
		j, ok := q.dueAfter(kind, q.turns[kind], now)
		if !ok { // the next round begins
			j, ok = q.dueAfter(kind, school.ID{}, now)
		}
		if !ok {
			break
		}
		j.State, j.Attempts, j.RunAt, j.UpdatedAt = job.Leased, j.Attempts+1, until, now
		q.put(j)
		q.turns[kind] = j.School
		leased = append(leased, j)
	}
	return leased, nil
}

// dueAfter returns the job that may run longest of the first school after a given
// one that has a due job of the kind. It visits one job of each school between.
func (q *queue) dueAfter(kind job.Kind, after school.ID, now time.Time) (job.Job, bool) {
	for {
		var first *job.Job
		q.due.Ascend(&job.Job{Kind: kind, School: afterID(after)}, func(j *job.Job) bool {
			first = j
			return false
		})
		switch {
		case first == nil || first.Kind != kind || ordered.CompareIDs(first.School.UUID, after.UUID) <= 0:
			return job.Job{}, false
		case !first.RunAt.After(now):
			return *first, true
		}
		after = first.School
	}
}

// afterID returns the ID that follows id in the order of compareIDs.
func afterID(id school.ID) school.ID {
	for i := len(id.UUID) - 1; i >= 0; i-- {
		if id.UUID[i]++; id.UUID[i] != 0 {
			break
		}
	}
	return id
}

func (q *queue) Finish(ctx context.Context, j job.Job) error {
	return q.settle(ctx, j, func(held job.Job) { q.remove(held.ID) })
}

func (q *queue) Postpone(ctx context.Context, j job.Job, until time.Time, cause string) error {
	return q.settle(ctx, j, func(held job.Job) {
		held.State, held.RunAt, held.LastError = job.Waiting, until, job.Cause(cause)
		q.put(held)
	})
}

// Hold implements ports.Queue.
func (q *queue) Hold(ctx context.Context, j job.Job, until time.Time, cause string) error {
	return q.settle(ctx, j, func(held job.Job) {
		held.State, held.RunAt, held.LastError, held.Attempts = job.Waiting, until, job.Cause(cause), held.Attempts-1
		q.put(held)
	})
}

func (q *queue) Bury(ctx context.Context, j job.Job, cause string) error {
	return q.settle(ctx, j, func(held job.Job) {
		held.State, held.LastError = job.Dead, job.Cause(cause)
		q.put(held)
	})
}

// settle calls end with the job j as it is kept, NotFound when it is not leased
// any more as it was when j was handed out.
func (q *queue) settle(ctx context.Context, j job.Job, end func(held job.Job)) error {
	if err := alive(ctx); err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	held, ok := q.jobs[j.ID]
	if !ok || held.State != job.Leased || held.Attempts != j.Attempts || !held.RunAt.Equal(j.RunAt) {
		return fault.Missing()
	}
	end(*held)
	return nil
}

// TakeBack implements ports.Queue: jobs end with the process, so no lease is of an
// earlier run.
func (q *queue) TakeBack(ctx context.Context, _ time.Time) (int, error) { return 0, alive(ctx) }

func (q *queue) List(ctx context.Context, kind job.Kind, states ...job.State) ([]job.Job, error) {
	if err := alive(ctx); err != nil {
		return nil, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	var found []job.Job
	for _, j := range q.jobs {
		if j.Kind == kind && (len(states) == 0 || slices.Contains(states, j.State)) {
			found = append(found, *j)
		}
	}
	slices.SortFunc(found, func(a, b job.Job) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), ordered.CompareIDs(a.ID.UUID, b.ID.UUID))
	})
	return found, nil
}

func (q *queue) Revive(ctx context.Context, kind job.Kind, id job.ID, now time.Time) error {
	if err := alive(ctx); err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	kept, ok := q.jobs[id]
	if !ok || kept.Kind != kind || kept.State == job.Leased && kept.RunAt.After(now) {
		return fault.Missing()
	}
	j := *kept
	j.State, j.Attempts, j.RunAt, j.UpdatedAt = job.Waiting, 0, now, now
	q.put(j)
	q.ring(j.Kind)
	return nil
}
