package readonly_test

import (
	"lyceum/adapters/memory"
	"lyceum/cmd/server"
	"lyceum/domain/reconcile"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/conformance/storetest"
	"lyceum/test/lyceumtest"
	"strings"
	"sync/atomic"
	"testing"

	"academy.example/readonly"
)

// While the store is writable, it satisfies every promise of package ports.
func TestConformance(t *testing.T) {
	readOnly := func() bool { return false }
	open := func() storetest.Backend {
		s := memory.New()
		around := readonly.Around(s, readOnly)
		return storetest.Backend{Store: around, Schools: s.Schools(), Queue: s.Queue(), Loader: around, Serial: true}
	}
	storetest.Run(t, func(t *testing.T) storetest.Backend {
		b := open()
		b.Run = func(*testing.T, string) (storetest.Backend, func()) { return open(), func() {} }
		b.Computed = []reconcile.Value{reconcile.PersonPartnerships, reconcile.CourseAnalytics, reconcile.FeedGaps}
		b.Damage = func(t *testing.T, _ school.ID, _ storetest.Damage) {
			t.Skip("the tests of the wrapped store cover the repair of damage")
		}
		return b
	})
}

func TestReadOnly(t *testing.T) {
	var moving atomic.Bool
	s := lyceumtest.Start(t, lyceumtest.With(server.WithStore(func(s ports.Store) ports.Store {
		return readonly.Around(s, moving.Load)
	})))
	const group = `{"data": {"type": "groups", "attributes": {"name": "Algebraists"}}}`
	wants := func(method, path, body string, status int) {
		t.Helper()
		got, text, err := s.Do(t.Context(), method, path, body)
		if err != nil || got != status {
			t.Errorf("%s %s: %d %s %v", method, path, got, text, err)
		}
	}
	wants("POST", "/v2/groups", group, 201)
	moving.Store(true)
	wants("POST", "/v2/groups", strings.Replace(group, "Algebra", "Geometr", 1), 503)
	wants("GET", "/v2/groups", "", 200)
	moving.Store(false)
	wants("POST", "/v2/groups", strings.Replace(group, "Algebra", "Geometr", 1), 201)
}
