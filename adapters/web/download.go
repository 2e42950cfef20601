package web

import (
	"io"
	"mime"
	"net/http"
	"time"
)

// transferTime is the time limit of an upload or a download.
const transferTime = 10 * time.Minute

// ServeDownload responds with a file of a person. Browsers save it and do not show it, because it
// may contain scripts.
func ServeDownload(w http.ResponseWriter, r *http.Request, name string, content io.ReadSeeker) {
	h := w.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("X-Content-Type-Options", "nosniff")
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(transferTime))
	http.ServeContent(w, r, "", time.Time{}, content)
}
