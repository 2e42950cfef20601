package httpapi_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/httpapi"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/limiter"
)

const turnedAway = `{"errors":[{"status":"503","title":"Service Unavailable","detail":"Too many requests are running. Try again later","source":{}}]}`

// While a search occupies the only slot for expensive requests, cheap requests succeed and further
// expensive requests get 503.
func TestExpensiveRequestsDoNotStopCheapOnes(t *testing.T) {
	is := is.New(t)
	entered, end := make(chan struct{}, 10), make(chan struct{})
	a := newAPI(t, httpapi.Config{
		Admission: limits.Admission{Slots: 4, Expensive: 1, Waiting: 8, Wait: 20 * time.Millisecond},
	}, func(context.Context) error {
		entered <- struct{}{}
		<-end
		return nil
	})
	var wg sync.WaitGroup
	wg.Go(func() { is.Equal(a.get(t.Context(), "/v1/categories?q=x").Code, http.StatusOK) })
	<-entered
	w := a.get(t.Context(), "/v1/categories?sort=name")
	is.Equal(w.Code, http.StatusServiceUnavailable)
	is.Equal(w.Body.String(), turnedAway)
	is.Equal(w.Header().Get("Retry-After"), "1")
	is.Equal(a.from(client, a.key, http.MethodPost, "/v1/bulk/people").Code, http.StatusServiceUnavailable) // expensive because of its route
	is.Equal(a.get(t.Context(), "/v1/coupons").Code, http.StatusOK)
	close(end)
	wg.Wait()
	is.Equal(a.get(t.Context(), "/readyz").Code, http.StatusOK)
	is.Equal(a.get(t.Context(), "/v1/categories?q=x").Code, http.StatusOK) // the slot was released
}

// A request holds no slot of its class while its body arrives slowly.
func TestSlowBodyHoldsNoSlot(t *testing.T) {
	is := is.New(t)
	a := newAPI(t, httpapi.Config{
		Admission: limits.Admission{Slots: 1, Expensive: 1, Waiting: 8, Wait: 20 * time.Millisecond},
	}, func(context.Context) error { return nil })
	body, sender := io.Pipe()
	var wg sync.WaitGroup
	wg.Go(func() {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/categories", body)
		r.Header.Set("X-Api-Key", a.key)
		is.Equal(a.serve(r).Code, http.StatusCreated)
	})
	const document = `{"data":{"type":"categories","attributes":{"name":"Slow"}}}`
	half := strings.Index(document, "name")
	_, err := io.WriteString(sender, document[:half]) // returns when the server has read this half
	is.NoErr(err)
	is.Equal(a.get(t.Context(), "/v1/coupons").Code, http.StatusOK)
	_, err = io.WriteString(sender, document[half:])
	is.NoErr(err)
	is.NoErr(sender.Close())
	wg.Wait()
}

// Large pages have slots of their own: they block neither cheap requests nor small pages.
func TestLargePagesDoNotStopCheapRequests(t *testing.T) {
	is := is.New(t)
	entered, end := make(chan struct{}, 100), make(chan struct{})
	a := newAPI(t, httpapi.Config{
		Admission: limits.Admission{Waiting: 8, Wait: 20 * time.Millisecond},
	}, func(context.Context) error {
		entered <- struct{}{}
		<-end
		return nil
	})
	var wg sync.WaitGroup
	var refused atomic.Int64
	for range 2 * limiter.Processors() { // the number of slots; one school gets three quarters of them
		wg.Go(func() {
			if a.get(t.Context(), "/v1/categories?limit=1000").Code == http.StatusServiceUnavailable {
				refused.Add(1)
			}
		})
	}
	<-entered
	for refused.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	is.Equal(a.get(t.Context(), "/v1/coupons?limit=101").Code, http.StatusServiceUnavailable)
	is.Equal(a.get(t.Context(), "/v1/coupons?limit=100").Code, http.StatusOK)
	// The server reads the whole quiz to grade an answer.
	answer := func() int {
		body := strings.NewReader(`{"data": {"attributes": {"answers": []}}}`)
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v2/quizzes/"+uuid.NewString()+"/answers", body)
		r.Header.Set("X-Api-Key", a.key)
		r.Header.Set("Content-Type", "application/vnd.api+json")
		w := httptest.NewRecorder()
		a.handler.ServeHTTP(w, r)
		return w.Code
	}
	is.Equal(answer(), http.StatusServiceUnavailable)
	close(end)
	wg.Wait()
	is.Equal(a.get(t.Context(), "/v1/coupons?limit=101").Code, http.StatusOK)
	is.True(answer() != http.StatusServiceUnavailable)
}

// A body with many records takes several slots, because each record may cost as much as a request.
func TestSlotsForRecordsOfABody(t *testing.T) {
	is := is.New(t)
	entered, end := make(chan struct{}, 10), make(chan struct{})
	a := newAPI(t, httpapi.Config{
		Admission: limits.Admission{Slots: 6, Waiting: 8, Wait: 20 * time.Millisecond}, // four for one school, three for one key
	}, func(context.Context) error {
		entered <- struct{}{}
		<-end
		return nil
	})
	report := func(events int) int {
		body := strings.NewReader(`{"data":[{}` + strings.Repeat(",{}", events-1) + `]}`)
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v2/events", body)
		r.Header.Set("X-Api-Key", a.key)
		return a.serve(r).Code
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { is.Equal(a.get(t.Context(), "/v1/categories").Code, http.StatusOK) })
		<-entered
	}
	is.Equal(report(126), http.StatusUnprocessableEntity) // 127 objects
	is.Equal(report(127), http.StatusServiceUnavailable)
	close(end)
	wg.Wait()
	is.Equal(report(127), http.StatusUnprocessableEntity)
	is.Equal(report(1000), http.StatusUnprocessableEntity)
	is.Equal(a.handler.Admission()["cheap"].Running, 0)
}

// Large bodies that arrive slowly do not stop other requests with large bodies.
func TestSlowLargeBodies(t *testing.T) {
	is := is.New(t)
	a := newAPI(t, httpapi.Config{
		Admission: limits.Admission{Waiting: 8, Wait: 20 * time.Millisecond},
	}, func(context.Context) error { return nil })
	bulk := func(body io.Reader, size int) int {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/bulk/people", body)
		r.Header.Set("X-Api-Key", a.key)
		r.ContentLength = int64(size)
		return a.serve(r).Code
	}
	var wg sync.WaitGroup
	var senders []*io.PipeWriter
	for range 10 {
		body, sender := io.Pipe()
		senders = append(senders, sender)
		wg.Go(func() { is.Equal(bulk(body, 8<<20), http.StatusBadRequest) })
		_, err := io.WriteString(sender, "{") // returns when the server has begun to read
		is.NoErr(err)
	}
	document := `{"data":{"type":"any","attributes":{"people":[{"email":"ada@example.test"}]}}` + strings.Repeat(" ", 2<<20) + "}"
	is.Equal(bulk(strings.NewReader(document), len(document)), http.StatusAccepted)
	for _, sender := range senders {
		is.NoErr(sender.CloseWithError(io.ErrUnexpectedEOF))
	}
	wg.Wait()
	is.Equal(a.handler.Admission()["body"].Running, 0)
}

// A request with a large body keeps its large-body slot while it waits for a slot of its class.
// This limits the memory that the bodies of waiting requests use.
func TestLargeBodyKeepsItsSlot(t *testing.T) {
	is := is.New(t)
	entered, end := make(chan struct{}, 10), make(chan struct{})
	a := newAPI(t, httpapi.Config{
		Admission: limits.Admission{Expensive: 1, Waiting: 8, Wait: time.Minute},
	}, func(context.Context) error {
		entered <- struct{}{}
		<-end
		return nil
	})
	var wg sync.WaitGroup
	wg.Go(func() { is.Equal(a.get(t.Context(), "/v1/categories?q=x").Code, http.StatusOK) })
	<-entered
	send := func(size int) {
		document := `{"data":{"type":"any","attributes":{"people":[{"email":"ada@example.test"}]}}` + strings.Repeat(" ", size) + "}"
		wg.Go(func() {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/bulk/people", strings.NewReader(document))
			r.Header.Set("X-Api-Key", a.key)
			is.Equal(a.serve(r).Code, http.StatusAccepted)
		})
	}
	send(0)
	send(2 << 20)
	for a.handler.Admission()["expensive"].Waiting < 2 {
		time.Sleep(time.Millisecond)
	}
	is.Equal(a.handler.Admission()["large-body"].Running, 1) // the small body holds no slot
	close(end)
	wg.Wait()
	is.Equal(a.handler.Admission()["large-body"].Running, 0)
}

// While very many rows of a school wait, a bulk request gets 503 before its rows are read, which
// takes much longer than the refusal.
func TestBulkRequestIsRefusedBeforeItIsRead(t *testing.T) {
	is := is.New(t)
	a := newAPI(t, httpapi.Config{}, func(context.Context) error { return nil })
	bulk := func(row string, n int) *httptest.ResponseRecorder {
		body := `{"data":{"type":"any","attributes":{"people":[` + strings.Repeat(row+",", n-1) + row + `]}}}`
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v2/bulk/people", strings.NewReader(body))
		r.Header.Set("X-Api-Key", a.key)
		return a.serve(r)
	}
	const largest = 15_000
	accepted := 0
	for bulk(`{"email":"ada@example.test"}`, largest).Code == http.StatusAccepted {
		accepted++
	}
	is.Equal(accepted, 7) // no worker runs: over a thousand parts of 100 rows wait
	w := bulk(`"not a row"`, 1)
	is.Equal(w.Code, http.StatusServiceUnavailable) // and not 422
	is.True(strings.Contains(w.Body.String(), "Too many rows of earlier bulk requests are waiting"))
}
