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
// transaction. Postgres serializes commits that include a NOTIFY with a server-wide lock, which a
// commit holds until it is flushed to disk. With NOTIFY in the same transaction and twelve
// connections, people were added at a quarter of the rate. The separate transaction writes nothing
// to disk. The notifier runs one NOTIFY at a time, and combines the calls that arrive in the
// meantime. If the process dies between the two transactions, no notification is sent. Workers also
// poll, so the job is only delayed.
type notifier struct {
	db      *DB
	mu      sync.Mutex
	pending map[job.Kind]struct{}
	running bool
	closed  bool
	work    sync.WaitGroup
}

// notifyTimeout is the maximum duration of one NOTIFY. DB.Close waits for at most two of them.
const notifyTimeout = 2 * time.Second

const notify = `SELECT pg_notify('` + channel + `', kind) FROM unnest($1::text[]) kind`

// notify schedules a NOTIFY for the kinds and does not wait for it.
func (n *notifier) notify(kinds ...job.Kind) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed || len(kinds) == 0 {
		return
	}
	if n.pending == nil {
		n.pending = map[job.Kind]struct{}{}
	}
	for _, k := range kinds {
		n.pending[k] = struct{}{}
		if n.db.listener.dsn == "" {
			n.db.listener.broadcast(k)
		}
	}
	if !n.running {
		n.running = true
		n.work.Go(n.run)
	}
}

func (n *notifier) run() {
	for kinds := n.next(); len(kinds) > 0; kinds = n.next() {
		ctx, cancel := context.WithTimeout(context.Background(), notifyTimeout)
		_, _ = n.db.pool.ExecContext(ctx, notify, pq.Array(kinds)) // errors are ignored: workers also poll
		cancel()
	}
}

// next removes and returns the pending kinds. If there are none, run must return.
func (n *notifier) next() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	var kinds []string
	for k := range n.pending {
		kinds = append(kinds, string(k))
	}
	clear(n.pending)
	n.running = len(kinds) > 0
	return kinds
}

// close waits until the NOTIFY of all pending kinds has run or failed. Later calls of notify do
// nothing.
func (n *notifier) close() {
	n.mu.Lock()
	n.closed = true
	n.mu.Unlock()
	n.work.Wait()
}
