package formdata

import (
	"bytes"
	"mime/multipart"
)

// Part is a part of a form.
type Part struct {
	*multipart.Part
	body *body
	line []byte // a line that begins with the boundary
}

// Read implements io.Reader. It fails if a line of the part begins with the boundary of the form,
// which RFC 2046, section 5.1.1, forbids. mime/multipart accepts such lines if other characters
// follow, but returns each of them separately. A file of short ones would be copied and written in
// pieces of a few bytes.
func (p *Part) Read(b []byte) (int, error) {
	n, err := p.Part.Read(b)
	if bytes.HasSuffix(b[:n], p.line) {
		return 0, errBoundary
	}
	return n, p.body.cause(err)
}
