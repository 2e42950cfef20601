package httpapi_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/httpapi"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/limiter"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/school"
)

// A form with very many fields is refused before it is parsed.
func TestFieldsOfAForm(t *testing.T) {
	a := newAPI(t, httpapi.Config{
		Academy: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), Links: httpapi.Links{Base: "https://a.test"},
	}, always)
	for fields, want := range map[int]int{1: http.StatusOK, 2048: http.StatusOK, 2049: http.StatusBadRequest} {
		is := is.New(t)
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/learn/school/sign-in", strings.NewReader("a"+strings.Repeat("&a", fields-1)))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := httptest.NewRecorder()
		a.handler.ServeHTTP(w, r)
		is.Equal(w.Code, want)
	}
}

// Requests for sign-in links need no key, and those of a school wait for each other in the store. One
// of them at a time leaves the connections to the database to other requests of the school.
func TestRequestsForLinksOfASchoolTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		end := make(chan struct{})
		academy := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				<-end
			}
		})
		p := &pages{}
		p.API = newAPI(t, httpapi.Config{Academy: academy, Links: httpapi.Links{Base: "https://a.test"}}, always).handler
		request := func(network int, slug string) int {
			return p.visit(t.Context(), network, http.MethodPost, "/learn/"+slug+"/sign-in", "application/x-www-form-urlencoded", nil)
		}
		var all sync.WaitGroup
		for network := range 40 {
			all.Go(func() { is.Equal(request(network, "a"), http.StatusOK) })
		}
		all.Go(func() { is.Equal(request(1, "b"), http.StatusOK) })
		synctest.Wait()
		is.Equal(p.Admission()["link"], limiter.Stats{Running: 2, Waiting: 39}) // one of each school
		is.Equal(p.Admission()["page"].Running, 0)
		is.Equal(p.visit(t.Context(), 2, http.MethodGet, "/learn/a/sign-in", "", nil), http.StatusOK)
		close(end)
		all.Wait()
	})
}

// slowClient is the body and the response of a client that sends and reads nothing until it is
// released.
type slowClient struct {
	http.ResponseWriter
	began    chan<- struct{}
	released <-chan struct{}
}

func (s slowClient) Read([]byte) (int, error) {
	s.began <- struct{}{}
	<-s.released
	return 0, io.EOF
}

func (s slowClient) Write(b []byte) (int, error) {
	s.began <- struct{}{}
	<-s.released
	return s.ResponseWriter.Write(b)
}

// pages is an academy. Its pages have the given size. A form at /learn/file has a file.
type pages struct {
	*httpapi.API
	size int
}

func (p *pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body := io.Reader(r.Body)
	if r.URL.Path == "/learn/file" {
		var err error
		if body, err = p.AdmitFile(w, r, school.ID{UUID: uuid.UUID{1}}); err != nil {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
	}
	_, _ = io.ReadAll(body)
	w.WriteHeader(http.StatusOK)
	_, _ = io.WriteString(w, strings.Repeat("x", p.size))
}

func newPages(t *testing.T, size int) (*pages, *api) {
	p := &pages{size: size}
	a := newAPI(t, httpapi.Config{
		Academy: p, Admission: limits.Admission{Slots: 2, Wait: time.Millisecond}, Links: httpapi.Links{Base: "https://a.test"},
	}, always)
	p.API = a.handler
	return p, a
}

// visit sends a request from the network with the given number. If client is not nil, the request
// has its body and its response.
func (p *pages) visit(ctx context.Context, network int, method, path, mediaType string, client *slowClient) int {
	var body io.Reader = http.NoBody
	w := httptest.NewRecorder()
	var out http.ResponseWriter = w
	if client != nil {
		client.ResponseWriter = w
		out = client
		if method == http.MethodPost {
			body, out = client, w
		}
	}
	r := httptest.NewRequestWithContext(ctx, method, path, body)
	r.RemoteAddr = fmt.Sprintf("10.0.0.%d:1", network)
	if method == http.MethodPost {
		r.Header.Set("Content-Type", mediaType)
		if client != nil {
			r.ContentLength = 100
		}
	}
	p.API.ServeHTTP(out, r)
	return w.Code
}

// Clients of the academy that send or read slowly hold no slots for which other requests wait, even
// if they come from many networks.
func TestSlowClientsOfTheAcademyHoldNoSlots(t *testing.T) {
	const form, file = "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"
	for _, tt := range []struct{ name, method, path, mediaType string }{
		{"form", http.MethodPost, "/learn/school/sign-in", form},
		{"file", http.MethodPost, "/learn/file", file},
		{"page", http.MethodGet, "/learn/school/courses", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			p, a := newPages(t, 100)
			began, released := make(chan struct{}), make(chan struct{})
			var slow sync.WaitGroup
			for i := range 20 {
				slow.Go(func() {
					p.visit(t.Context(), i, tt.method, tt.path, tt.mediaType, &slowClient{began: began, released: released})
				})
				<-began
			}
			for lane, stats := range p.Admission() {
				is.True(lane == "upload" || stats.Running == 0)
			}
			is.Equal(p.visit(t.Context(), 100, http.MethodGet, "/learn/school/courses", "", nil), http.StatusOK)
			is.Equal(p.visit(t.Context(), 101, http.MethodPost, "/learn/school/sign-in", form, nil), http.StatusOK)
			is.Equal(a.get(t.Context(), "/v1/coupons").Code, http.StatusOK)
			close(released)
			slow.Wait()
		})
	}
}

// Large pages stay in memory until the client has read them, so their size is limited: for each
// school those of people who are signed in, and otherwise for each network. A network of visitors
// that reads covers slowly leaves the slots of the school to others.
func TestUnreadPagesAreLimitedByBytes(t *testing.T) {
	is := is.New(t)
	p := &pages{size: 3 << 20}
	academy := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/learn/a/people" {
			is.NoErr(p.AdmitVisitor(r.Context(), school.ID{UUID: uuid.UUID{1}}, person.ID{UUID: uuid.UUID{2}}))
		}
		p.ServeHTTP(w, r)
	})
	a := newAPI(t, httpapi.Config{
		// Pages of a network are also delayed according to their size, but for less than Wait.
		Academy: academy, Admission: limits.Admission{Slots: 8, Wait: time.Second}, Links: httpapi.Links{Base: "https://a.test"},
	}, always)
	p.API = a.handler
	began, released := make(chan struct{}), make(chan struct{})
	var slow sync.WaitGroup
	for _, tt := range []struct {
		network int
		path    string
	}{{1, "/learn/a/courses"}, {2, "/learn/a/people"}} {
		slow.Go(func() {
			is.Equal(p.visit(t.Context(), tt.network, http.MethodGet, tt.path, "", &slowClient{began: began, released: released}), http.StatusOK)
		})
		<-began
		is.Equal(p.visit(t.Context(), tt.network, http.MethodGet, tt.path, "", nil), http.StatusServiceUnavailable)
		is.Equal(p.visit(t.Context(), 3, http.MethodGet, "/learn/a/courses", "", nil), http.StatusOK)
		if tt.network == 1 {
			is.Equal(p.visit(t.Context(), 1, http.MethodGet, "/learn/a/people", "", nil), http.StatusOK)
		}
	}
	is.Equal(a.get(t.Context(), "/v1/coupons").Code, http.StatusOK)
	close(released)
	slow.Wait()
}

// Files that learners of one school submit slowly leave slots for other schools.
func TestFilesOfOneSchoolLeaveSlots(t *testing.T) {
	is := is.New(t)
	p, _ := newPages(t, 100)
	began, released := make(chan struct{}), make(chan struct{})
	var slow sync.WaitGroup
	for i := range 96 {
		slow.Go(func() {
			p.visit(t.Context(), i, http.MethodPost, "/learn/file", "multipart/form-data; boundary=x", &slowClient{began: began, released: released})
		})
		<-began
	}
	is.Equal(p.visit(t.Context(), 100, http.MethodPost, "/learn/file", "multipart/form-data; boundary=x", nil), http.StatusServiceUnavailable)
	is.Equal(p.Admission()["upload"].Running, 96)
	close(released)
	slow.Wait()
}

// A page that searches waits for a slot for expensive requests of its school, and holds no slot for
// which other pages wait.
func TestSearchingPageTakesSlotOfItsClass(t *testing.T) {
	is := is.New(t)
	p := &pages{}
	began, released := make(chan struct{}), make(chan struct{})
	search := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/learn/school/cheap" {
			return
		}
		if err := p.Admit(r.Context(), school.ID{UUID: uuid.UUID{1}}, limits.Expensive); err != nil {
			is.True(fault.Is(err, fault.Unavailable))
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		began <- struct{}{}
		<-released
	})
	a := newAPI(t, httpapi.Config{
		Academy: search, Admission: limits.Admission{Slots: 1, Expensive: 1, Wait: time.Millisecond}, Links: httpapi.Links{Base: "https://a.test"},
	}, always)
	p.API = a.handler
	var searching sync.WaitGroup
	searching.Go(func() {
		is.Equal(p.visit(t.Context(), 1, http.MethodGet, "/learn/school/people", "", nil), http.StatusOK)
	})
	<-began
	is.Equal(p.Admission()["expensive"].Running, 1)
	is.Equal(p.Admission()["page"].Running, 0)
	is.Equal(p.visit(t.Context(), 2, http.MethodGet, "/learn/school/people", "", nil), http.StatusServiceUnavailable)
	is.Equal(a.get(t.Context(), "/v1/people?q=ada").Code, http.StatusServiceUnavailable) // of the API, for the same reason
	is.Equal(p.visit(t.Context(), 3, http.MethodGet, "/learn/school/cheap", "", nil), http.StatusOK)
	close(released)
	searching.Wait()
	is.Equal(p.Admission()["expensive"].Running, 0)
}
