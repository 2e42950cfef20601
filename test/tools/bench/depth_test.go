package bench_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"testing"
	"time"

	"lyceum/adapters/clock"
	"lyceum/adapters/demo"
	"lyceum/adapters/files"
	"lyceum/adapters/httpapi"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/app"
	"lyceum/test/kit"
	"lyceum/test/kit/fake"
	"lyceum/test/kit/pgtest"
)

// deepRows is the number of rows in each list.
const deepRows = 100_000

// BenchmarkFollowedPages compares, on Postgres, the first page of a list with pages at several
// depths, which are requested by their cursors in links.next. The requests alternate, so that other
// load on the machine affects all of them equally:
//
//	go test -tags nomsgpack -run '^$' -bench FollowedPages -benchtime 300x -timeout 30m ./test/tools/bench
//
// The results are the median time of the first page and, as x10, x50 and x95, the ratios of the
// medians at 10, 50 and 95 percent of the list to it.
func BenchmarkFollowedPages(b *testing.B) {
	db, err := pgdb.Open(b.Context(), pgdb.Config{DSN: pgtest.DSN(b)})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	store := postgres.New(db)
	a := app.New(store, store.Schools(), store.Queue(), files.NewMemory(), fake.NewInvitationSender(), clock.System{}, clock.Random{})
	_, secret, err := kit.Import(b.Context(), a, demo.Generated("Deep", demo.Size{
		People: deepRows, Coupons: deepRows, Events: deepRows, Enrollments: deepRows, Courses: 100, Seed: 7,
	}))
	if err != nil {
		b.Fatal(err)
	}
	analyze(b)
	s := &bench{key: secret, handler: httpapi.New(a, httpapi.Config{}, slog.New(slog.DiscardHandler))}
	depths := []int{10, 50, 95}
	for _, list := range []string{"/v2/people", "/v2/events", "/v2/activity_completions", "/v2/coupons"} {
		b.Run(list[len("/v2/"):], func(b *testing.B) {
			targets := []string{list + "?limit=25"}
			for _, depth := range depths {
				targets = append(targets, s.next(b, fmt.Sprintf("%s?limit=25&page=%d", list, deepRows/25*depth/100)))
			}
			took := make([][]time.Duration, len(targets))
			for b.Loop() {
				for i, target := range targets {
					began := time.Now()
					s.do(b, http.MethodGet, target, "", http.StatusOK)
					took[i] = append(took[i], time.Since(began))
				}
			}
			for i := range took {
				slices.Sort(took[i])
				took[i] = took[i][len(took[i])/2:]
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(took[0][0].Seconds()*1000, "first-ms")
			for i, depth := range depths {
				b.ReportMetric(float64(took[i+1][0])/float64(took[0][0]), fmt.Sprintf("x%d", depth))
			}
		})
	}
}

// next returns links.next of a page, without scheme and host.
func (s *bench) next(b *testing.B, target string) string {
	b.Helper()
	r := httptest.NewRequestWithContext(b.Context(), http.MethodGet, target, nil)
	r.Header.Set("X-Api-Key", s.key)
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	var page struct{ Links struct{ Next string } }
	if err := json.Unmarshal(w.Body.Bytes(), &page); err != nil || page.Links.Next == "" {
		b.Fatalf("%s: no next page: %d %s", target, w.Code, w.Body)
	}
	next, err := url.Parse(page.Links.Next)
	if err != nil {
		b.Fatal(err)
	}
	return next.RequestURI()
}
