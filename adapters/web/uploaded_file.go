package web

import (
	"errors"
	"io"
	"net/http"

	"lyceum/adapters/formdata"
)

// UploadedFile is the file in a form. Reading it fails with ErrMalformed if package formdata refuses
// the form.
type UploadedFile struct{ *formdata.Part }

// FileOf returns the file in the form of a request, which must be its first part; nil if no file
// was chosen.
func FileOf(r *http.Request) (*UploadedFile, error) {
	boundary, ok := formdata.Boundary(r.Header)
	if !ok {
		return nil, ErrMalformed
	}
	part, err := formdata.NewReader(r.Body, boundary).Next()
	if errors.Is(err, io.EOF) || err == nil && (part.FormName() != "file" || part.FileName() == "") {
		return nil, nil
	}
	return &UploadedFile{part}, malformedForm(err)
}

// Read implements io.Reader.
func (f *UploadedFile) Read(p []byte) (int, error) {
	n, err := f.Part.Read(p)
	return n, malformedForm(err)
}

// malformedForm returns ErrMalformed instead of a *formdata.MalformedError.
func malformedForm(err error) error {
	var malformed *formdata.MalformedError
	if errors.As(err, &malformed) {
		return ErrMalformed
	}
	return err
}
