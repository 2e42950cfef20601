package apitest

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"lyceum/app"
	"lyceum/domain/fault"
	"lyceum/ports"
	"lyceum/test/intercept"
)

// failing fails one call of a store, counted from its last arming.
type failing struct {
	left atomic.Int64 // calls until the one that fails; negative: none will
	err  atomic.Pointer[error]
	call atomic.Pointer[string] // that failed; nil: none has

	mu    sync.Mutex
	calls []string // since arm
}

// arm lets the n-th call from now on fail with err, n from 1.
func (f *failing) arm(n int, err error) {
	f.mu.Lock()
	f.calls = nil
	f.mu.Unlock()
	f.call.Store(nil)
	f.err.Store(&err)
	f.left.Store(int64(n))
}

func (f *failing) disarm() { f.left.Store(-1) }

// failed returns the name of the call that failed since arm, blank if none has.
func (f *failing) failed() string {
	if call := f.call.Load(); call != nil {
		return *call
	}
	return ""
}

func (f *failing) hook(_ context.Context, call string) error {
	f.mu.Lock()
	f.calls = append(f.calls, call)
	f.mu.Unlock()
	if f.left.Load() <= 0 || f.left.Add(-1) > 0 {
		return nil
	}
	f.call.Store(&call)
	return *f.err.Load()
}

// outages are the ways in which a call of a store fails without a refusal.
var outages = []struct {
	name string
	err  error
}{
	{"outage", fmt.Errorf("store: connection lost: %w", fault.Busyf("The service cannot answer now"))},
	{"timeout", fmt.Errorf("store: %w", context.DeadlineExceeded)},
}

// Outages tests that a store that becomes unavailable at any call of any request
// is answered with 503 and Retry-After, and that nothing of the request is kept.
// A route that is not in writes fails the test.
func Outages(t *testing.T, open func(t *testing.T) Backend) {
	t.Helper()
	table := writes()
	for _, r := range resources {
		for _, method := range r.answers() {
			route := method + " " + r.path
			w, ok := table[route]
			delete(table, route)
			switch {
			case method == http.MethodHead, r.path == "/readyz": // is GET; has an answer of its own
				continue
			case method != http.MethodGet && !ok:
				t.Errorf("%s has no request in the table of this test", route)
				continue
			}
			t.Run(route, func(t *testing.T) {
				newFaulty(t, open(t)).failEachCall(t, method, r, w, "")
				if method == http.MethodPost && strings.HasPrefix(r.path, "/v") {
					newFaulty(t, open(t)).failEachCall(t, method, r, w, "outage")
				}
			})
		}
	}
	for route := range table {
		t.Errorf("%s is not a route", route)
	}
}

// faulty is a server on a store that can fail.
type faulty struct {
	*server
	failing *failing
	whole   *app.App // the same schools on a store that does not fail
}

func newFaulty(t *testing.T, b Backend) *faulty {
	t.Helper()
	f := &failing{}
	f.disarm()
	s := start(t, Backend{
		Store: intercept.Store(b.Store, f.hook), Schools: intercept.Schools(b.Schools, f.hook),
		Queue: intercept.Queue(b.Queue, f.hook),
	})
	whole := app.New(b.Store, b.Schools, b.Queue, s.files, nil, s.clock, nil)
	return &faulty{s, f, whole}
}

// failEachCall sends a request until no call of the store is left that could
// fail. At each call it fails in each of the ways of outages. key is its
// Idempotency-Key, blank: none.
func (f *faulty) failEachCall(t *testing.T, method string, r resource, w write, key string) {
	t.Helper()
	if w.before != nil {
		w.before(t, f.server)
	}
	body := w.body(t, f.server)
	send := func() answer {
		f.clock.Advance(time.Minute) // after which a key is looked up again
		c := f.request(method, cmp.Or(w.path, r.of(r.id))+w.query).with(body)
		for name, value := range w.header {
			c.set(name, value)
		}
		if key != "" {
			c.set("Idempotency-Key", key)
		}
		return c.send(t)
	}
	before := f.kept(t)
	for n := 1; ; n++ {
		for _, o := range outages {
			f.failing.arm(n, o.err)
			a := send()
			failed := f.failing.failed()
			f.failing.disarm()
			if failed == "" {
				if a.status >= http.StatusBadRequest {
					t.Errorf("without an outage: %d: %s", a.status, a.body)
				}
				if wrong := outOfOrder(f.failing.calls); wrong != "" {
					t.Errorf("locks against the order of docs/locks.md: %s", wrong)
				}
				if n == 1 && !storeless(r) {
					t.Error("the request made no call of the store")
				}
				return
			}
			if wrong := outOfOrder(f.failing.calls); w.durable && wrong != "" {
				t.Errorf("locks against the order of docs/locks.md: %s", wrong)
			}
			if w.durable && a.status < http.StatusMultipleChoices {
				return // the rest is done by a job
			}
			if a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" {
				t.Errorf("%s at call %d, %s: %d %v: %s", o.name, n, failed, a.status, a.header, a.body)
			}
			if diff := gocmp.Diff(before, f.kept(t)); diff != "" {
				t.Fatalf("%s at call %d, %s: something was kept (-before +after):\n%s", o.name, n, failed, diff)
			}
		}
	}
}

// storeless reports whether the answers of r need no store.
func storeless(r resource) bool {
	return slices.Contains([]string{"/healthz", "/openapi.json", "/docs", "/docs/:id"}, r.path)
}

// kept returns all that the school has, with the jobs that wait. A job that will
// remove a file whose submission is not kept is added on purpose before the file.
func (f *faulty) kept(t *testing.T) []string {
	t.Helper()
	var b bytes.Buffer
	if err := f.whole.Transfers.Export(t.Context(), app.System(f.own), &b, nil); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(b.String(), "\n")
	waiting, err := f.queue.Backlog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	waiting = slices.DeleteFunc(waiting, func(b ports.Backlog) bool { return b.Kind == app.DiscardKind })
	return append(lines, fmt.Sprint(waiting))
}
