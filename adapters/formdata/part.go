package upload

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"

	"lyceum/adapters/httpapi/respond"
)

// content reads a part of a form and fails if a line of it begins with the boundary of the form,
// which RFC 2046, section 5.1.1, forbids. mime/multipart accepts such lines if other characters
// follow, but returns each of them separately. A file of short ones would be copied and written in
// pieces of a few bytes.
type content struct {
	part *multipart.Part
	line []byte
}

func (f *Form) content(part *multipart.Part) io.Reader { return content{part, f.line} }

// Read implements io.Reader.
func (c content) Read(p []byte) (int, error) {
	n, err := c.part.Read(p)
	if bytes.HasSuffix(p[:n], c.line) {
		return 0, respond.HTTPErrorf(http.StatusBadRequest, "A line of a part of the form begins with the boundary of the form")
	}
	return n, err
}
