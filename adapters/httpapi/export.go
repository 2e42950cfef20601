package httpapi

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/middleware"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
)

// exportPath is the path of the export of a school.
const exportPath = "/v2/export"

// mediaLines is the media type of JSON lines.
const mediaLines = "application/x-ndjson"

var exportHeaders = map[string]string{
	"Content-Type":        mediaLines,
	"Content-Disposition": "attachment; filename=school.jsonl",
	"Cache-Control":       respond.NoCache,
}

// export streams all records of the school as JSON lines.
func (s *server) export(c *gin.Context, a app.Actor) error {
	if !middleware.Accepts(c.Request.Header.Values("Accept"), mediaLines) {
		return respond.HTTPErrorf(http.StatusNotAcceptable, "This path produces only %s", mediaLines)
	}
	return s.stream(c, exportHeaders, func(w flusher) error {
		return s.app.Transfers.Export(c.Request.Context(), a, w, nil)
	})
}
