package outages

import (
	"cmp"
	"net/http"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/routes"
)

// RunOnOneServer is like Outages, but for a store that takes long to open. It sends nearly all
// requests to one server. No request changes the store, because the last call that fails is the
// commit. Paths that exist under both /v1 and /v2 are tested under /v2.
func RunOnOneServer(t *testing.T, open func(t *testing.T) fixture.Backend) {
	t.Helper()
	shared := newFaulty(t, open(t))
	before := shared.snapshot(t)
	known := map[string]bool{}
	for _, r := range routes.All {
		known[r.Path] = true
	}
	each(t, func(t *testing.T, method string, r routes.Resource, w writeRequest) {
		t.Helper()
		if rest, old := strings.CutPrefix(r.Path, "/v1"); old && known["/v2"+rest] || needsNoStore(r) {
			t.SkipNow()
		}
		f, before := shared, before
		if w.before != nil {
			f = newFaulty(t, open(t))
		}
		send := f.sending(t, method, r, w, "")
		if w.before != nil {
			before = f.snapshot(t)
		}
		f.failUntilCommit(t, send, method, cmp.Or(w.commits, 1))
		if diff := gocmp.Diff(before, f.snapshot(t)); diff != "" {
			t.Fatalf("the request saved something (-before +after):\n%s", diff)
		}
	})
}

// failUntilCommit makes each call fail in turn, up to and including the commit of the request's
// last transaction. commits is the number of the request's transactions.
func (f *faultyServer) failUntilCommit(t *testing.T, send func(n int, err error) (fixture.Response, string), method string, commits int) {
	t.Helper()
	for n := 1; ; n++ {
		last := true
		for _, o := range outages {
			a, failed := send(n, o.err)
			read := method == http.MethodGet && a.Status < http.StatusBadRequest
			if failed == "" && read {
				return
			}
			if !isOutageResponse(a, o.err) && !(o.err == nil && read) { // all reads were done before the server noticed the disconnection
				t.Fatalf("%s at call %d, %q: %d %v: %s", o.name, n, failed, a.Status, a.Header, a.Body)
			}
			last = last && failed == "Commit" && f.failing.commits() == commits
		}
		if last {
			return
		}
	}
}

// commits returns how many transactions have reached their commit since arm.
func (f *failingStore) commits() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for _, call := range f.calls {
		if call == "Commit" {
			n++
		}
	}
	return n
}
