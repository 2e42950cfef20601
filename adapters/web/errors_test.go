package web_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/school"
	"lyceum/test/kit/stores"
)

// A page that the store does not answer in time asks the visitor to try again.
func TestTimeoutIsTemporary(t *testing.T) {
	is := is.New(t)
	a := newAcademy(t, func(*testing.T) stores.Backend { return stores.Memory() }, school.Preregistration)
	b := a.signedIn(t, jiwoo)
	a.failure = fmt.Errorf("store: %w", context.DeadlineExceeded)
	p := b.get("/courses")
	is.Equal(p.status, http.StatusServiceUnavailable)
	is.Equal(p.header.Get("Retry-After"), "1")
}

// A page whose client has closed the connection is no failure of the server.
func TestClosedConnectionIsNoFailure(t *testing.T) {
	is := is.New(t)
	a := newAcademy(t, func(*testing.T) stores.Backend { return stores.Memory() }, school.Preregistration)
	b := a.signedIn(t, jiwoo)
	a.failure = fmt.Errorf("store: %w", context.Canceled)
	is.Equal(b.get("/courses").status, 499)
}
