package submission

import (
	"mime"
	"path"
	"strings"
	"unicode"

	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// File is what is known of a file that was handed in; its bytes are kept under
// the submission's id.
type File struct {
	Name      string // text.Name, without any folder
	MediaType string // as it was declared, such as application/pdf
	Size      int64  // bytes
}

// defaultMediaType is that of bytes of which nothing is known (RFC 2046, 4.5.1).
const defaultMediaType = "application/octet-stream"

// NewFile returns the description of a file of size bytes. The name obeys
// text.Name, of what looks like a path the last part counts; a media type that
// is none is application/octet-stream.
func NewFile(name, mediaType string, size int64) (File, error) {
	name, err := text.Name("name", path.Base(strings.ReplaceAll(name, `\`, "/")))
	if err != nil {
		return File{}, err
	}
	if name == "." || name == ".." || name == "/" {
		return File{}, fault.Blank("name")
	}
	if size < 0 {
		return File{}, fault.Invalidf("size", "must not be negative")
	}
	parsed, _, err := mime.ParseMediaType(mediaType)
	if err != nil || !strings.Contains(parsed, "/") {
		parsed = defaultMediaType
	}
	return File{Name: name, MediaType: parsed, Size: size}, nil
}

// SafeName returns the name in letters that every file system and header can
// carry: Latin letters, digits, dots, hyphens and underscores; "file" when
// nothing else is left.
func (f File) SafeName() string {
	safe := strings.Map(func(r rune) rune {
		switch {
		case r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)), strings.ContainsRune("-_.", r):
			return r
		case unicode.IsSpace(r):
			return '-'
		}
		return -1
	}, text.Fold(f.Name))
	if safe = strings.Trim(safe, "-_."); safe == "" {
		return "file"
	}
	return safe
}
