package pgdb

import (
	"context"
	"sync"
	"time"

	"github.com/lib/pq"
	"lyceum/domain/job"
)

// channel is the channel of notifications about jobs; the payload is the kind.
const channel = "lyceum_jobs"

// A notifier notifies all servers that there are jobs.
//
// It runs NOTIFY after the commit of the transaction that added the jobs, in a separate
// transaction. Commits that include a NOTIFY are serialized by one lock of the whole database
// server, held until the commit is on disk: with twelve connections, people were added at a quarter
// of the rate. The notifier runs one NOTIFY at a time, which writes nothing to disk, and combines
// the requests that arrive in the meantime. If the process dies between the two transactions, no
// notification is sent. Workers also poll, so the job is only delayed.
type notifier struct {
	db      *DB
	mu      sync.Mutex
	pending map[job.Kind]struct{}
	running bool
	closed  bool
	work    sync.WaitGroup
}

// notifyTimeout is the maximum duration of one NOTIFY. Close takes little longer.
const notifyTimeout = 2 * time.Second

const notify = `SELECT pg_notify('` + channel + `', kind) FROM unnest($1::text[]) kind`

// notify schedules a NOTIFY for the kinds and does not wait for it.
func (h *notifier) notify(kinds ...job.Kind) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || len(kinds) == 0 {
		return
	}
	if h.pending == nil {
		h.pending = map[job.Kind]struct{}{}
	}
	for _, k := range kinds {
		h.pending[k] = struct{}{}
		if h.db.listener.dsn == "" {
			h.db.listener.broadcast(k)
		}
	}
	if !h.running {
		h.running = true
		h.work.Go(h.run)
	}
}

func (h *notifier) run() {
	for kinds := h.next(); len(kinds) > 0; kinds = h.next() {
		ctx, cancel := context.WithTimeout(context.Background(), notifyTimeout)
		_, _ = h.db.pool.ExecContext(ctx, notify, pq.Array(kinds)) // errors are ignored: workers also poll
		cancel()
	}
}

// next returns the pending kinds, none if the notifier can stop.
func (h *notifier) next() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var kinds []string
	for k := range h.pending {
		kinds = append(kinds, string(k))
	}
	clear(h.pending)
	h.running = len(kinds) > 0
	return kinds
}

// close returns after all pending kinds have been notified.
func (h *notifier) close() {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	h.work.Wait()
}
