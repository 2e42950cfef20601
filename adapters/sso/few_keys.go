package sso

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// maxKeys is the maximum number of keys of an issuer. The signature of a token is checked with each
// key that may have signed it, and each check takes up to two milliseconds of a processor.
const maxKeys = 20

// fewKeys refuses the keys of an issuer that publishes more than maxKeys. The size of a response
// must be limited.
type fewKeys struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (t fewKeys) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := t.next.RoundTrip(r)
	if err == nil {
		response.Body = &checkedBody{ReadCloser: response.Body}
	}
	return response, err
}

// checkedBody is the body of a response. Its first Read reads the whole body, and returns an error
// if the body is a set of more than maxKeys keys. An error of RoundTrip would mean that the issuer
// does not respond.
type checkedBody struct {
	io.ReadCloser
	all io.Reader // nil: not read
}

// Read implements io.Reader.
func (b *checkedBody) Read(p []byte) (int, error) {
	if b.all != nil {
		return b.all.Read(p)
	}
	body, err := io.ReadAll(b.ReadCloser)
	if err != nil {
		return 0, err
	}
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if json.Unmarshal(body, &set) == nil && len(set.Keys) > maxKeys {
		return 0, fmt.Errorf("sso: the issuer publishes %d keys, more than %d", len(set.Keys), maxKeys)
	}
	b.all = bytes.NewReader(body)
	return b.all.Read(p)
}
