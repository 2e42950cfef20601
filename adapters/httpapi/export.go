package httpapi

import (
	"io"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/compress"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/middleware"
	"lyceum/adapters/httpapi/redact"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
)

// exportPath is the path of the export of a school.
const exportPath = "/v2/export"

// mediaLines is the media type of JSON lines.
const mediaLines = "application/x-ndjson"

// export streams the whole school while the client keeps to the pace, until the end of the context.
// An error after the start of the response aborts the connection, so that the client cannot mistake
// a truncated body for a complete one.
func (s *server) export(c *gin.Context, a app.Actor) error {
	if !middleware.Accepts(c.Request.Header.Values("Accept"), mediaLines) {
		return respond.HTTPErrorf(http.StatusNotAcceptable, "This path produces only %s", mediaLines)
	}
	h := c.Writer.Header()
	if c.Request.Method == http.MethodHead {
		setExportHeaders(h)
		c.Status(http.StatusOK)
		c.Writer.WriteHeaderNow()
		return nil
	}
	slot, err := s.Lanes.Enter(c.Request.Context(), s.Lanes.Exports, respond.StateOf(c).Origin(),
		"Too many exports are running. Try again later")
	defer slot.Release()
	if err != nil {
		return err
	}
	setExportHeaders(h)
	w := &deadlineWriter{
		ResponseWriter: c.Writer, control: http.NewResponseController(c.Writer),
		pace: limits.NewPace(s.cfg.ExportPause, s.cfg.ExportRate),
	}
	_ = w.control.SetReadDeadline(time.Time{}) // the request is read; its deadline must not end the response
	if err = s.exportTo(c, a, w); err == nil {
		return nil
	}
	if c.Writer.Written() {
		s.Log.WarnContext(c.Request.Context(), "export aborted",
			"request_id", respond.StateOf(c).RequestID, "error", redact.Text(err.Error()))
		panic(http.ErrAbortHandler)
	}
	for name := range exportHeaders {
		h.Del(name)
	}
	h.Del("Content-Encoding")
	return err
}

// exportTo writes the export to w, compressed if the client accepts that. w counts the bytes that
// are sent.
func (s *server) exportTo(c *gin.Context, a app.Actor, w io.Writer) error {
	if !s.Compresses(c) {
		return s.app.Transfers.Export(c.Request.Context(), a, w, nil)
	}
	c.Header("Content-Encoding", compress.Encoding)
	zipped := compress.NewStream(w)
	if err := s.app.Transfers.Export(c.Request.Context(), a, zipped, nil); err != nil {
		zipped.Abort()
		return err
	}
	return zipped.Close()
}

var exportHeaders = map[string]string{
	"Content-Type":        mediaLines,
	"Content-Disposition": "attachment; filename=school.jsonl",
	"Cache-Control":       respond.NoCache,
}

func setExportHeaders(h http.Header) {
	for name, value := range exportHeaders {
		h.Set(name, value)
	}
}
