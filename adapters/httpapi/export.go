package httpapi

import (
	"fmt"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/redact"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
)

// exportPath is where a whole school is fetched.
const exportPath = "/v2/export"

// mediaLines is the media type of lines of JSON.
const mediaLines = "application/x-ndjson"

// export answers with the whole school, while the client reads at the least rate
// and until the end of the context. What fails on the way breaks the connection, so that nobody takes a
// part for the whole.
func (s *server) export(c *gin.Context, a app.Actor) error {
	if !acceptsLines(c.Request.Header.Values("Accept")) {
		return respond.Refusef(http.StatusNotAcceptable, "This path answers with %s", mediaLines)
	}
	h := c.Writer.Header()
	if c.Request.Method == http.MethodHead {
		exportHeaders(h)
		c.Status(http.StatusOK)
		c.Writer.WriteHeaderNow()
		return nil
	}
	slot, err := s.Lanes.Enter(c.Request.Context(), s.Lanes.Exports, respond.StateOf(c).Origin(),
		"Other exports are being written; ask again when they are done")
	defer slot.Release()
	if err != nil {
		return err
	}
	exportHeaders(h)
	w := &patient{
		ResponseWriter: c.Writer, control: http.NewResponseController(c.Writer),
		pace: limits.NewPace(s.cfg.ExportPause, s.cfg.ExportRate),
	}
	_ = w.control.SetReadDeadline(time.Time{}) // the request is read; its limit in time must not end the answer
	err = s.app.Transfers.Export(c.Request.Context(), a, w, nil)
	if err == nil {
		return nil
	}
	if c.Writer.Written() {
		s.Log.WarnContext(c.Request.Context(), "export broken off",
			"request_id", respond.StateOf(c).RequestID, "error", redact.Text(err.Error()))
		panic(http.ErrAbortHandler)
	}
	for name := range exportHead {
		h.Del(name)
	}
	return err
}

// exportHead is what is said of an export.
var exportHead = map[string]string{
	"Content-Type":        mediaLines,
	"Content-Disposition": "attachment; filename=school.jsonl",
	"Cache-Control":       respond.NoCache,
}

func exportHeaders(h http.Header) {
	for name, value := range exportHead {
		h.Set(name, value)
	}
}

// patient writes to a client for as long as the client keeps to the pace.
type patient struct {
	http.ResponseWriter
	control *http.ResponseController
	pace    limits.Pace
}

// Write writes a piece. Time in which nothing is written does not count.
func (p *patient) Write(b []byte) (int, error) {
	begin := time.Now()
	_ = p.control.SetWriteDeadline(p.pace.Deadline(begin)) // a server that cannot grant it is just stricter
	n, err := p.ResponseWriter.Write(b)
	p.pace.Moved(n, time.Since(begin))
	if err != nil {
		return n, fmt.Errorf("write the export: %w", err)
	}
	return n, nil
}

// acceptsLines reports whether Accept headers let lines of JSON through. If they have
// no range that is understood, anything is fine.
func acceptsLines(headers []string) bool {
	var lines preference
	understood := false
	for name, params := range mediaRanges(headers) {
		understood = true
		switch name {
		case "*/*":
			lines.take(quality(params["q"]), anything)
		case "application/*":
			lines.take(quality(params["q"]), anyApplication)
		case mediaLines:
			lines.take(quality(params["q"]), exact)
		}
	}
	return !understood || lines.q > 0
}
