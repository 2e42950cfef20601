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
	// maxBatchWait is the maximum time that a request waits for the preceding transaction, which
	// may itself wait for minutes for the lock on a course. After that the request is recorded in a
	// transaction of its own.
	maxBatchWait = 100 * time.Millisecond
	// batchTxTimeout limits a batched transaction. A batch that takes longer is split into single
	// requests.
	batchTxTimeout = time.Second
	// maxCommitTime limits the commit of a request without a deadline.
	maxCommitTime = 30 * time.Second
)

// An eventBatcher records event reports in batches. While a transaction appends events of a school,
// it collects the reports that arrive for the school and records them in one following transaction:
// an append locks the end of the feed until its commit is on disk, so without batches the rate of
// disk syncs would limit the number of reports. A single request does not wait. An eventBatcher is
// safe for concurrent use.
type eventBatcher struct {
	mu sync.Mutex
	// waiting maps each school for which a request is recording to the requests that wait for it.
	waiting map[school.ID][]*pendingBatch
}

// pendingBatch contains the reports of one waiting request.
type pendingBatch struct {
	all []EventReport
	// lead receives the batch that this request must record, with the request itself first.
	lead     chan []*pendingBatch
	done     chan struct{} // closed when the fields below are set
	events   []event.Event
	err      error
	fallback bool // another request of the batch failed; this request must be recorded by itself
	inBatch  bool // whether the request is part of a batch and can no longer be canceled
	canceled bool // the request has stopped waiting
}

// recordFunc records reports in one transaction. If it returns an error, ended reports whether the
// outcome is unknown: all statements ran, but the response to the commit may have been lost.
type recordFunc func(ctx context.Context, all []EventReport) (events []event.Event, ended bool, err error)

// record calls do for reports, possibly in one batch with concurrent calls for the same school. The
// result is as if do had been called with these reports alone.
func (t *eventBatcher) record(ctx context.Context, s school.ID, all []EventReport, do recordFunc) ([]event.Event, error) {
	r := &pendingBatch{all: all, lead: make(chan []*pendingBatch, 1), done: make(chan struct{}), fallback: true}
	if t.enqueueOrLead(s, r) {
		defer t.handOver(s)
	} else {
		t.await(ctx, s, r, do)
	}
	switch {
	case !r.fallback:
		return r.events, r.err
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	events, _, err := do(ctx, all)
	return events, err
}

// await waits until r is recorded in a batch, or must be recorded by itself.
func (t *eventBatcher) await(ctx context.Context, s school.ID, r *pendingBatch, do recordFunc) {
	patient, cancel := context.WithTimeout(ctx, maxBatchWait)
	defer cancel()
	select {
	case <-r.done:
		return
	case group := <-r.lead:
		t.recordBatch(ctx, s, group, do)
		return
	case <-patient.Done():
	}
	if t.tryCancel(r) {
		return
	}
	select { // r has become part of a batch
	case <-r.done:
	case group := <-r.lead:
		t.recordBatch(ctx, s, group, do)
	}
}

// enqueueOrLead reports whether r can be recorded immediately. If not, it enqueues r.
func (t *eventBatcher) enqueueOrLead(s school.ID, r *pendingBatch) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.waiting == nil {
		t.waiting = map[school.ID][]*pendingBatch{}
	}
	queue, busy := t.waiting[s]
	if !busy {
		t.waiting[s] = nil
		return true
	}
	t.waiting[s] = append(queue, r)
	return false
}

// tryCancel removes r from the queue. It reports false if r is already part of a batch.
func (t *eventBatcher) tryCancel(r *pendingBatch) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	r.canceled = !r.inBatch
	return r.canceled
}

// handOver makes a batch of the next waiting requests and sends it to the first of them, which
// records the batch. A batch has at most MaxEventReports reports. If no request waits, handOver
// removes the school from waiting.
func (t *eventBatcher) handOver(s school.ID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	queue := slices.DeleteFunc(t.waiting[s], func(r *pendingBatch) bool { return r.canceled })
	if len(queue) == 0 {
		delete(t.waiting, s)
		return
	}
	n, rows := 0, 0
	for n < len(queue) && (n == 0 || rows+len(queue[n].all) <= MaxEventReports) {
		queue[n].inBatch = true
		rows += len(queue[n].all)
		n++
	}
	t.waiting[s] = queue[n:]
	queue[0].lead <- queue[:n:n]
}

// recordBatch records the reports of a batch, even if the context of its leader ends. If nothing
// was saved, each request is recorded by itself, so that a fault in one request does not affect the
// other requests. If the outcome is unknown, all requests get the error.
func (t *eventBatcher) recordBatch(ctx context.Context, s school.ID, group []*pendingBatch, do recordFunc) {
	var events []event.Event
	ended, err := false, errBatchDropped
	defer t.handOver(s)
	defer func() {
		// After a panic each request is recorded by itself, so that only the request that caused
		// the panic panics again.
		failed := recover() != nil || err != nil
		for _, r := range group {
			switch {
			case !failed:
				r.events, events = events[:len(r.all):len(r.all)], events[len(r.all):]
				r.fallback = false
			case ended:
				r.err, r.fallback = err, false
			}
			close(r.done)
		}
	}()
	var all []EventReport
	for _, r := range group {
		all = append(all, r.all...)
	}
	limited, cancel := batchContext(ctx, batchTxTimeout)
	defer cancel()
	events, ended, err = do(limited, all)
	if errors.Is(err, context.Canceled) {
		err = context.DeadlineExceeded // the batch was canceled, not the client's request
	}
}

// batchContext returns a context that is canceled after limit, but not when ctx is canceled. Its
// deadline is the deadline of ctx, or maxCommitTime from now if ctx has no deadline. The deadline
// limits a commit that has begun, because a commit ignores only the cancellation.
func batchContext(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	work, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxCommitTime)
	if deadline, ok := ctx.Deadline(); ok {
		cancel()
		work, cancel = context.WithDeadline(context.WithoutCancel(ctx), deadline)
	}
	timed, stop := context.WithTimeout(context.WithoutCancel(ctx), limit)
	context.AfterFunc(timed, cancel)
	return work, func() { stop(); cancel() }
}

// errBatchDropped means that recording the batch panicked.
var errBatchDropped = errors.New("app: the batch was dropped")
