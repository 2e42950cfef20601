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
	return &UploadedFile{part}, refusedForm(err)
}

// Read implements io.Reader.
func (f *UploadedFile) Read(p []byte) (int, error) {
	n, err := f.Part.Read(p)
	return n, refusedForm(err)
}

// refusedForm returns ErrMalformed instead of a refusal of package formdata.
func refusedForm(err error) error {
	var refused *formdata.Refusal
	if errors.As(err, &refused) {
		return ErrMalformed
	}
	return err
}
