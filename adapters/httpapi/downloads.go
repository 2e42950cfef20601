package httpapi

import (
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"lyceum/adapters/admission"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
	"lyceum/domain/submission"
	"lyceum/domain/text"
)

// Where files are fetched when this server is their host.
const (
	filesPath    = "/files/"
	downloadPath = filesPath + "submissions/:id/:name"
)

// isDownload tells whether a path, escaped, is that of a link to a file.
func isDownload(escaped string) bool {
	rest, ok := strings.CutPrefix(escaped, filesPath+"submissions/")
	id, name, two := strings.Cut(rest, "/")
	return ok && two && id != "" && name != "" && !strings.Contains(name, "/")
}

// downloadTime is how long a slow client may take for a file.
const downloadTime = 10 * time.Minute

// servesFiles tells whether the links to files lead to this server.
func (l Links) servesFiles() bool { return l.Download == l.Base+"/files" }

// download answers with the file that a link of downloadLink leads to.
func (s *server) download(c *gin.Context) error {
	id, ok := text.UUID(c.Param("id"))
	name, expires, signature := c.Param("name"), single(c, "expires"), single(c, "signature")
	until, err := strconv.ParseInt(expires, 10, 64)
	switch {
	case !ok || err != nil:
		return s.unknownDownload(c)
	case s.cfg.Downloads.Now().Unix() >= until:
		return respond.Refusef(http.StatusForbidden, "This link has expired")
	}
	of, ok := s.cfg.Downloads.check(signature, submission.ID{UUID: id}, name, expires)
	if !ok {
		return s.unknownDownload(c)
	}
	slot, err := s.Lanes.Enter(c.Request.Context(), s.Lanes.Cheap, admission.Origin{School: of.UUID}, limits.TooManyRequests)
	defer slot.Release()
	if err != nil {
		return err
	}
	file, err := s.app.Submissions.Download(c.Request.Context(), of, submission.ID{UUID: id})
	slot.Release() // a client that reads slowly holds no slot
	if err != nil {
		return err
	}
	defer func() { _ = file.Bytes.Close() }() // it was only read
	return s.attach(c, id, file)
}

// unknownDownload refuses a link that this server did not make. Links that it made
// are served to every client: to check one needs no look-up.
func (s *server) unknownDownload(c *gin.Context) error {
	if err := s.rates.UnknownTokens.Take(c.Writer.Header(), s.network(c)); err != nil {
		return err
	}
	return respond.Refusef(http.StatusForbidden, "This link does not hold")
}

// single returns the value of a parameter that is sent once, blank otherwise.
func single(c *gin.Context, name string) string {
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

// attach answers with a file, of which the client may want a part, in such a way
// that no browser runs what is in it.
func (s *server) attach(c *gin.Context, id uuid.UUID, file app.Download) error {
	h := c.Writer.Header()
	h.Set("Content-Type", harmless(file.File.MediaType))
	h.Set("Content-Disposition", disposition(file.File))
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cache-Control", "private")
	h.Set("ETag", `"`+id.String()+`"`) // the file of a submission never changes
	// Who is slow may take longer than for a document; a server that cannot grant
	// it is just stricter.
	_ = http.NewResponseController(c.Writer).SetWriteDeadline(time.Now().Add(downloadTime))
	w := &partial{ResponseWriter: c.Writer}
	http.ServeContent(w, c.Request, "", time.Time{}, file.Bytes)
	if w.refused {
		h.Del("ETag")
		h.Del("Content-Disposition")
		h.Del("Content-Security-Policy")
		return respond.Refusef(http.StatusRequestedRangeNotSatisfiable, "The file has no such part")
	}
	return nil
}

// partial holds back the library's own answer to a range that cannot be had.
type partial struct {
	http.ResponseWriter
	refused bool
}

// WriteHeader passes every status on but 416.
func (p *partial) WriteHeader(status int) {
	if p.refused = status == http.StatusRequestedRangeNotSatisfiable; !p.refused {
		p.ResponseWriter.WriteHeader(status)
	}
}

// Write passes the body on unless it goes with the status that is held back.
func (p *partial) Write(b []byte) (int, error) {
	if p.refused {
		return len(b), nil
	}
	return p.ResponseWriter.Write(b)
}

// harmlessTypes is the media types that are shown as they were declared: no
// browser runs any of them.
var harmlessTypes = []string{
	"application/gzip", "application/msword", "application/pdf", "application/rtf", "application/vnd.ms-excel",
	"application/vnd.ms-powerpoint", "application/zip",
	"audio/aac", "audio/mpeg", "audio/ogg", "audio/wav", "audio/webm",
	"image/gif", "image/jpeg", "image/png", "image/webp",
	"text/csv", "text/markdown", "text/plain",
	"video/mp4", "video/ogg", "video/quicktime", "video/webm",
}

// harmless returns the media type under which a file is sent.
func harmless(declared string) string {
	const office = "application/vnd.openxmlformats-officedocument."
	const open = "application/vnd.oasis.opendocument."
	if slices.Contains(harmlessTypes, declared) || strings.HasPrefix(declared, office) || strings.HasPrefix(declared, open) {
		return declared
	}
	return "application/octet-stream"
}

// disposition returns the header that makes a browser save the file, under its
// own name or, where that cannot be read, its safe one (RFC 6266).
func disposition(f submission.File) string {
	plain := mime.FormatMediaType("attachment", map[string]string{"filename": f.SafeName()})
	return plain + "; filename*=UTF-8''" + strings.ReplaceAll(url.QueryEscape(f.Name), "+", "%20")
}
