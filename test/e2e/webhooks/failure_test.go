package webhooks_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/webhook"
	"lyceum/test/kit/stores"
)

// TestToxicReceivers tests how receivers that do not accept messages are shown.
func TestToxicReceivers(t *testing.T) {
	private := newReceiver(t)
	for name, tt := range map[string]struct {
		respond http.HandlerFunc
		url     string // instead of a receiver
		status  int
		why     string
		done    bool
	}{
		"500":           {respond: status(500), status: 500},
		"404":           {respond: status(404), status: 404},
		"a redirect":    {respond: http.RedirectHandler(private.url, http.StatusTemporaryRedirect).ServeHTTP, status: 307},
		"no response":   {respond: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, why: "No response in time"},
		"no connection": {url: "http://127.0.0.1:1/", why: "The connection failed"},
		"a private address": {
			url: "https://10.0.0.1/", why: "The host has no public address",
		},
		"an unknown host":        {url: "https://unknown.invalid/", why: "The host has no public address"},
		"metadata of the server": {url: "https://169.254.169.254/", why: "The host has no public address"},
		"an endless body": {respond: func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := w.Write(make([]byte, 4096)); err != nil {
					return
				}
			}
		}, status: 200, done: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			is := is.New(t)
			s, r := newSchool(t, stores.Memory()), newReceiver(t)
			r.respond(tt.respond)
			url := tt.url
			if url == "" {
				url = r.url
			}
			s.endpoint(url)
			s.category("One")
			begin := time.Now()
			s.work()
			is.True(time.Since(begin) < 3*timeout)
			d := s.deliveries()[0]
			is.Equal(d.Status == webhook.Succeeded, tt.done)
			is.Equal(d.LastStatus, tt.status)
			is.Equal(d.LastError, tt.why)
			is.Equal(d.Attempts, 1)
			is.Equal(len(private.take()), 0)
			if !tt.done {
				is.True(d.NextAttemptAt.After(s.clock.Now()))
				r.respond(nil)
				s.clock.Advance(time.Minute)
				s.work()
				is.Equal(s.deliveries()[0].Status == webhook.Succeeded, tt.url == "")
			}
		})
	}
}

// TestFailuresAreIsolated tests that neither a failing message, nor a failing endpoint, nor a failing
// school blocks others.
func TestFailuresAreIsolated(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s, works, fails, hangs := newSchool(t, open(t)), newReceiver(t), newReceiver(t), newReceiver(t)
		s.endpoint(hangs.url)
		s.endpoint(fails.url)
		s.endpoint(works.url)
		hangs.respond(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		first := true
		fails.respond(func(w http.ResponseWriter, _ *http.Request) {
			if first { // one message at a time reaches a school that has one due message
				w.WriteHeader(http.StatusInternalServerError)
			}
		})
		s.category("Poison")
		s.work()
		is.Equal(len(works.take()), 1)
		first = false
		for i := range 40 {
			s.category("Category " + strings.Repeat("x", i))
		}
		fails.take()
		begin := time.Now()
		s.work()
		is.True(time.Since(begin) < 20*timeout) // the endpoint without response is paused
		is.Equal(len(works.take()), 40)
		is.Equal(len(fails.take()), 40) // the first message is not due yet
		is.True(len(hangs.take()) < 20)
		s.clock.Advance(time.Minute)
		s.work()
		is.Equal(len(fails.take()), 1)
	})
}

// TestSlowReceiverEndsTheBatch tests that a job sends no further messages to a receiver that takes
// seconds to respond, and that later jobs send them.
func TestSlowReceiverEndsTheBatch(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s, slow := newSchool(t, open(t)), newReceiver(t)
		s.endpoint(slow.url)
		for i := range 40 {
			s.category("Category " + strings.Repeat("x", i))
		}
		s.follow()
		slow.respond(func(w http.ResponseWriter, _ *http.Request) {
			s.clock.Advance(2 * time.Second)
			w.WriteHeader(http.StatusNoContent)
		})
		more, err := s.Webhooks.DeliverNext(t.Context())
		is.NoErr(err)
		is.True(more)
		first := len(slow.take())
		is.True(0 < first && first <= 16)
		s.work()
		is.Equal(len(slow.take()), 40-first)
	})
}

// TestChangedEndpointEndsTheBatch tests that no message begins at the old address after an endpoint
// was deleted or disabled or got another address.
func TestChangedEndpointEndsTheBatch(t *testing.T) {
	no := false
	for name, change := range map[string]func(s school, id webhook.ID, other string) error{
		"deleted": func(s school, id webhook.ID, _ string) error { return s.Webhooks.Delete(s.Context(), s.actor, id) },
		"disabled": func(s school, id webhook.ID, _ string) error {
			_, err := s.Webhooks.Update(s.Context(), s.actor, id, webhook.Changes{Enabled: &no})
			return err
		},
		"moved": func(s school, id webhook.ID, other string) error {
			_, err := s.Webhooks.Update(s.Context(), s.actor, id, webhook.Changes{URL: &other})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			stores.Each(t, func(t *testing.T, open stores.Opener) {
				is := is.New(t)
				s, old, other := newSchool(t, open(t)), newReceiver(t), newReceiver(t)
				id, _ := s.endpoint(old.url)
				for i := range 30 {
					s.category("Category " + strings.Repeat("x", i))
				}
				s.follow()
				var once sync.Once
				old.respond(func(w http.ResponseWriter, _ *http.Request) {
					once.Do(func() { is.NoErr(change(s, id, other.url)) })
					w.WriteHeader(http.StatusNoContent)
				})
				s.work()
				first := len(old.take())
				is.True(first <= 15) // eight at a time; one of them changes the endpoint
				is.Equal(len(other.take()), map[string]int{"moved": 30 - first}[name])
			})
		})
	}
}

// TestEndpointIsDisabled tests the reasons for which the server disables an endpoint.
func TestEndpointIsDisabled(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s, gone, fails := newSchool(t, open(t)), newReceiver(t), newReceiver(t)
		gone.respond(status(http.StatusGone))
		fails.respond(status(http.StatusServiceUnavailable))
		first, _ := s.endpoint(gone.url)
		second, _ := s.endpoint(fails.url)
		s.category("One")
		s.work()
		e, err := s.Webhooks.Get(t.Context(), s.actor, first)
		is.NoErr(err)
		is.True(!e.Enabled)
		is.Equal(e.Disabled, "The endpoint responded with 410 Gone")
		for range 100 {
			s.clock.Advance(time.Hour)
			s.work()
		}
		e, err = s.Webhooks.Get(t.Context(), s.actor, second)
		is.NoErr(err)
		is.True(!e.Enabled)
		is.True(strings.HasPrefix(e.Disabled, "No delivery has succeeded since "))
		is.True(slices.ContainsFunc(s.deliveries(), func(d webhook.Delivery) bool { return d.Endpoint == second && d.Attempts > 10 }))
		for _, d := range s.deliveries() {
			is.Equal(d.Status, webhook.Failed)
		}
		fails.take()
		s.category("Two")
		s.work()
		is.Equal(len(s.deliveries()), 2) // nothing is queued for a disabled endpoint
		fails.respond(nil)
		yes := true
		_, err = s.Webhooks.Update(t.Context(), s.actor, second, webhook.Changes{Enabled: &yes})
		is.NoErr(err)
		s.category("Three")
		s.work()
		is.Equal(len(fails.take()), 1)
	})
}
