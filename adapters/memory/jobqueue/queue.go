package jobqueue

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

var _ ports.Queue = (*Queue)(nil)

// Queue contains the jobs of all schools. Jobs are immutable; a change replaces them.
type Queue struct {
	mu          sync.Mutex // guards the fields below
	jobs        map[job.ID]*job.Job
	due         ordered.Tree[*job.Job] // all jobs except dead ones, in the order of compareDue
	dead        ordered.Tree[*job.Job] // the dead jobs, in the order of compareDead
	subscribers map[chan struct{}]job.Kind
	lastServed  map[job.Kind]school.ID      // school of the last leased job, by kind
	leases      job.Leases                  // has its own lock
	about       map[Subject]map[job.ID]bool // ids of the jobs of each subject
}

// New returns an empty queue.
func New() *Queue {
	return &Queue{
		jobs: map[job.ID]*job.Job{}, due: ordered.NewTree(compareDue), dead: ordered.NewTree(compareDead),
		subscribers: map[chan struct{}]job.Kind{}, lastServed: map[job.Kind]school.ID{}, about: map[Subject]map[job.ID]bool{},
	}
}

// Subject identifies the jobs that ports.JobRepo.Delete deletes.
type Subject struct {
	School  school.ID
	Kind    job.Kind
	Payload string
}

// SubjectOf returns the subject of j.
func SubjectOf(j job.Job) Subject { return Subject{j.School, j.Kind, j.Payload} }

// compareDue orders jobs by kind, school and the time from which a job may run.
func compareDue(a, b *job.Job) int {
	return cmp.Or(
		strings.Compare(string(a.Kind), string(b.Kind)),
		ordered.CompareIDs(a.School.UUID, b.School.UUID),
		a.RunAt.Compare(b.RunAt),
		ordered.CompareIDs(a.ID.UUID, b.ID.UUID),
	)
}

// compareDead orders dead jobs by school, those that died last first.
func compareDead(a, b *job.Job) int {
	return cmp.Or(
		ordered.CompareIDs(a.School.UUID, b.School.UUID),
		b.UpdatedAt.Compare(a.UpdatedAt),
		ordered.CompareIDs(b.ID.UUID, a.ID.UUID),
	)
}

// endOfTime is later than any job.
var endOfTime = time.Unix(1<<40, 0)

// Changes are the changes of a transaction to the queue.
type Changes struct {
	Added   map[job.ID]job.Job
	Gone    map[Subject]bool     // whose existing jobs are removed
	Retried map[job.ID]time.Time // existing jobs that run again, and when
}

// Apply makes the changes c, and calls publish while the queue is locked, so that jobs become
// visible together with the transaction's state. If the id of an added job exists, or a job can no
// longer be retried, Apply changes nothing and returns an error.
func (q *Queue) Apply(c Changes, publish func()) error {
	if len(c.Added) == 0 && len(c.Gone) == 0 && len(c.Retried) == 0 {
		publish()
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for id := range c.Added {
		if _, ok := q.jobs[id]; ok {
			return fmt.Errorf("memory: jobs: duplicate ID %s", id)
		}
	}
	for id, now := range c.Retried {
		if kept, ok := q.jobs[id]; !ok || !CanRetry(*kept, now) {
			return fault.RecordNotFound()
		}
	}
	publish()
	for id, now := range c.Retried {
		q.retry(*q.jobs[id], now)
	}
	for m := range c.Gone {
		for id := range q.about[m] {
			q.remove(id)
		}
	}
	for _, j := range c.Added {
		q.put(j)
		q.broadcast(j.Kind)
	}
	return nil
}

// Get returns the job with the given id, and whether there is one.
func (q *Queue) Get(id job.ID) (job.Job, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if j, ok := q.jobs[id]; ok {
		return *j, true
	}
	return job.Job{}, false
}

// CanRetry reports whether no worker holds a lease of j at the time now.
func CanRetry(j job.Job, now time.Time) bool { return j.State != job.Leased || !j.RunAt.After(now) }

// Retried returns j as it is after a retry at the time now.
func Retried(j job.Job, now time.Time) job.Job {
	j.State, j.Attempts, j.RunAt, j.UpdatedAt = job.Waiting, 0, now, now
	return j
}

func (q *Queue) retry(j job.Job, now time.Time) {
	q.put(Retried(j, now))
	q.broadcast(j.Kind)
}

// put inserts j, or replaces the job with its id.
func (q *Queue) put(j job.Job) {
	q.remove(j.ID)
	q.jobs[j.ID] = &j
	m := SubjectOf(j)
	if q.about[m] == nil {
		q.about[m] = map[job.ID]bool{}
	}
	q.about[m][j.ID] = true
	q.tree(&j).Set(&j)
}

// tree returns the tree that contains j.
func (q *Queue) tree(j *job.Job) ordered.Tree[*job.Job] {
	if j.State == job.Dead {
		return q.dead
	}
	return q.due
}

func (q *Queue) remove(id job.ID) {
	if j, ok := q.jobs[id]; ok {
		q.tree(j).Delete(j)
		delete(q.jobs, id)
		m := SubjectOf(*j)
		if delete(q.about[m], id); len(q.about[m]) == 0 {
			delete(q.about, m)
		}
	}
}

// Lease implements ports.Queue.
func (q *Queue) Lease(ctx context.Context, kind job.Kind, n int, now, until time.Time) ([]job.Job, error) {
	if err := ordered.CheckContext(ctx); err != nil {
		return nil, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	var leased []job.Job
	for len(leased) < n {
		full := q.leases.Full(kind, now)
		j, ok := q.dueAfter(kind, q.lastServed[kind], now, full)
		if !ok { // after the last school, continue with the first
			j, ok = q.dueAfter(kind, school.ID{}, now, full)
		}
		if !ok {
			break
		}
		j.State, j.Attempts, j.RunAt, j.UpdatedAt = job.Leased, j.Attempts+1, until, now
		q.put(j)
		q.lastServed[kind] = j.School
		q.leases.Add(j)
		leased = append(leased, j)
	}
	return leased, nil
}

// LimitLeases implements ports.Queue.
func (q *Queue) LimitLeases(kind job.Kind, perSchool, shared int) {
	q.leases.Limit(kind, perSchool, shared)
}

// dueAfter returns the oldest due job of the kind from the next school: the first school after the
// given one, by id, that has a due job and is not in full. The second result reports whether there
// is such a job. dueAfter reads only one job of each school that it skips.
func (q *Queue) dueAfter(kind job.Kind, after school.ID, now time.Time, full []school.ID) (job.Job, bool) {
	for {
		var first *job.Job
		q.due.Ascend(&job.Job{Kind: kind, School: afterID(after)}, func(j *job.Job) bool {
			first = j
			return false
		})
		switch {
		case first == nil || first.Kind != kind || ordered.CompareIDs(first.School.UUID, after.UUID) <= 0:
			return job.Job{}, false
		case !first.RunAt.After(now) && !slices.Contains(full, first.School):
			return *first, true
		}
		after = first.School
	}
}

// afterID returns the next id in the order of ordered.CompareIDs.
func afterID(id school.ID) school.ID {
	for i := len(id.UUID) - 1; i >= 0; i-- {
		if id.UUID[i]++; id.UUID[i] != 0 {
			break
		}
	}
	return id
}

// Complete implements ports.Queue.
func (q *Queue) Complete(ctx context.Context, j job.Job) error {
	return q.withLeased(ctx, j, func(held job.Job) { q.remove(held.ID) })
}

// Reschedule implements ports.Queue.
func (q *Queue) Reschedule(ctx context.Context, j job.Job, until time.Time, cause string) error {
	return q.withLeased(ctx, j, func(held job.Job) {
		held.State, held.RunAt, held.LastError = job.Waiting, until, job.SanitizeError(cause)
		q.put(held)
	})
}

// Defer implements ports.Queue.
func (q *Queue) Defer(ctx context.Context, j job.Job, until time.Time, cause string) error {
	return q.withLeased(ctx, j, func(held job.Job) {
		held.State, held.RunAt, held.LastError, held.Attempts = job.Waiting, until, job.SanitizeError(cause), held.Attempts-1
		q.put(held)
	})
}

// MarkDead implements ports.Queue.
func (q *Queue) MarkDead(ctx context.Context, j job.Job, cause string) error {
	return q.withLeased(ctx, j, func(held job.Job) {
		held.State, held.LastError = job.Dead, job.SanitizeError(cause)
		q.put(held)
	})
}

// withLeased calls end with the stored job, or returns NotFound if j's lease was lost.
func (q *Queue) withLeased(ctx context.Context, j job.Job, end func(held job.Job)) error {
	if err := ordered.CheckContext(ctx); err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.leases.End(j) // even if the lease was lost
	held, ok := q.jobs[j.ID]
	if !ok || held.State != job.Leased || held.Attempts != j.Attempts || !held.RunAt.Equal(j.RunAt) {
		return fault.RecordNotFound()
	}
	end(*held)
	return nil
}

// ReleaseOwnLeases implements ports.Queue. It does nothing: jobs do not outlive the process, so
// there are no leases of an earlier process.
func (q *Queue) ReleaseOwnLeases(ctx context.Context, _ time.Time) (int, error) {
	return 0, ordered.CheckContext(ctx)
}

// List implements ports.Queue.
func (q *Queue) List(ctx context.Context, kind job.Kind, states ...job.State) ([]job.Job, error) {
	if err := ordered.CheckContext(ctx); err != nil {
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

// Dead implements ports.Queue.
func (q *Queue) Dead(ctx context.Context, of school.ID, kinds []job.Kind, limit int) ([]job.Job, error) {
	if err := ordered.CheckContext(ctx); err != nil {
		return nil, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	var found []job.Job
	q.dead.Ascend(&job.Job{School: of, UpdatedAt: endOfTime}, func(j *job.Job) bool {
		if j.School != of || len(found) >= limit {
			return false
		}
		if slices.Contains(kinds, j.Kind) {
			found = append(found, *j)
		}
		return true
	})
	return found, nil
}

// CountUnfinished implements ports.Queue.
func (q *Queue) CountUnfinished(ctx context.Context, of school.ID, kind job.Kind, limit int) (n int, err error) {
	if err := ordered.CheckContext(ctx); err != nil {
		return 0, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.due.Ascend(&job.Job{Kind: kind, School: of}, func(j *job.Job) bool {
		if j.Kind != kind || j.School != of || n >= limit {
			return false
		}
		n++
		return true
	})
	return n, nil
}

// Retry implements ports.Queue.
func (q *Queue) Retry(ctx context.Context, kind job.Kind, id job.ID, now time.Time) error {
	if err := ordered.CheckContext(ctx); err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	kept, ok := q.jobs[id]
	if !ok || kept.Kind != kind || !CanRetry(*kept, now) {
		return fault.RecordNotFound()
	}
	q.retry(*kept, now)
	return nil
}

// DeleteDead implements ports.Queue.
func (q *Queue) DeleteDead(ctx context.Context, kind job.Kind, before time.Time, limit int) (int, error) {
	if err := ordered.CheckContext(ctx); err != nil {
		return 0, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	deleted := 0
	for _, j := range q.dead.Items() {
		if deleted < limit && j.Kind == kind && !j.UpdatedAt.After(before) {
			q.remove(j.ID)
			deleted++
		}
	}
	return deleted, nil
}

// RemoveSchool removes the jobs of a school.
func (q *Queue) RemoveSchool(id school.ID) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, j := range q.jobs {
		if j.School == id {
			q.remove(j.ID)
		}
	}
}
