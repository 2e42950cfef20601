package formdata

import (
	"bytes"
	"errors"
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

// MalformedError is the error of a form that the client has to correct.
type MalformedError struct{ Detail string }

func (e *MalformedError) Error() string { return "form: " + e.Detail }

var (
	errIncomplete = &MalformedError{"Could not read the whole form"}
	errBareLF     = &MalformedError{"The lines of the form must end with CRLF"}
	errBoundary   = &MalformedError{"A line of a part of the form begins with the boundary of the form"}
	errHeaders    = &MalformedError{fmt.Sprintf("The headers of a part of the form exceed %d bytes", maxHeaders)}
)

// Reader reads the parts of a form.
type Reader struct {
	parts *multipart.Reader
	body  *body
	line  []byte // a line that begins with the boundary
	last  *Part  // nil before the first part
}

// NewReader returns a Reader of b. boundary must not be empty.
func NewReader(b io.Reader, boundary string) *Reader {
	source := &body{Reader: b}
	return &Reader{parts: multipart.NewReader(source, boundary), body: source, line: []byte("\r\n--" + boundary)}
}

// Boundary returns the boundary in the Content-Type of a form. ok is false if there is no form.
func Boundary(h http.Header) (boundary string, ok bool) {
	name, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	return params["boundary"], err == nil && name == MediaType && params["boundary"] != ""
}

// Next skips the rest of the current part and returns the next one. The error is io.EOF after the
// last part, a *MalformedError if the form is refused, and otherwise the error of the body. No
// error contains text of the form, which could be the name of a file.
func (r *Reader) Next() (*Part, error) {
	first := r.last == nil
	if !first {
		if _, err := io.Copy(io.Discard, r.last); err != nil {
			return nil, err
		}
	}
	r.body.beginHeaders()
	part, err := r.parts.NextRawPart()
	if err == nil && first && hasBareLF(r.body.headers, r.line[len("\r\n"):]) {
		err = errBareLF
	}
	if err != nil {
		return nil, r.body.cause(err)
	}
	r.body.endHeaders()
	r.last = &Part{Part: part, body: r.body, line: r.line}
	return r.last, nil
}

// hasBareLF reports whether the first line that begins with boundary, which includes the leading
// hyphens, ends with a bare LF. mime/multipart would then accept such lines throughout the form, and
// Part would not notice the boundary in them.
func hasBareLF(headers, boundary []byte) bool {
	for line := range bytes.Lines(headers) {
		if bytes.HasPrefix(line, boundary) && bytes.HasSuffix(line, []byte("\n")) {
			return !bytes.HasSuffix(line, []byte("\r\n"))
		}
	}
	return false
}

// body is the body of a form. It fails if more than maxHeaders bytes separate the contents of two
// parts.
type body struct {
	io.Reader
	inHeaders bool
	headers   []byte // the bytes that were read since beginHeaders
	err       error  // error of Reader; nil for io.EOF
}

func (b *body) beginHeaders() { b.inHeaders, b.headers = true, b.headers[:0] }

func (b *body) endHeaders() { b.inHeaders = false }

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	if b.inHeaders {
		if len(b.headers) == maxHeaders {
			return 0, errHeaders
		}
		p = p[:min(len(p), maxHeaders-len(b.headers))]
	}
	n, err := b.Reader.Read(p)
	if b.inHeaders {
		b.headers = append(b.headers, p[:n]...)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		b.err = err
	}
	return n, err
}

// cause returns the error to return instead of err, an error of mime/multipart.
func (b *body) cause(err error) error {
	if err == nil || err == io.EOF { //lint:ignore errorlint a wrapped EOF means that the form ends too early
		return err
	}
	if malformed, ok := errors.AsType[*MalformedError](err); ok {
		return malformed
	}
	if b.err != nil {
		return b.err
	}
	return errIncomplete
}
