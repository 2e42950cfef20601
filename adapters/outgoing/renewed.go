package outgoing

import (
	"net/http"
	"sync"
	"time"
)

// transportLife is how long a transport is used.
const transportLife = time.Minute

// renewed is a transport that is replaced with another one after transportLife. An http.Transport
// keeps the URLs of hosts to which it never got a connection, for its whole life; a URL can contain a
// token, and its endpoint can have been deleted.
type renewed struct {
	create func() *http.Transport

	mu      sync.Mutex
	current *http.Transport // nil: none at present
}

// RoundTrip implements http.RoundTripper.
func (t *renewed) RoundTrip(r *http.Request) (*http.Response, error) { return t.get().RoundTrip(r) }

func (t *renewed) get() *http.Transport {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.current == nil {
		t.current = t.create()
		time.AfterFunc(transportLife, t.drop)
	}
	return t.current
}

// drop discards the current transport. Requests that use it end as usual.
func (t *renewed) drop() {
	t.mu.Lock()
	old := t.current
	t.current = nil
	t.mu.Unlock()
	if old != nil {
		old.CloseIdleConnections()
	}
}
