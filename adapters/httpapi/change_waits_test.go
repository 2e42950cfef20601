package httpapi_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi"
	"lyceum/adapters/httpapi/limits"
	"lyceum/test/kit"
)

// followers sends n requests that wait for changes, and returns when they wait. The result waits
// for the responses.
func (a *api) followers(ctx context.Context, n int) func() []*httptest.ResponseRecorder {
	responses := make([]*httptest.ResponseRecorder, n)
	end := url.QueryEscape("9999-01-01")
	var sent sync.WaitGroup
	for i := range n {
		sent.Go(func() { responses[i] = a.get(ctx, "/v2/changes?wait=30&filter[changed_at][gteq]="+end) })
	}
	for a.handler.Admission()["wait"].Running < n {
		time.Sleep(time.Millisecond)
	}
	return func() []*httptest.ResponseRecorder {
		sent.Wait()
		return responses
	}
}

// Requests that wait for changes hold no slot that other requests need. Their number is limited,
// and they end when the server is about to stop.
func TestWaitingForChanges(t *testing.T) {
	is := is.New(t)
	var stopping atomic.Bool
	a := newAPI(t, httpapi.Config{
		Admission: limits.Admission{Slots: 1, Expensive: 1, Waiting: 64, Wait: 5 * time.Second}, Draining: stopping.Load,
	}, func(context.Context) error { return nil })
	wait := a.followers(t.Context(), 16)
	is.Equal(a.get(t.Context(), "/v2/categories").Code, http.StatusOK)
	is.Equal(a.get(t.Context(), "/v2/categories?q=x").Code, http.StatusOK)
	refused := a.get(t.Context(), "/v2/changes?wait=30&filter[changed_at][gteq]=9999-01-01")
	is.Equal(refused.Code, http.StatusServiceUnavailable)
	is.Equal(refused.Header().Get("Retry-After"), "1")
	began := time.Now()
	stopping.Store(true)
	for _, r := range wait() {
		is.Equal(r.Code, http.StatusOK)
	}
	is.True(time.Since(began) < 5*time.Second)
	is.Equal(a.handler.Admission()["wait"].Running, 0)
}

func TestWaitingEndsWhenTheClientLeaves(t *testing.T) {
	is := is.New(t)
	a := newAPI(t, httpapi.Config{}, func(context.Context) error { return nil })
	ctx, leave := context.WithCancel(t.Context())
	wait := a.followers(ctx, 3)
	began := time.Now()
	leave()
	wait()
	is.True(time.Since(began) < 5*time.Second)
	is.Equal(a.handler.Admission()["wait"].Running, 0)
}

// After a wait, a request holds as many slots as before it: a page of 100 changes holds all slots of
// its key next to another school, so another request of the key is refused.
func TestPagesAfterAWaitHoldTheirSlots(t *testing.T) {
	is := is.New(t)
	var a *api
	var changed atomic.Bool
	reads, finish := make(chan struct{}), make(chan struct{})
	a = newHookedAPI(t, httpapi.Config{Admission: limits.Admission{Slots: 4, Wait: 50 * time.Millisecond}},
		func(_ context.Context, call string) error {
			// While the request waits, the server reads changes too.
			if call == "Reader.Changes.Page" && changed.Load() && a.handler.Admission()["wait"].Running == 0 {
				close(reads)
				<-finish
			}
			return nil
		})
	_, other, err := kit.School{Name: "Other"}.Import(t.Context(), a.app)
	is.NoErr(err)
	is.Equal(a.from(client, other, http.MethodGet, "/v2/categories").Code, http.StatusOK)
	var follower sync.WaitGroup
	follower.Go(func() { a.get(t.Context(), "/v2/changes?wait=30&limit=100") })
	for a.handler.Admission()["wait"].Running == 0 {
		time.Sleep(time.Millisecond)
	}
	changed.Store(true)
	a.addPerson("ada@example.test")
	<-reads
	is.Equal(a.get(t.Context(), "/v2/categories").Code, http.StatusServiceUnavailable)
	close(finish)
	follower.Wait()
	is.Equal(a.get(t.Context(), "/v2/categories").Code, http.StatusOK)
}

// A request that waits for changes reads its page again only after a change, also if there are earlier
// ones that its filter does not match.
func TestWaitingRequestsReadNoPageWithoutChanges(t *testing.T) {
	is := is.New(t)
	var a *api
	var reads atomic.Int64
	a = newHookedAPI(t, httpapi.Config{}, func(_ context.Context, call string) error {
		// While the request waits, the server reads changes too.
		if call == "Reader.Changes.Page" && a.handler.Admission()["wait"].Running == 0 {
			reads.Add(1)
		}
		return nil
	})
	a.addPerson("ada@example.test")
	is.Equal(a.get(t.Context(), "/v2/changes?wait=2&filter[record.type][eq]=coupons").Code, http.StatusOK)
	is.Equal(reads.Load(), int64(1))

	var follower sync.WaitGroup
	var found *httptest.ResponseRecorder
	follower.Go(func() {
		found = a.get(t.Context(), "/v2/changes?wait=30&filter[record.type][eq]=people&filter[action][eq]=deleted")
	})
	for a.handler.Admission()["wait"].Running == 0 {
		time.Sleep(time.Millisecond)
	}
	is.NoErr(a.app.People.Delete(t.Context(), a.system(), a.addPerson("grace@example.test")))
	follower.Wait()
	is.True(strings.Contains(found.Body.String(), `"deleted"`))
}
