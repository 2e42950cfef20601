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
	"lyceum/app/jobs"
	"lyceum/domain/fault"
	"lyceum/ports"
	"lyceum/test/kit/intercept"
)

// failingStore fails one call of a store, counted from its last arming.
type failingStore struct {
	remaining atomic.Int64 // calls until the one that fails; negative: none will
	err       atomic.Pointer[error]
	end       atomic.Pointer[context.CancelFunc] // of the last request's context
	call      atomic.Pointer[string]             // that failed; nil: none has

	mu    sync.Mutex
	calls []string // since arm
}

// serve returns a handler whose requests the failing can cancel.
func (f *failingStore) serve(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, end := context.WithCancel(r.Context())
		defer end()
		f.end.Store(&end)
		h.ServeHTTP(w, r.WithContext(ctx))
	})
}

// arm lets the n-th call from now on fail with err, n from 1. If err is nil, the
// call is made, but its request is canceled before.
func (f *failingStore) arm(n int, err error) {
	f.mu.Lock()
	f.calls = nil
	f.mu.Unlock()
	f.call.Store(nil)
	f.err.Store(&err)
	f.remaining.Store(int64(n))
}

func (f *failingStore) disarm() { f.remaining.Store(-1) }

// failed returns the name of the call that failed since arm, blank if none has.
func (f *failingStore) failed() string {
	if call := f.call.Load(); call != nil {
		return *call
	}
	return ""
}

func (f *failingStore) hook(_ context.Context, call string) error {
	if call == "Schools.TouchKey" { // may fail; the package app tests that
		return nil
	}
	f.mu.Lock()
	f.calls = append(f.calls, call)
	f.mu.Unlock()
	if f.remaining.Load() <= 0 || f.remaining.Add(-1) > 0 {
		return nil
	}
	f.call.Store(&call)
	err := *f.err.Load()
	if err == nil {
		(*f.end.Load())()
	}
	return err
}

// outages are the ways in which a call of a store fails without a refusal.
var outages = []struct {
	name string
	err  error
}{
	{"outage", fmt.Errorf("store: connection lost: %w", fault.Unavailablef("The service is temporarily unavailable"))},
	{"timeout", fmt.Errorf("store: %w", context.DeadlineExceeded)},
	{"client disconnected", nil},
}

// clientGone is the status of a request whose client has gone.
const clientGone = 499

// Outages tests that a store that becomes unavailable at any call of any request
// is answered with 503 and Retry-After, that a request whose client goes away at
// any call ends, and that nothing of either is kept. A route that is not in writes
// fails the test.
func Outages(t *testing.T, open func(t *testing.T) Backend) {
	t.Helper()
	each(t, func(t *testing.T, method string, r resource, w writeRequest) {
		t.Helper()
		failEachCall(t, open, method, r, w, "")
		if method == http.MethodPost && strings.HasPrefix(r.path, "/v") {
			failEachCall(t, open, method, r, w, "outage")
		}
	})
}

// each runs a test for every route and method that needs the store.
func each(t *testing.T, test func(t *testing.T, method string, r resource, w writeRequest)) {
	t.Helper()
	table := writes()
	for _, r := range resources {
		for _, method := range r.allowedMethods() {
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
			t.Run(route, func(t *testing.T) { test(t, method, r, w) })
		}
	}
	for route := range table {
		t.Errorf("%s is not a route", route)
	}
}

// faultyServer is a server on a store that can fail.
type faultyServer struct {
	*server
	failing *failingStore
	whole   *app.App // the same schools on a store that does not fail
}

func newFaulty(t *testing.T, b Backend) *faultyServer {
	t.Helper()
	f := &failingStore{}
	f.disarm()
	s := start(t, Backend{
		Store: intercept.Store(b.Store, f.hook), Schools: intercept.Schools(b.Schools, f.hook),
		Queue: intercept.Queue(b.Queue, f.hook), wrap: f.serve,
	})
	whole := app.New(b.Store, b.Schools, b.Queue, s.files, nil, s.clock, nil)
	return &faultyServer{s, f, whole}
}

// failEachCall sends a request until no call of the store is left that could
// fail. At each call it fails in each of the ways of outages. key is its
// Idempotency-Key, blank: none.
func failEachCall(t *testing.T, open func(t *testing.T) Backend, method string, r resource, w writeRequest, key string) {
	t.Helper()
	f := newFaulty(t, open(t))
	send := f.sending(t, method, r, w, key)
	before := f.snapshot(t)
	for n := 1; ; n++ {
		for _, o := range outages {
			a, failed := send(n, o.err)
			if failed == "" {
				if a.status >= http.StatusBadRequest {
					t.Errorf("without an outage: %d: %s", a.status, a.body)
				}
				if wrong := lockOrderViolation(f.failing.calls); wrong != "" {
					t.Errorf("locks against the order of docs/locks.md: %s", wrong)
				}
				if n == 1 && !needsNoStore(r) {
					t.Error("the request made no call of the store")
				}
				return
			}
			if wrong := lockOrderViolation(f.failing.calls); w.durable && wrong != "" {
				t.Errorf("locks against the order of docs/locks.md: %s", wrong)
			}
			if o.err == nil && a.status < http.StatusBadRequest { // it was done all the same
				if method != http.MethodGet {
					f = newFaulty(t, open(t))
					send = f.sending(t, method, r, w, key)
					before = f.snapshot(t)
				}
				continue
			}
			if w.durable && a.status < http.StatusMultipleChoices {
				return // the rest is done by a job
			}
			if !isOutageResponse(a, o.err) {
				t.Errorf("%s at call %d, %s: %d %v: %s", o.name, n, failed, a.status, a.header, a.body)
			}
			if diff := gocmp.Diff(before, f.snapshot(t)); diff != "" {
				t.Fatalf("%s at call %d, %s: something was kept (-before +after):\n%s", o.name, n, failed, diff)
			}
		}
	}
}

// isOutageResponse reports whether a is the answer to a request whose call failed with err.
func isOutageResponse(a response, err error) bool {
	if err == nil {
		return a.status == clientGone
	}
	return a.status == http.StatusServiceUnavailable && a.header.Get("Retry-After") != ""
}

// sending returns what sends a request, of which the n-th call of the store fails
// with err, and returns the answer and the call that failed.
func (f *faultyServer) sending(t *testing.T, method string, r resource, w writeRequest, key string) func(n int, err error) (response, string) {
	t.Helper()
	if w.before != nil {
		w.before(t, f.server)
	}
	body := w.body(t, f.server)
	return func(n int, err error) (response, string) {
		t.Helper()
		f.clock.Advance(time.Minute) // after which a key is looked up again
		c := f.request(method, cmp.Or(w.path, r.of(r.id))+w.query).with(body)
		for name, value := range w.header {
			c.set(name, value)
		}
		if key != "" {
			c.set("Idempotency-Key", key)
		}
		c.gone = err == nil
		f.failing.arm(n, err)
		a := c.send(t)
		f.failing.disarm()
		return a, f.failing.failed()
	}
}

// needsNoStore reports whether the answers of r need no store.
func needsNoStore(r resource) bool {
	return slices.Contains([]string{"/healthz", "/openapi.json", "/docs", "/docs/:id"}, r.path)
}

// snapshot returns all that the school has, with the jobs that wait. A job that will
// remove a file whose submission is not kept is added on purpose before the file.
func (f *faultyServer) snapshot(t *testing.T) []string {
	t.Helper()
	var b bytes.Buffer
	if err := f.whole.Transfers.Export(t.Context(), app.SystemActor(f.own), &b, nil); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(b.String(), "\n")
	waiting, err := f.queue.Backlog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	waiting = slices.DeleteFunc(waiting, func(b ports.Backlog) bool { return b.Kind == jobs.FileCleanupKind })
	return append(lines, fmt.Sprint(waiting))
}
