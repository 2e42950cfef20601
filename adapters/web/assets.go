package web

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"net/http"
	"time"
)

//go:embed assets/style.css
var styleSheet []byte

//go:embed assets/player.js
var playerScript []byte

// asset is a file that pages load. Its version is part of its URL, so that browsers can cache it
// permanently.
type asset struct {
	content   []byte
	mediaType string
	version   string
}

//go:embed assets/icon.svg
var icon []byte

var assets = map[string]asset{
	"style.css": newAsset(styleSheet, "text/css; charset=utf-8"),
	"icon.svg":  newAsset(icon, "image/svg+xml"),
	"player.js": newAsset(playerScript, "text/javascript; charset=utf-8"),
}

func newAsset(content []byte, mediaType string) asset {
	sum := sha256.Sum256(content)
	return asset{content, mediaType, hex.EncodeToString(sum[:6])}
}

// assetPath is the path of the assets. It cannot be the path of a school, because no slug is a
// hyphen.
const assetPath = "/-/"

// asset responds with the file of the given name.
func (s *Site) asset(w http.ResponseWriter, r *http.Request, name string) {
	a, ok := assets[name]
	if !ok || r.Method != http.MethodGet && r.Method != http.MethodHead {
		s.fail(&siteRequest{site: s, w: w, r: r, texts: textsFor(r)}, errNotFound)
		return
	}
	h := w.Header()
	h.Set("Content-Type", a.mediaType)
	h.Set("ETag", `"`+a.version+`"`)
	h.Set("Vary", "Accept-Encoding")
	if r.URL.Query().Get("v") == a.version {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		h.Set("Cache-Control", "no-cache")
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(a.content))
}
