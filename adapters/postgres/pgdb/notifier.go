package pgdb

import (
	"context"
	"sync"
	"time"

	"github.com/lib/pq"
	"lyceum/domain/job"
)

// channel is where the database passes on that there are jobs; the payload is
// their kind.
const channel = "lyceum_jobs"

// notifier tells all instances that there are jobs.
//
// It does so after the transaction that added them, in one of its own, although
// NOTIFY could be part of it, sent by a trigger. But the commits of transactions
// that notify go through one lock of the whole database server, each holding it
// until its commit is on the disk: everybody who adds a person would queue there
// (on twelve connections, a quarter of the people in the same time).
// The herald has at most one NOTIFY under way, which writes nothing to the disk,
// and what comes meanwhile goes together in the next. Who dies between the two
// transactions has told nobody; workers look by themselves from time to time,
// and the job is as safe as ever.
type notifier struct {
	db      *DB
	mu      sync.Mutex
	untold  map[job.Kind]struct{}
	telling bool
	closed  bool
	work    sync.WaitGroup
}

// tellWithin is how long one NOTIFY may take, and so nearly how long Close waits.
const tellWithin = 2 * time.Second

const notify = `SELECT pg_notify('` + channel + `', kind) FROM unnest($1::text[]) kind`

// Notify has everybody told, soon, that there are jobs of the kinds.
func (h *notifier) Notify(kinds ...job.Kind) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || len(kinds) == 0 {
		return
	}
	if h.untold == nil {
		h.untold = map[job.Kind]struct{}{}
	}
	for _, k := range kinds {
		h.untold[k] = struct{}{}
		if h.db.Listener.dsn == "" {
			h.db.Listener.ring(k)
		}
	}
	if !h.telling {
		h.telling = true
		h.work.Go(h.run)
	}
}

func (h *notifier) run() {
	for kinds := h.next(); len(kinds) > 0; kinds = h.next() {
		ctx, cancel := context.WithTimeout(context.Background(), tellWithin)
		_, _ = h.db.Pool.ExecContext(ctx, notify, pq.Array(kinds)) // who is not told finds out
		cancel()
	}
}

// next returns the kinds to be told, none when the work is done.
func (h *notifier) next() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var kinds []string
	for k := range h.untold {
		kinds = append(kinds, string(k))
	}
	clear(h.untold)
	h.telling = len(kinds) > 0
	return kinds
}

// close returns when all that was told before has been passed on.
func (h *notifier) close() {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	h.work.Wait()
}
