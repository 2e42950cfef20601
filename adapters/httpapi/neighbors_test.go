package httpapi_test

import (
	"context"
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
	"lyceum/domain/school"
	"lyceum/test/kit"
)

// newBlocked returns an API whose requests do not end before end is closed.
func newBlocked(t *testing.T, cfg httpapi.Config) (a *api, end chan struct{}) {
	end = make(chan struct{})
	return newAPI(t, cfg, func(context.Context) error {
		<-end
		return nil
	}), end
}

// largePages requests more large pages than a school can have at a time, and returns how many run
// concurrently. Then it closes end.
func (a *api) largePages(t *testing.T, end chan struct{}) int {
	var wg sync.WaitGroup
	for range 2 * limiter.Processors() {
		wg.Go(func() { a.get(t.Context(), "/v1/categories?limit=101") })
	}
	synctest.Wait()
	running := a.handler.Admission()["large"].Running
	close(end)
	wg.Wait()
	return running
}

// Any request makes its school active for all classes: after a cheap request of one school, another
// school has fewer slots for large pages.
func TestAnyRequestMakesSchoolActive(t *testing.T) {
	processors := limiter.Processors()
	for name, tt := range map[string]struct {
		other string // path of a request of another school; blank: none
		want  int    // concurrent large pages
	}{
		"none":            {"", max(1, 2*processors*3/4)},
		"a cheap request": {"/v1/coupons", max(1, processors/2)},
		"a refusal":       {"/v1/coupons?limit=x", max(1, processors/2)},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				is := is.New(t)
				a, end := newBlocked(t, httpapi.Config{Admission: limits.Admission{}})
				_, other, err := kit.School{Name: "Other"}.Import(t.Context(), a.app)
				is.NoErr(err)
				if tt.other != "" {
					a.from(client, other, http.MethodGet, tt.other)
				}
				time.Sleep(4 * time.Minute)
				is.Equal(a.largePages(t, end), tt.want)
			})
		})
	}
}

// While another school is active, a school runs few heavy requests at a time, of all classes
// together, and fewer than it may run requests.
func TestHeavyRequestsAreLimitedTogether(t *testing.T) {
	share := max(2, limiter.Processors()/2)
	for name, tt := range map[string]struct {
		other    string // path of a request of another school; blank: none
		inMemory bool
		want     int // concurrent heavy requests
	}{
		"none":                       {"", false, 4},
		"a cheap request":            {"/v1/coupons", false, min(4, share)},
		"a cheap request, in memory": {"/v1/coupons", true, min(4, share-1)},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				is := is.New(t)
				a, end := newBlocked(t, httpapi.Config{Admission: limits.Admission{Expensive: 4, InMemory: tt.inMemory}})
				_, other, err := kit.School{Name: "Other"}.Import(t.Context(), a.app)
				is.NoErr(err)
				if tt.other != "" {
					a.from(client, other, http.MethodGet, tt.other)
				}
				var wg sync.WaitGroup
				for _, path := range []string{"?q=x", "?q=y", "?q=z", "?limit=101"} {
					wg.Go(func() { a.get(t.Context(), "/v1/categories"+path) })
				}
				synctest.Wait()
				running := a.handler.Admission()
				is.Equal(running["heavy"].Running, tt.want)
				is.Equal(running["expensive"].Running+running["large"].Running, tt.want)
				close(end)
				wg.Wait()
				is.Equal(a.handler.Admission()["heavy"].Running, 0)
			})
		})
	}
}

// A change or a deletion of a property reads the values of all records. A school runs one at a time
// while another school is active, so that the keys of the school do not wait for several.
func TestChangesOfPropertiesRunOneAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		end := make(chan struct{})
		a := newHookedAPI(t, httpapi.Config{}, func(_ context.Context, call string) error {
			if strings.HasPrefix(call, "Tx.Properties.") {
				<-end
			}
			return nil
		})
		_, other, err := kit.School{Name: "Other"}.Import(t.Context(), a.app)
		is.NoErr(err)
		a.from(client, other, http.MethodGet, "/v1/coupons")
		var wg sync.WaitGroup
		for range 2 {
			for _, method := range []string{http.MethodPatch, http.MethodDelete} {
				id := uuid.NewString()
				body := `{"data":{"type":"property_definitions","id":"` + id + `","attributes":{"kind":"number"}}}`
				r := httptest.NewRequestWithContext(t.Context(), method, "/v2/property_definitions/"+id, strings.NewReader(body))
				r.Header.Set("X-Api-Key", a.key)
				r.Header.Set("Content-Type", "application/json")
				wg.Go(func() { a.serve(r) })
			}
		}
		synctest.Wait()
		is.Equal(a.handler.Admission()["long"].Running, 1)
		is.Equal(a.handler.Admission()["cheap"].Running, 0)
		close(end)
		wg.Wait()
	})
}

// While another school is active, a school leaves processors to it, with requests of all classes.
// One key of the school leaves a slot to its other keys, if there is more than one.
func TestRequestsOfASchoolAreLimitedTogether(t *testing.T) {
	processors := limiter.Processors()
	for name, tt := range map[string]struct {
		inMemory bool
		want     int // concurrent requests
	}{
		"a database": {false, processors + 1},
		"in memory":  {true, max(2, processors/2)},
	} {
		ofKey := max(1, tt.want-max(1, tt.want/4))
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				is := is.New(t)
				a, end := newBlocked(t, httpapi.Config{Admission: limits.Admission{Slots: 4 * processors, Expensive: processors, InMemory: tt.inMemory}})
				_, other, err := kit.School{Name: "Other"}.Import(t.Context(), a.app)
				is.NoErr(err)
				a.from(client, other, http.MethodGet, "/v1/coupons")
				actor, err := a.app.Auth.Authenticate(t.Context(), a.key)
				is.NoErr(err)
				_, second, err := a.app.Keys.Create(t.Context(), actor, school.KeyParams{Name: "Second", Scope: school.Read})
				is.NoErr(err)
				var wg sync.WaitGroup
				flood := func(key string) {
					for range 4 * processors {
						for _, path := range []string{"", "?q=x", "?limit=101"} {
							wg.Go(func() { a.from(client, key, http.MethodGet, "/v1/categories"+path) })
						}
					}
					time.Sleep(100 * time.Millisecond) // requests of a school start at intervals
					synctest.Wait()
				}
				flood(a.key)
				is.Equal(a.handler.Admission()["school"].Running, ofKey)
				flood(second)
				is.Equal(a.handler.Admission()["school"].Running, tt.want)
				a.from(client, other, http.MethodGet, "/v1/coupons") // does not wait
				close(end)
				wg.Wait()
				is.Equal(a.handler.Admission()["school"].Running, 0)
			})
		})
	}
}

// An export works while its school has a slot for it, like other requests of the school.
func TestExportSharesTheSlotsOfItsSchool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		a, end := newBlocked(t, httpapi.Config{Admission: limits.Admission{InMemory: true}})
		_, other, err := kit.School{Name: "Other"}.Import(t.Context(), a.app)
		is.NoErr(err)
		a.from(client, other, http.MethodGet, "/v1/coupons")
		var wg sync.WaitGroup
		for range max(1, limiter.Processors()/2) {
			wg.Go(func() { a.get(t.Context(), "/v1/categories") })
		}
		synctest.Wait()
		is.Equal(a.get(t.Context(), "/v2/export").Code, http.StatusServiceUnavailable)
		close(end)
		wg.Wait()
		is.Equal(a.get(t.Context(), "/v2/export").Code, http.StatusOK)
		is.Equal(a.handler.Admission()["school"].Running, 0)
	})
}

// A school renders a page at once while another school renders as many large pages as it can.
func TestLargePagesLeaveASlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		a := newAPI(t, httpapi.Config{}, always)
		busy, other := school.ID{UUID: uuid.UUID{1}}, school.ID{UUID: uuid.UUID{2}}
		var pages sync.WaitGroup
		for range limiter.Processors() + 1 {
			pages.Go(func() {
				if end, err := a.handler.BeginRendering(t.Context(), busy); err == nil {
					time.Sleep(time.Second)
					end()
				}
			})
		}
		synctest.Wait()
		started := time.Now()
		end, err := a.handler.BeginRendering(t.Context(), other)
		is.NoErr(err)
		end()
		is.Equal(time.Since(started), time.Duration(0))
		pages.Wait()
	})
}

// Renderings use a part of the processors, and schools take turns.
func TestRenderingsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		a := newAPI(t, httpapi.Config{}, always)
		busy, other := school.ID{UUID: uuid.UUID{1}}, school.ID{UUID: uuid.UUID{2}}
		var held []func()
		for range limiter.Processors() + 1 {
			end, err := a.handler.BeginRendering(t.Context(), school.ID{UUID: uuid.New()})
			is.NoErr(err)
			held = append(held, end)
		}
		order := make(chan school.ID, 11)
		render := func(of school.ID) {
			end, err := a.handler.BeginRendering(t.Context(), of)
			if err == nil {
				order <- of
				end()
			}
		}
		for range 10 {
			go render(busy)
			synctest.Wait()
		}
		go render(other)
		synctest.Wait()
		held[0]()
		synctest.Wait()
		is.Equal(<-order, busy)
		is.Equal(<-order, other) // it did not wait for all others of the busy school
		for range 9 {
			is.Equal(<-order, busy)
		}
	})
}

// The work of uploads after the files have arrived counts toward the requests of the school, so that
// uploads that wait for locks leave slots, and connections to the database, to other keys.
func TestUploadsTakeTurnsWithRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		end := make(chan struct{})
		a := newHookedAPI(t, httpapi.Config{}, func(_ context.Context, call string) error {
			if call == "Tx.Submissions.Add" {
				<-end
			}
			return nil
		})
		person, assignment := uuid.NewString(), uuid.NewString()
		_, key, err := schoolWithAssignment(person, assignment).Import(t.Context(), a.app)
		is.NoErr(err)
		a.from(client, a.key, http.MethodGet, "/v1/coupons") // another school is active
		const uploads = 6
		var wg sync.WaitGroup
		for range uploads {
			form := "--part\r\nContent-Disposition: form-data; name=\"person\"\r\n\r\n" + person +
				"\r\n--part\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nx\r\n--part--\r\n"
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v2/assignments/"+assignment+"/submissions", strings.NewReader(form))
			r.Header.Set("X-Api-Key", key)
			r.Header.Set("Content-Type", "multipart/form-data; boundary=part")
			wg.Go(func() { a.serve(r) })
		}
		synctest.Wait()
		running := a.handler.Admission()
		is.Equal(running["upload"].Running, uploads)
		is.Equal(running["yielding"].Running+running["yielding"].Waiting, uploads)
		is.True(running["school"].Running <= max(2, limiter.Processors())) // of one more
		close(end)
		wg.Wait()
		is.Equal(a.handler.Admission()["school"].Running, 0)
	})
}
