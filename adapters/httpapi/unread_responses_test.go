package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi"
	"lyceum/adapters/httpapi/limits"
	"lyceum/test/kit"
)

// unread is a response writer whose client reads nothing until read is closed.
type unread struct {
	discard
	read chan struct{}
}

func (u *unread) Write(b []byte) (int, error) {
	<-u.read
	return len(b), nil
}

// getUnread sends a GET request whose response is not read before read is closed.
func (a *api) getUnread(t *testing.T, path, key string, read chan struct{}) {
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody)
	r.Header.Set("X-Api-Key", key)
	a.handler.ServeHTTP(&unread{discard{header: http.Header{}}, read}, r)
}

// Responses that the clients of a school do not read are limited by their total size, not by their
// number.
func TestUnreadResponsesAreLimitedByBytes(t *testing.T) {
	for name, tt := range map[string]struct {
		size int // size of a person in bytes
		want int // unread responses of one school, which holds at most 1 MiB
	}{
		"pages of about 100 KiB": {3_000, 8},
		"pages of about 450 KiB": {15_000, 2},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				is := is.New(t)
				a := newAPI(t, httpapi.Config{Admission: limits.Admission{Slots: 64, Responses: 4 << 20}}, always)
				_, key, err := kit.School{Name: "Wide", Lines: wideSchool(30, tt.size)}.Import(t.Context(), a.app)
				is.NoErr(err)
				read := make(chan struct{})
				var wg sync.WaitGroup
				for range 20 {
					wg.Go(func() { a.getUnread(t, "/v2/people", key, read) })
				}
				synctest.Wait()
				running := a.handler.Admission()["response"].Running
				close(read)
				wg.Wait()
				is.True(running >= 1)
				is.True(running <= tt.want)
			})
		})
	}
}

// A page with too many bytes is refused. It is not shortened, because the client asked for a
// certain number of records.
func TestPageWithTooManyBytes(t *testing.T) {
	is := is.New(t)
	a := newAPI(t, httpapi.Config{PageBytes: 1 << 20}, always)
	_, key, err := kit.School{Name: "Wide", Lines: wideSchool(200, 10_000)}.Import(t.Context(), a.app)
	is.NoErr(err)
	for _, accept := range []string{"application/json", "text/csv"} {
		get := func(path string) *httptest.ResponseRecorder {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody)
			r.Header.Set("X-Api-Key", key)
			r.Header.Set("Accept", accept)
			return a.serve(r)
		}
		is.Equal(get("/v2/people?limit=80").Code, http.StatusOK)
		w := get("/v2/people?limit=200")
		is.Equal(w.Code, http.StatusBadRequest)
		is.True(strings.Contains(w.Body.String(), `"detail":"is too large for these records: the page would have more than 1 MiB; use a smaller limit","source":{"parameter":"limit"}`))
		is.Equal(get("/v2/people?limit=200&fields[people]=email").Code, http.StatusOK)
	}
}

// Large responses of a school wait for a client that does not read. Other requests of the school do
// not, even if the school has a single slot for requests.
func TestWaitingResponsesHoldNoSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		a := newAPI(t, httpapi.Config{Admission: limits.Admission{InMemory: true, Responses: 4 << 20}}, always)
		_, key, err := kit.School{Name: "Wide", Lines: wideSchool(30, 15_000)}.Import(t.Context(), a.app)
		is.NoErr(err)
		is.Equal(a.get(t.Context(), "/v1/coupons").Code, http.StatusOK) // another school
		read := make(chan struct{})
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() { a.getUnread(t, "/v2/people", key, read) })
			time.Sleep(100 * time.Millisecond) // large responses delay later requests of the school
			synctest.Wait()
		}
		waiting, running := a.handler.Admission()["response"].Waiting, a.handler.Admission()["school"].Running
		other := a.from(client, key, http.MethodGet, "/v1/coupons")
		close(read)
		wg.Wait()
		is.True(waiting > 0)
		is.Equal(running, 0)
		is.Equal(other.Code, http.StatusOK)
	})
}
