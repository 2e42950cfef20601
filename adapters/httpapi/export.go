package httpapi

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/lists"
	"lyceum/adapters/httpapi/middleware"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
	"lyceum/domain/fault"
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
	export := s.app.Transfers.Export
	for _, p := range respond.StateOf(c).Query {
		switch {
		case p.Name != "ids":
		case p.Value == "true":
			export = s.app.Transfers.ExportWithIDs
		case p.Value != "false":
			return fault.Malformedf("ids", "must be true or false")
		}
	}
	ctx := c.Request.Context()
	return s.lists.Stream(c, exportHeaders, s.lists.ExportPace, func(w lists.Flusher) error {
		shared, err := s.lists.Sharing(ctx, respond.StateOf(c).Client(), w)
		defer shared.Release()
		if err != nil {
			return err
		}
		return export(ctx, a, shared, nil)
	})
}
