package outages

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
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/routes"
	"lyceum/test/kit/intercept"
	"lyceum/test/kit/stores"
)

// failingStore is a store in which one call fails. Calls are counted from the last call of arm.
type failingStore struct {
	remaining atomic.Int64 // calls until the failing call; negative: no call fails
	err       atomic.Pointer[error]
	end       atomic.Pointer[context.CancelFunc] // cancels the context of the last request
	call      atomic.Pointer[string]             // name of the failed call; nil: none

	mu    sync.Mutex
	calls []string // names of the calls since arm
}

// serve returns a handler that calls h, and whose requests f can cancel.
func (f *failingStore) serve(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, end := context.WithCancel(r.Context())
		defer end()
		f.end.Store(&end)
		h.ServeHTTP(w, r.WithContext(ctx))
	})
}

// arm makes the n-th call from now on fail with err; n is 1-based. If err is nil, the call
// succeeds, but the request is canceled before the call.
func (f *failingStore) arm(n int, err error) {
	f.mu.Lock()
	f.calls = nil
	f.mu.Unlock()
	f.call.Store(nil)
	f.err.Store(&err)
	f.remaining.Store(int64(n))
}

func (f *failingStore) disarm() { f.remaining.Store(-1) }

// failed returns the name of the call that failed since arm, or "" if none did.
func (f *failingStore) failed() string {
	if call := f.call.Load(); call != nil {
		return *call
	}
	return ""
}

func (f *failingStore) hook(_ context.Context, call string) error {
	if call == "Schools.TouchKey" { // the use case ignores this failure; the tests of package app cover it
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

// outages contains the ways in which a call of a store can fail for reasons that do not depend on
// the request. If err is nil, the client disconnects before the call.
var outages = []struct {
	name string
	err  error
}{
	{"outage", fmt.Errorf("store: connection lost: %w", fault.Unavailablef("The service is temporarily unavailable"))},
	{"timeout", fmt.Errorf("store: %w", context.DeadlineExceeded)},
	{"client disconnected", nil},
}

// clientGone is the status logged for a request whose client has disconnected.
const clientGone = 499

// Run sends every request repeatedly. Each time, another call of the store fails, or the client
// disconnects at that call. The response must be 503 with Retry-After, or none if the client has
// disconnected, and nothing may be saved. The test fails for a route that changes records and is
// not in writes.
func Run(t *testing.T, open func(t *testing.T) fixture.Backend) {
	t.Helper()
	each(t, func(t *testing.T, method string, r routes.Resource, w writeRequest) {
		t.Helper()
		failEachCall(t, open, method, r, w, "")
		if method == http.MethodPost && strings.HasPrefix(r.Path, "/v") {
			failEachCall(t, open, method, r, w, "outage")
		}
	})
}

// each runs a test for every route and method, except HEAD and the route of /readyz.
func each(t *testing.T, test func(t *testing.T, method string, r routes.Resource, w writeRequest)) {
	t.Helper()
	table := writes()
	for _, r := range routes.All {
		for _, method := range r.AllowedMethods() {
			route := method + " " + r.Path
			w, ok := table[route]
			delete(table, route)
			switch {
			case method == http.MethodHead, r.Path == "/readyz": // HEAD equals GET, and readyz has its own response
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
	*fixture.Server
	failing *failingStore
	whole   *app.App // use cases on the same store without failures
}

func newFaulty(t *testing.T, b fixture.Backend) *faultyServer {
	t.Helper()
	f := &failingStore{}
	f.disarm()
	s := fixture.Start(t, fixture.Backend{Wrap: f.serve, Backend: stores.Backend{
		Store: intercept.Store(b.Store, f.hook), Schools: intercept.Schools(b.Schools, f.hook), Queue: intercept.Queue(b.Queue, f.hook),
	}})
	whole := app.New(b.Store, b.Schools, b.Queue, s.Files, nil, s.Clock, nil)
	return &faultyServer{s, f, whole}
}

// failEachCall sends a request until it succeeds. It makes the first call of the store fail in each
// of the ways in outages, then the second call, and so on. key is the Idempotency-Key; blank: none.
func failEachCall(t *testing.T, open func(t *testing.T) fixture.Backend, method string, r routes.Resource, w writeRequest, key string) {
	t.Helper()
	f := newFaulty(t, open(t))
	send := f.sending(t, method, r, w, key)
	before := f.snapshot(t)
	for n := 1; ; n++ {
		for _, o := range outages {
			a, failed := send(n, o.err)
			if failed == "" {
				if a.Status >= http.StatusBadRequest {
					t.Errorf("without an outage: %d: %s", a.Status, a.Body)
				}
				if wrong := lockOrderViolation(f.failing.calls); wrong != "" {
					t.Errorf("locks against the order of docs/locks.md: %s", wrong)
				}
				if n == 1 && !needsNoStore(r) {
					t.Error("the request made no call of the store")
				}
				if method == http.MethodGet {
					f.mustBeUnchanged(t, before, n)
				}
				return
			}
			if wrong := lockOrderViolation(f.failing.calls); w.durable && wrong != "" {
				t.Errorf("locks against the order of docs/locks.md: %s", wrong)
			}
			if o.err == nil && a.Status < http.StatusBadRequest { // the request succeeded anyway
				if method != http.MethodGet {
					f = newFaulty(t, open(t))
					send = f.sending(t, method, r, w, key)
					before = f.snapshot(t)
				}
				continue
			}
			if w.durable && a.Status < http.StatusMultipleChoices {
				return // a job does the rest
			}
			if !isOutageResponse(a, o.err) {
				t.Errorf("%s at call %d, %s: %d %v: %s", o.name, n, failed, a.Status, a.Header, a.Body)
			}
		}
		if method != http.MethodGet { // of a GET, the comparison at its end shows all changes
			f.mustBeUnchanged(t, before, n)
		}
	}
}

// mustBeUnchanged fails the test if the requests whose n-th call of the store failed have saved
// something.
func (f *faultyServer) mustBeUnchanged(t *testing.T, before []string, n int) {
	t.Helper()
	if diff := gocmp.Diff(before, f.snapshot(t)); diff != "" {
		t.Fatalf("failure at call %d: the request saved something (-before +after):\n%s", n, diff)
	}
}

// isOutageResponse reports whether a is a correct response to a request whose call of the store
// failed with err.
func isOutageResponse(a fixture.Response, err error) bool {
	if err == nil {
		return a.Status == clientGone
	}
	return a.Status == http.StatusServiceUnavailable && a.Header.Get("Retry-After") != ""
}

// sending returns a function that sends a request whose n-th call of the store fails with err. The
// function returns the response and the name of the failed call.
func (f *faultyServer) sending(t *testing.T, method string, r routes.Resource, w writeRequest, key string) func(n int, err error) (fixture.Response, string) {
	t.Helper()
	if w.before != nil {
		w.before(t, f.Server)
	}
	body := w.body(t, f.Server)
	return func(n int, err error) (fixture.Response, string) {
		t.Helper()
		f.Clock.Advance(time.Minute) // the cached API key expires, so the server looks it up again
		c := f.Request(method, cmp.Or(w.path, r.Of(r.ID))+w.query).With(body)
		for name, value := range w.header {
			c.Set(name, value)
		}
		if key != "" {
			c.Set("Idempotency-Key", key)
		}
		c.Gone = err == nil
		f.failing.arm(n, err)
		a := c.Send(t)
		f.failing.disarm()
		return a, f.failing.failed()
	}
}

// needsNoStore reports whether requests to r do not use the store.
func needsNoStore(r routes.Resource) bool {
	return slices.Contains([]string{"/", "/favicon.ico", "/favicon.svg", "/healthz", "/openapi.json", "/docs", "/docs/:id"}, r.Path)
}

// snapshot returns all records of the school and the backlog of the queue. It omits the jobs that
// delete a file without a submission, because requests add these jobs before they store the file.
func (f *faultyServer) snapshot(t *testing.T) []string {
	t.Helper()
	var b bytes.Buffer
	if err := f.whole.Transfers.Export(t.Context(), app.SystemActor(f.Own), &b, nil); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(b.String(), "\n")
	waiting, err := f.Queue.Backlog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	waiting = slices.DeleteFunc(waiting, func(b ports.Backlog) bool { return b.Kind == jobs.FileCleanupKind })
	return append(lines, fmt.Sprint(waiting))
}
