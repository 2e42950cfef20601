package academy_test

import (
	"net/http"
	"sync"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/adapters/web"
	"lyceum/adapters/web/teaching"
	"lyceum/cmd/server"
)

// TestSearchesOfTheAppNeedAdmission checks that searches of the teaching app wait for the few slots
// of expensive requests. With one slot and one place in its queue, some of many concurrent
// searches must be refused.
func TestSearchesOfTheAppNeedAdmission(t *testing.T) {
	is := is.New(t)
	cfg := server.Defaults()
	cfg.DemoKey, cfg.DemoSlug = demo.Key, demo.Slug
	cfg.Demo = []web.DemoPerson{{School: demo.SchoolID, Role: "owner", Email: "eleanor.hartley@example.test"}}
	cfg.Admission.Slots, cfg.Admission.Expensive = 400, 1
	cfg.Admission.Waiting, cfg.Admission.RefusalDelay = 1, 0
	base := serveWith(t, cfg)
	owner := newBrowser(t)
	open(t, owner, http.MethodPost, base+web.Prefix+"/"+demo.Slug+"/demo", form, "role=owner")
	statuses := func(query string) map[int]int {
		seen, mu := map[int]int{}, sync.Mutex{}
		var visits sync.WaitGroup
		for range 30 {
			visits.Go(func() {
				status, _, _ := open(t, owner, http.MethodGet, base+teaching.Prefix+"/"+demo.Slug+"/people"+query, nil, "")
				mu.Lock()
				defer mu.Unlock()
				seen[status]++
			})
		}
		visits.Wait()
		return seen
	}
	refused := 0
	for range 50 {
		seen := statuses("?q=a")
		is.Equal(seen[http.StatusOK]+seen[http.StatusServiceUnavailable], 30)
		if refused = seen[http.StatusServiceUnavailable]; refused > 0 {
			break
		}
	}
	is.True(refused > 0)
	is.Equal(statuses(""), map[int]int{http.StatusOK: 30}) // the list itself is cheap
}
