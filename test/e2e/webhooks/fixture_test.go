// Package webhooks_test tests the delivery of webhooks to real receivers, on both stores.
package webhooks_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"lyceum/adapters/files"
	"lyceum/adapters/httpapi"
	"lyceum/adapters/limiter"
	"lyceum/adapters/outgoing"
	sender "lyceum/adapters/webhooks"
	"lyceum/app"
	"lyceum/domain/query"
	"lyceum/domain/webhook"
	"lyceum/ports"
	"lyceum/test/kit"
	"lyceum/test/kit/fake"
	"lyceum/test/kit/pgtest"
	"lyceum/test/kit/stores"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// timeout is the timeout of a message. The server uses five seconds.
const timeout = time.Second

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

// school is a school on an instance of the server, whose workers run when a test calls them.
type school struct {
	*testing.T
	*app.App
	backend stores.Backend
	api     *httpapi.API
	key     string
	actor   app.Actor
	clock   *fake.Clock
	ids     *fake.IDs
}

// instance returns an instance of the server on a store.
func instance(t *testing.T, b stores.Backend, clock *fake.Clock, ids *fake.IDs) school {
	t.Helper()
	a := app.New(b.Store, b.Schools, b.Queue, files.NewMemory(), fake.NewInvitationSender(), clock, ids)
	a.SetServerSecret("a secret of the server, long enough")
	client := outgoing.NewClient(outgoing.Config{Allowed: loopback, Timeout: timeout, MaxBody: sender.MaxBody})
	a.Webhooks.SetSender(sender.New(client, limiter.New(limiter.Config{Waiting: 100, Wait: time.Minute})), loopback)
	api := httpapi.New(a, httpapi.Config{Links: httpapi.Links{Base: "https://api.example.test", App: "https://app.example.test/{school}"}}, slog.New(slog.DiscardHandler))
	a.Webhooks.SetDocuments(api.ChangeDocument)
	return school{T: t, App: a, backend: b, api: api, clock: clock, ids: ids}
}

// newSchool returns a school on a new instance.
func newSchool(t *testing.T, b stores.Backend) school {
	t.Helper()
	is := is.New(t)
	s := instance(t, b, fake.NewClock(time.Now()), fake.NewIDs()) // receivers compare the time of messages with their own
	var err error
	_, s.key, err = kit.School{Name: "Acme"}.Import(t.Context(), s.App)
	is.NoErr(err)
	s.actor, err = s.Auth.Authenticate(t.Context(), s.key)
	is.NoErr(err)
	return s
}

// request is a request that a receiver got.
type request struct {
	header http.Header
	body   string
}

// receiver is an HTTP server that receives webhooks.
type receiver struct {
	url string

	mu   sync.Mutex
	got  []request
	next func(w http.ResponseWriter, r *http.Request) // nil: the receiver accepts every message
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	r.url = server.URL + "/hook"
	return r
}

// ServeHTTP implements http.Handler.
func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, _ := io.ReadAll(req.Body)
	r.mu.Lock()
	r.got = append(r.got, request{req.Header, string(body)})
	next := r.next
	r.mu.Unlock()
	if next != nil {
		next(w, req)
	}
}

// respond sets how the receiver responds; nil: it accepts every message.
func (r *receiver) respond(h http.HandlerFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next = h
}

// take returns the requests since the last call.
func (r *receiver) take() []request {
	r.mu.Lock()
	defer r.mu.Unlock()
	got := r.got
	r.got = nil
	return got
}

// status returns a handler that responds with a status.
func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// verified reports whether a message has a valid signature.
func verified(r request, secret string) bool {
	w, err := standardwebhooks.NewWebhook(secret)
	return err == nil && w.Verify([]byte(r.body), r.header) == nil
}

// endpoint adds an endpoint for all types, and returns its ID and secret.
func (s school) endpoint(url string, types ...string) (webhook.ID, string) {
	s.Helper()
	c := webhook.Changes{URL: &url}
	if types != nil {
		c.Types = &types
	}
	e, secret, err := s.Webhooks.Create(s.Context(), s.actor, c)
	if err != nil {
		s.Fatal(err)
	}
	return e.ID, secret
}

// category creates a category, which is one change.
func (s school) category(name string) {
	s.Helper()
	if _, err := s.Categories.Create(s.Context(), s.actor, name); err != nil {
		s.Fatal(err)
	}
}

// queuePings queues n messages without a change, and no job that sends them.
func (s school) queuePings(id webhook.ID, n int) {
	s.Helper()
	pings := make([]webhook.Delivery, n)
	for i := range pings {
		pings[i] = webhook.NewDelivery(webhook.DeliveryID{UUID: uuid.New()}, id, 0, s.clock.Now())
	}
	err := s.backend.Store.InTx(s.Context(), s.actor.School(), func(ctx context.Context, tx ports.Tx) error {
		return tx.Webhooks.Queue(ctx, pings)
	})
	if err != nil {
		s.Fatal(err)
	}
}

// follow queues the messages about all changes.
func (s school) follow() {
	s.Helper()
	for more := true; more; {
		var err error
		if more, err = s.Followers.Next(s.Context()); err != nil {
			s.Fatal(err)
		}
	}
}

// work runs the workers until they have nothing to do.
func (s school) work() {
	s.Helper()
	for more := true; more; {
		followed, err := s.Followers.Next(s.Context())
		if err != nil {
			s.Fatal(err)
		}
		delivered, err := s.Webhooks.DeliverNext(s.Context())
		if err != nil {
			s.Fatal(err)
		}
		more = followed || delivered
	}
}

// deliveries returns all deliveries, in the order of their changes.
func (s school) deliveries() []webhook.Delivery {
	s.Helper()
	found, err := s.Webhooks.Deliveries(s.Context(), s.actor, query.Query{
		Sort: []query.Order{{Attr: webhook.DeliverySchema.Attr("change.id")}}, Page: query.AllRows(),
	})
	if err != nil {
		s.Fatal(err)
	}
	return found.Items
}

// get returns the body of a response of the API.
func (s school) get(path string) string {
	s.Helper()
	r := httptest.NewRequestWithContext(s.Context(), http.MethodGet, path, http.NoBody)
	r.Header.Set("X-Api-Key", s.key)
	w := httptest.NewRecorder()
	s.api.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		s.Fatal(w.Code, w.Body)
	}
	return w.Body.String()
}

// canceled returns a context that ends after a time.
func canceled(t *testing.T, after time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), after)
	t.Cleanup(cancel)
	return ctx
}
