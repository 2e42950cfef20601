package downloads

import (
	"context"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
	"lyceum/domain/school"
	"lyceum/domain/submission"
	"lyceum/domain/text"
)

// Path is the route of downloads. It exists only if download links lead to this server.
const Path = "/files/submissions/:id/:name"

// downloadTime is the time limit of a download.
const downloadTime = 10 * time.Minute

// Server responds to requests for files.
type Server struct {
	*respond.Responder
	Config  Config
	Unknown limits.RateLimit              // of links with an invalid signature
	Network func(c *gin.Context) [16]byte // network of a client
	Open    func(ctx context.Context, of school.ID, id submission.ID) (app.Download, error)
}

// Serve responds with the file of a link that Config.Link returned.
func (s *Server) Serve(c *gin.Context) error {
	id, ok := text.UUID(c.Param("id"))
	name, expires, signature := c.Param("name"), onlyParameter(c, "expires"), onlyParameter(c, "signature")
	until, err := strconv.ParseInt(expires, 10, 64)
	switch {
	case !ok || err != nil:
		return s.unknown(c)
	case s.Config.Now().Unix() >= until:
		return respond.HTTPErrorf(http.StatusForbidden, "This link has expired")
	}
	of, ok := s.Config.check(signature, submission.ID{UUID: id}, name, expires)
	if !ok {
		return s.unknown(c)
	}
	slot, err := s.Lanes.EnterCheap(c.Request.Context(), of)
	defer slot.Release()
	if err != nil {
		return err
	}
	file, err := s.Open(c.Request.Context(), of, submission.ID{UUID: id})
	slot.Release() // a client that reads slowly must not hold a slot
	if err != nil {
		return err
	}
	defer func() { _ = file.Bytes.Close() }() // the file was only read, so the error does not matter
	return s.sendFile(c, id, file)
}

// unknown refuses a link with an invalid signature. Only such links count toward the rate
// limit, because clients can guess them.
func (s *Server) unknown(c *gin.Context) error {
	if err := s.Unknown.Take(c.Writer.Header(), s.Network(c)); err != nil {
		return err
	}
	return respond.HTTPErrorf(http.StatusForbidden, "This link is invalid")
}

// onlyParameter returns the value of a parameter, or "" unless it is sent exactly once.
func onlyParameter(c *gin.Context, name string) string {
	value, sent := "", 0
	for _, p := range respond.StateOf(c).Query {
		if p.Name == name {
			value = p.Value
			sent++
		}
	}
	if sent != 1 {
		return ""
	}
	return value
}

// sendFile responds with a file or a range of it. Its headers prevent browsers from running the
// contents.
func (s *Server) sendFile(c *gin.Context, id uuid.UUID, file app.Download) error {
	h := c.Writer.Header()
	h.Set("Content-Type", safeMediaType(file.File.MediaType))
	h.Set("Content-Disposition", disposition(file.File))
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cache-Control", "private")
	h.Set("ETag", `"`+id.String()+`"`) // the content of a submission never changes
	// A download may take longer than a document. If the deadline cannot be set, the server's own
	// deadline applies.
	_ = http.NewResponseController(c.Writer).SetWriteDeadline(time.Now().Add(downloadTime))
	w := &rangeWriter{ResponseWriter: c.Writer}
	http.ServeContent(w, c.Request, "", time.Time{}, file.Bytes)
	if w.refused {
		h.Del("ETag")
		h.Del("Content-Disposition")
		h.Del("Content-Security-Policy")
		return respond.HTTPErrorf(http.StatusRequestedRangeNotSatisfiable, "The requested range is not satisfiable")
	}
	return nil
}

// rangeWriter suppresses the response of net/http to an unsatisfiable range.
type rangeWriter struct {
	http.ResponseWriter
	refused bool
}

// WriteHeader writes every status except 416.
func (p *rangeWriter) WriteHeader(status int) {
	if p.refused = status == http.StatusRequestedRangeNotSatisfiable; !p.refused {
		p.ResponseWriter.WriteHeader(status)
	}
}

// Write writes the body unless the status is suppressed.
func (p *rangeWriter) Write(b []byte) (int, error) {
	if p.refused {
		return len(b), nil
	}
	return p.ResponseWriter.Write(b)
}

// safeMediaTypes contains the declared media types that are sent unchanged, because browsers do not
// execute their content.
var safeMediaTypes = []string{
	"application/gzip", "application/msword", "application/pdf", "application/rtf", "application/vnd.ms-excel",
	"application/vnd.ms-powerpoint", "application/zip",
	"audio/aac", "audio/mpeg", "audio/ogg", "audio/wav", "audio/webm",
	"image/gif", "image/jpeg", "image/png", "image/webp",
	"text/csv", "text/markdown", "text/plain",
	"video/mp4", "video/ogg", "video/quicktime", "video/webm",
}

// safeMediaType returns the media type of the response for a file of a declared type.
func safeMediaType(declared string) string {
	const office = "application/vnd.openxmlformats-officedocument."
	const open = "application/vnd.oasis.opendocument."
	if slices.Contains(safeMediaTypes, declared) || strings.HasPrefix(declared, office) || strings.HasPrefix(declared, open) {
		return declared
	}
	return "application/octet-stream"
}

// disposition returns a Content-Disposition header with which a browser saves the file under its
// name, or under its safe name if it does not support other characters (RFC 6266).
func disposition(f submission.File) string {
	plain := mime.FormatMediaType("attachment", map[string]string{"filename": f.SafeName()})
	return plain + "; filename*=UTF-8''" + strings.ReplaceAll(url.QueryEscape(f.Name), "+", "%20")
}
