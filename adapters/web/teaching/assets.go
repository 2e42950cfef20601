package teaching

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"io"
	"net/http"
	"time"
)

//go:embed assets/chart.js.gz
var chartLibrary []byte

//go:embed assets/dashboard.js
var dashboardScript []byte

//go:embed assets/upload.js
var uploadScript []byte

//go:embed assets/copy.js
var copyScript []byte

//go:embed assets/style.css
var styleSheet []byte

// asset is a file that pages load. Its version is part of its URL, so that browsers can cache it
// permanently.
type asset struct {
	content   []byte
	mediaType string
	version   string
}

const javaScript = "text/javascript; charset=utf-8"

var assets = map[string]asset{
	"chart.js":     newAsset(unpack(chartLibrary), javaScript),
	"dashboard.js": newAsset(dashboardScript, javaScript),
	"upload.js":    newAsset(uploadScript, javaScript),
	"copy.js":      newAsset(copyScript, javaScript),
	"style.css":    newAsset(styleSheet, "text/css; charset=utf-8"),
}

func newAsset(content []byte, mediaType string) asset {
	sum := sha256.Sum256(content)
	return asset{content, mediaType, hex.EncodeToString(sum[:6])}
}

// unpack returns an embedded file that is compressed by gzip.
func unpack(content []byte) []byte {
	z, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		panic(err)
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		panic(err)
	}
	return plain
}

// assetPath is the path of the assets. It cannot be the path of a school, because no slug is a
// hyphen.
const assetPath = "/-/"

// asset responds with the file of the given name.
func (s *Site) asset(w http.ResponseWriter, r *http.Request, name string) {
	a, ok := assets[name]
	if !ok || r.Method != http.MethodGet && r.Method != http.MethodHead {
		s.failEarly(w, r, errNotFound)
		return
	}
	h := w.Header()
	h.Set("Content-Type", a.mediaType)
	h.Set("ETag", `"`+a.version+`"`)
	h.Set("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "no-cache")
	if r.URL.Query().Get("v") == a.version {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(a.content))
}
