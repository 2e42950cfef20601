package cluster_test

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"lyceum/test/e2e/faults"
)

// watch observes the database and the servers during a fault.
type watch struct {
	mu       sync.Mutex
	promoted []time.Time   // when HAProxy led to a primary
	database []time.Time   // ends of successful writes to the database
	writes   [][]time.Time // ends of acknowledged writes, by server
	samples  [][]sample    // by server
}

// sample is what a server reports about itself.
type sample struct {
	began, ended  time.Time
	ready, metric bool
	reason        string
}

// newWatch observes the database and the servers until the context ends. key is an API key.
func newWatch(ctx context.Context, t *testing.T, r *faults.Rounds, key string) *watch {
	t.Helper()
	w := &watch{writes: make([][]time.Time, 2), samples: make([][]sample, 2)}
	every(ctx, 200*time.Millisecond, func() {
		w.probe(ctx)
	})
	for i, url := range r.Servers() {
		n := 0
		every(ctx, 500*time.Millisecond, func() {
			var name string
			w.record(func() { n++; name = fmt.Sprintf("Probe %d of server %d at %s", n, i, time.Now()) })
			body := fmt.Sprintf(`{"data":{"type":"categories","attributes":{"name":%q}}}`, name)
			if status, _ := send(ctx, http.MethodPost, url+"/v2/categories", key, body); status == http.StatusCreated {
				w.record(func() { w.writes[i] = append(w.writes[i], time.Now()) })
			}
		})
		metrics := r.Metrics()[i]
		every(ctx, 250*time.Millisecond, func() {
			s := sample{began: time.Now()}
			status, text := send(ctx, http.MethodGet, url+"/readyz", "", "")
			_, scrape := send(ctx, http.MethodGet, metrics, "", "")
			s.ended, s.ready, s.reason = time.Now(), status == http.StatusOK, text
			s.metric = strings.Contains(scrape, "\nlyceum_store_ready 1\n")
			w.record(func() { w.samples[i] = append(w.samples[i], s) })
		})
	}
	return w
}

func (w *watch) record(change func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change()
}

// every calls do in new goroutines, at intervals, until the context ends.
func every(ctx context.Context, interval time.Duration, do func()) {
	go func() {
		for tick := time.NewTicker(interval); ctx.Err() == nil; {
			select {
			case <-ctx.Done():
			case <-tick.C:
				go do()
			}
		}
	}()
}

// probe looks for a primary on a new connection, and writes to it.
func (w *watch) probe(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	db, err := sql.Open("postgres", adminURL)
	if err != nil {
		return
	}
	defer func() { _ = db.Close() }()
	var standby bool
	if db.QueryRowContext(ctx, `SELECT pg_is_in_recovery()`).Scan(&standby) != nil || standby {
		return
	}
	w.record(func() { w.promoted = append(w.promoted, time.Now()) })
	// A commit that is canceled while it waits for a standby can look like a success.
	began := time.Now()
	if _, err := db.ExecContext(ctx, `INSERT INTO probes VALUES (now())`); err == nil && time.Since(began) < 2*time.Second {
		w.record(func() { w.database = append(w.database, time.Now()) })
	}
}

// send sends a request and returns the status, or 0, and the body of the response.
func send(ctx context.Context, method, url, key, body string) (int, string) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return 0, err.Error()
	}
	req.Header.Set("X-Api-Key", key)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err.Error()
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err.Error()
	}
	return resp.StatusCode, string(text)
}

// first returns the first of the times that is after t, or false.
func (w *watch) first(times *[]time.Time, t time.Time) (time.Time, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var found time.Time
	for _, at := range *times {
		if at.After(t) && (found.IsZero() || at.Before(found)) {
			found = at
		}
	}
	return found, !found.IsZero()
}

// recovered waits until the database and all servers accept writes again after t. It returns how
// long that took for the database and for the slowest server.
func (w *watch) recovered(ctx context.Context, t time.Time) (database, servers time.Duration, err error) {
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end) && ctx.Err() == nil; time.Sleep(50 * time.Millisecond) {
		all := true
		servers = 0
		for i := range w.writes {
			at, ok := w.first(&w.writes[i], t)
			all = all && ok
			servers = max(servers, at.Sub(t))
		}
		if at, ok := w.first(&w.database, t); ok && all {
			return at.Sub(t), servers, nil
		}
	}
	return 0, 0, fmt.Errorf("no writes two minutes after the fault: %w", ctx.Err())
}

// falsehoods returns the samples that contradict an outage that began at t. There must be no
// readiness until a primary exists, and readiness after the servers write again. A server needs
// some time to notice either. In between, commits wait for the new standby: reads are served.
func (w *watch) falsehoods(t time.Time, written time.Duration) []string {
	promoted, _ := w.first(&w.promoted, t)
	primary := promoted.Sub(t)
	w.mu.Lock()
	defer w.mu.Unlock()
	const notice = 5 * time.Second
	var bad []string
	for i, samples := range w.samples {
		down := 0
		for _, s := range samples {
			after := s.began.Sub(t)
			if after > 0 && !s.ready && !s.metric {
				down++
			}
			during := after > notice && s.ended.Sub(t) < primary-time.Second
			if during && (s.ready || s.metric) || after > written+notice && (!s.ready || !s.metric) {
				bad = append(bad, fmt.Sprintf("server %d, %s after the fault: ready %v, metric %v: %s", i, after, s.ready, s.metric, s.reason))
			}
		}
		if down == 0 {
			bad = append(bad, fmt.Sprintf("server %d never reported the outage", i))
		}
	}
	return bad
}
