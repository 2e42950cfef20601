// Package reference contains the page of the API reference, on which a user can try requests. The
// page uses one library and loads nothing from other servers. Start at New.
package reference

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"html/template"
	"io"
	"path"
	"strings"
	"sync"
)

//go:embed assets
var assets embed.FS

// Policy is the Content-Security-Policy of the page. It allows only the page's own scripts and
// requests to this server. Inline styles must be allowed, because the library writes style elements
// and style attributes.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Reference is the page and its files.
type Reference struct {
	// Page is HTML in UTF-8.
	Page  []byte
	files map[string]File
}

// File is a file of the page. Its name contains a hash of its content.
type File struct {
	Type    string // media type
	content []byte
	zipped  bool                   // whether content is compressed by gzip
	plain   func() ([]byte, error) // decompresses content at the first call
}

// New returns the reference of an API whose paths start with root. root is "", or a path with a
// leading slash and without a trailing one.
func New(root string) (*Reference, error) {
	r := &Reference{files: map[string]File{}}
	names := map[string]string{}
	for asset, mediaType := range map[string]string{
		"scalar.js.gz": "text/javascript; charset=utf-8",
		"page.js":      "text/javascript; charset=utf-8",
		"page.css":     "text/css; charset=utf-8",
	} {
		content, err := assets.ReadFile("assets/" + asset)
		if err != nil {
			return nil, err
		}
		plain, zipped := strings.CutSuffix(asset, ".gz")
		names[plain] = hashed(plain, content)
		r.files[names[plain]] = File{
			Type: mediaType, content: content, zipped: zipped,
			plain: sync.OnceValues(func() ([]byte, error) { return unpack(content) }),
		}
	}
	text, err := assets.ReadFile("assets/page.html")
	if err != nil {
		return nil, err
	}
	page, err := template.New("page").Parse(string(text))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = page.Execute(&b, struct {
		Root  string
		Names map[string]string
	}{root, names})
	r.Page = b.Bytes()
	return r, err
}

// hashed returns a file name with a hash of the content before the extension.
func hashed(name string, content []byte) string {
	sum := sha256.Sum256(content)
	ending := path.Ext(name)
	return fmt.Sprintf("%s-%s%s", strings.TrimSuffix(name, ending), hex.EncodeToString(sum[:8]), ending)
}

// File returns the file with this name and reports whether it exists.
func (r *Reference) File(name string) (File, bool) {
	f, ok := r.files[name]
	return f, ok
}

// Stored returns the stored content and reports whether it is compressed by gzip.
func (f File) Stored() ([]byte, bool) { return f.content, f.zipped }

// Plain returns the file uncompressed. It is decompressed once, at the first call. The
// caller must not modify it.
func (f File) Plain() ([]byte, error) {
	if !f.zipped {
		return f.content, nil
	}
	return f.plain()
}

// Size returns the uncompressed size in bytes, without decompressing.
func (f File) Size() int {
	if !f.zipped {
		return len(f.content)
	}
	// RFC 1952, 2.3.1: the last four bytes are the size, modulo 2^32.
	return int(binary.LittleEndian.Uint32(f.content[len(f.content)-4:]))
}

func unpack(content []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}
