package submission

import (
	"mime"
	"path"
	"strings"
	"unicode"

	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// File describes a submitted file. Its bytes are stored under the submission's id.
type File struct {
	Name      string // satisfies text.Name; without directories
	MediaType string // media type that the client declared, such as application/pdf
	Size      int64  // bytes
}

// defaultMediaType is the media type for unknown content (RFC 2046, section 4.5.1).
const defaultMediaType = "application/octet-stream"

// NewFile returns the description of a file of size bytes. The name must satisfy text.Name. If it
// is a path, only the last element is used. An invalid media type becomes application/octet-stream.
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

// SafeName returns the name reduced to characters that every file system and header supports: Latin
// letters, digits, dots, hyphens and underscores. It returns "file" if no character is left.
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
