package respond

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/limiter"
)

const (
	// uploadPerUnit is the number of bytes of a file that count as one request. Reading, hashing and
	// writing them takes about as much processor time.
	uploadPerUnit = 32 << 10
	// uploadRetry is the pause of an upload whose delay would be too long for a request.
	uploadRetry = 100 * time.Millisecond
)

// PacedBody returns a reader of body for an upload of o. Its reads fail if the client is too slow
// (limits.Pace). While another school is active, they wait if the school exceeds its rate. The end
// of ctx does not end a wait, because it can end before an upload does.
func (r *Responder) PacedBody(ctx context.Context, control *http.ResponseController, body io.Reader, o limiter.Origin) io.Reader {
	return &pacedBody{
		body: body, control: control, pace: limits.NewPace(r.UploadPause, r.UploadRate),
		wait: func(units int) {
			ctx := context.WithoutCancel(ctx)
			for errors.Is(r.Spacings.Schools.WaitBesideOthers(ctx, o, units), limiter.ErrTimeout) {
				_ = limiter.Pause(ctx, uploadRetry)
			}
		},
	}
}

type pacedBody struct {
	body    io.Reader
	control *http.ResponseController
	pace    limits.Pace
	wait    func(units int)
	rest    int // bytes that were read and do not count yet
}

// Read reads from the client. The time between calls, and the time of waits, does not count toward
// the pace.
func (b *pacedBody) Read(p []byte) (int, error) {
	begin := time.Now()
	_ = b.control.SetReadDeadline(b.pace.Deadline(begin)) // if it fails, the server's own deadline applies
	n, err := b.body.Read(p)
	b.pace.Moved(n, time.Since(begin))
	if b.rest += n; b.rest >= uploadPerUnit {
		b.wait(b.rest / uploadPerUnit)
		b.rest %= uploadPerUnit
	}
	return n, err
}
