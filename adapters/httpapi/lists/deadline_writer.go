package lists

import (
	"fmt"
	"net/http"
	"time"

	"lyceum/adapters/httpapi/limits"
)

// deadlineWriter writes to a client until the client is too slow (limits.Pace).
type deadlineWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	pace    limits.Pace

	// check returns an error if the stream must end. It is called at most once every checkInterval.
	check   func() error
	checked time.Time
}

// checkInterval is the minimum time between two checks of the credentials during a stream.
const checkInterval = 2 * time.Second

// Write writes to the client. The time between calls does not count toward the pace.
func (p *deadlineWriter) Write(b []byte) (int, error) {
	begin := time.Now()
	if begin.Sub(p.checked) >= checkInterval {
		if err := p.check(); err != nil {
			return 0, err
		}
		p.checked = begin
	}
	_ = p.control.SetWriteDeadline(p.pace.Deadline(begin))
	n, err := p.ResponseWriter.Write(b)
	p.pace.Moved(n, time.Since(begin))
	if err != nil {
		return n, fmt.Errorf("write the export: %w", err)
	}
	return n, nil
}

// Flush sends everything that has been written so far. Its time counts toward the pace, as in
// Write.
func (p *deadlineWriter) Flush() error {
	begin := time.Now()
	_ = p.control.SetWriteDeadline(p.pace.Deadline(begin))
	err := p.control.Flush()
	p.pace.Moved(0, time.Since(begin))
	return err
}
