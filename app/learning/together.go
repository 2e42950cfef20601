package learning

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"lyceum/domain/event"
	"lyceum/domain/school"
)

const (
	// patience is how long a request waits for what is being recorded. Then it is on
	// its own: perhaps the other waits for somebody who holds a course for minutes.
	patience = 100 * time.Millisecond
	// togetherTime is how long it may take to record what came together, for the
	// same reason; then each is on its own.
	togetherTime = time.Second
	// longestCommit bounds the commit where the request has no deadline.
	longestCommit = 30 * time.Second
)

// together records what comes while something is being recorded for the same
// school in one transaction, as soon as that has ended. Who appends to the feed
// holds its end until the commit is on the disk, so that one after the other they
// would be as many as the disk can sync; together they are as many as the database
// can add. A request that comes alone does not wait.
type together struct {
	mu sync.Mutex
	// waiting has the schools for which something is being recorded, with the
	// requests that came meanwhile.
	waiting map[school.ID][]*report
}

// report is a request that waits for the one before it.
type report struct {
	all    []Sighting
	turn   chan []*report // gets those, the report first, that it is to record together
	done   chan struct{}  // closed when the rest is known
	events []event.Event
	err    error
	alone  bool // something is wrong with one of those that came together
	taken  bool // it is one of those who have got their turn
	gone   bool // nobody waits for it any more
}

// recordFunc records sightings in a transaction: all or none. With an error,
// ended tells that all was written, so that nobody knows whether it is kept: the
// answer to the commit may have been lost.
type recordFunc func(ctx context.Context, all []Sighting) (events []event.Event, ended bool, err error)

// record records all by do, perhaps with what others report, and returns what do
// would have returned for all.
func (t *together) record(ctx context.Context, s school.ID, all []Sighting, do recordFunc) ([]event.Event, error) {
	r := &report{all: all, turn: make(chan []*report, 1), done: make(chan struct{}), alone: true}
	if t.first(s, r) {
		defer t.pass(s)
	} else {
		t.await(ctx, s, r, do)
	}
	switch {
	case !r.alone:
		return r.events, r.err
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	events, _, err := do(ctx, all)
	return events, err
}

// await waits until r is recorded with others, or is on its own.
func (t *together) await(ctx context.Context, s school.ID, r *report, do recordFunc) {
	patient, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	select {
	case <-r.done:
		return
	case group := <-r.turn:
		t.lead(ctx, s, group, do)
		return
	case <-patient.Done():
	}
	if t.leave(r) {
		return
	}
	select { // others do it already, or wait for it to do it
	case <-r.done:
	case group := <-r.turn:
		t.lead(ctx, s, group, do)
	}
}

// first tells whether r need not wait; otherwise it does from now on.
func (t *together) first(s school.ID, r *report) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.waiting == nil {
		t.waiting = map[school.ID][]*report{}
	}
	queue, busy := t.waiting[s]
	if !busy {
		t.waiting[s] = nil
		return true
	}
	t.waiting[s] = append(queue, r)
	return false
}

// leave tells whether r may go: what has got its turn is recorded.
func (t *together) leave(r *report) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	r.gone = !r.taken
	return r.gone
}

// pass gives the turn to those who wait, as many as one transaction may record;
// when nobody does, the school is free.
func (t *together) pass(s school.ID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	queue := slices.DeleteFunc(t.waiting[s], func(r *report) bool { return r.gone })
	if len(queue) == 0 {
		delete(t.waiting, s)
		return
	}
	n, rows := 0, 0
	for n < len(queue) && (n == 0 || rows+len(queue[n].all) <= MaxSightings) {
		queue[n].taken = true
		rows += len(queue[n].all)
		n++
	}
	t.waiting[s] = queue[n:]
	queue[0].turn <- queue[:n:n]
}

// lead records what several requests report, whatever becomes of the one whose
// turn it is. When nothing of it is kept, each is on its own: what is wrong with
// one is no affair of the others. When nobody knows, all are told so.
func (t *together) lead(ctx context.Context, s school.ID, group []*report, do recordFunc) {
	var events []event.Event
	ended, err := false, errAlone
	defer t.pass(s)
	defer func() {
		failed := recover() != nil || err != nil // who is alone panics once more, where it is seen
		for _, r := range group {
			switch {
			case !failed:
				r.events, events = events[:len(r.all):len(r.all)], events[len(r.all):]
				r.alone = false
			case ended:
				r.err, r.alone = err, false
			}
			close(r.done)
		}
	}()
	var all []Sighting
	for _, r := range group {
		all = append(all, r.all...)
	}
	limited, cancel := limitWork(ctx, togetherTime)
	defer cancel()
	events, ended, err = do(limited, all)
	if errors.Is(err, context.Canceled) {
		err = context.DeadlineExceeded // no client of the group has gone
	}
}

// limitWork returns a context for what must not end with ctx. It is canceled after
// limit, but has the deadline of ctx, which bounds the commit: once that has begun,
// its outcome is awaited as for a request alone.
func limitWork(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	work, cancel := context.WithTimeout(context.WithoutCancel(ctx), longestCommit)
	if deadline, ok := ctx.Deadline(); ok {
		cancel()
		work, cancel = context.WithDeadline(context.WithoutCancel(ctx), deadline)
	}
	timed, stop := context.WithTimeout(context.WithoutCancel(ctx), limit)
	context.AfterFunc(timed, cancel)
	return work, func() { stop(); cancel() }
}

// errAlone stands until the group is recorded.
var errAlone = errors.New("app: each on its own")
