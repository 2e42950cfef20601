package outgoing

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
)

// A transport is used for transportLife. The next request gets another one, also if no request came in
// the meantime.
func TestTransportsAreRenewed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		r := &renewed{create: func() *http.Transport { return &http.Transport{} }}
		first := r.get()
		time.Sleep(transportLife - time.Millisecond)
		is.Equal(r.get(), first)
		time.Sleep(2 * time.Millisecond)
		is.Equal(r.current, nil) // nothing keeps the first one
		is.True(r.get() != first)
		time.Sleep(2 * transportLife)
	})
}
