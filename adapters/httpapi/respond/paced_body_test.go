package respond_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/respond"
	"lyceum/adapters/limiter"
)

// While another school is active, an upload waits like other requests of its school, and does not
// fail if it waits longer than they may.
func TestUploadsAreSpaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		neighbors := new(limiter.Neighbors)
		r := &respond.Responder{
			Spacings:    limits.NewSpacings(limits.Admission{Wait: time.Second}, neighbors),
			UploadPause: time.Second, UploadRate: 1,
		}
		mine, other := limiter.Origin{School: [16]byte{1}}, limiter.Origin{School: [16]byte{2}}
		perSecond := 1000 * limiter.Processors() // units
		file := make([]byte, perSecond*32<<10)
		upload := func() time.Duration {
			begin := time.Now()
			control := http.NewResponseController(httptest.NewRecorder())
			n, err := io.Copy(io.Discard, struct{ io.Reader }{r.PacedBody(t.Context(), control, bytes.NewReader(file), mine)})
			is.NoErr(err)
			is.Equal(n, int64(len(file)))
			return time.Since(begin)
		}
		is.Equal(upload(), time.Duration(0))
		is.NoErr(r.Spacings.Schools.WaitBesideOthers(t.Context(), other, 1))
		is.Equal(upload().Round(100*time.Millisecond), time.Second)
		r.Spacings.Schools.ChargeBesideOthers(mine, 5*perSecond)
		is.Equal(upload().Round(100*time.Millisecond), 6*time.Second)
	})
}
