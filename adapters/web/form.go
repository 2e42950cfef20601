package web

import (
	"net/http"
	"net/url"
	"strings"
)

// ReadForm returns the fields of the form in the body of r, which has at most limit bytes. It fails
// with ErrMalformed if the form cannot be read.
func ReadForm(w http.ResponseWriter, r *http.Request, limit int64) (url.Values, error) {
	r.Body = http.MaxBytesReader(w, r.Body, limit)
	if err := r.ParseForm(); err != nil {
		return nil, ErrMalformed
	}
	// The values are parts of the body. The memory store would keep the whole body, with secrets and
	// addresses in other fields, as long as one of them.
	for _, values := range r.PostForm {
		for i := range values {
			values[i] = strings.Clone(values[i])
		}
	}
	return r.PostForm, nil
}
