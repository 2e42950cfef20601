package formdata

import (
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
)

// MediaType is the media type of a form with files.
const MediaType = "multipart/form-data"

// maxHeaders is the maximum size in bytes of the headers of a part, which mime/multipart holds in
// memory. It has room for a percent-encoded file name of 255 characters.
const maxHeaders = 4 << 10

// Refusal is the error of a form that the client has to correct.
type Refusal struct{ Detail string }

func (r *Refusal) Error() string { return "form: " + r.Detail }

// Reader reads the parts of a form.
type Reader struct {
	parts   *multipart.Reader
	headers *headerReader
	line    []byte // a line that begins with the boundary
	last    *Part  // nil before the first part
}

// NewReader returns a Reader of body. boundary must not be empty.
func NewReader(body io.Reader, boundary string) *Reader {
	headers := &headerReader{body: body}
	return &Reader{parts: multipart.NewReader(headers, boundary), headers: headers, line: []byte("\r\n--" + boundary)}
}

// Boundary returns the boundary in the Content-Type of a form. ok is false if there is no form.
func Boundary(h http.Header) (boundary string, ok bool) {
	name, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	return params["boundary"], err == nil && name == MediaType && params["boundary"] != ""
}

// Next skips the rest of the current part and returns the next one. The error is io.EOF after the
// last part, and a *Refusal if the form is refused.
func (r *Reader) Next() (*Part, error) {
	if r.last != nil {
		if _, err := io.Copy(io.Discard, r.last); err != nil {
			return nil, err
		}
	}
	part, err := r.headers.next(r.parts)
	if err != nil {
		return nil, err
	}
	r.last = &Part{part, r.line}
	return r.last, nil
}

// headerReader reads a form and fails if more than maxHeaders bytes separate the contents of two
// parts.
type headerReader struct {
	body      io.Reader
	inHeaders bool
	remaining int // maximum number of further bytes in the headers of a part
}

// next returns the next part. The content of the previous one must have been read.
func (h *headerReader) next(parts *multipart.Reader) (*multipart.Part, error) {
	h.inHeaders, h.remaining = true, maxHeaders
	defer func() { h.inHeaders = false }()
	return parts.NextPart()
}

// Read implements io.Reader.
func (h *headerReader) Read(p []byte) (int, error) {
	if !h.inHeaders {
		return h.body.Read(p)
	}
	if h.remaining == 0 {
		return 0, &Refusal{fmt.Sprintf("The headers of a part of the form exceed %d bytes", maxHeaders)}
	}
	n, err := h.body.Read(p[:min(len(p), h.remaining)])
	h.remaining -= n
	return n, err
}
