package idempotency

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"

	"github.com/matryer/is"
)

var wellFormed = regexp.MustCompile(`\A[ -~]{1,255}\z`)

// A POST either has one well-formed value in the header or is refused. Other methods ignore the
// header.
func FuzzKeyOf(f *testing.F) {
	for _, key := range []string{"", " ", "a key", "~", "\x7f", "a\tb", "ä", "\xff", "a\x00"} {
		f.Add(key, false)
		f.Add(key, true)
	}
	f.Fuzz(func(t *testing.T, key string, twice bool) {
		is := is.New(t)
		for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodGet} {
			r := httptest.NewRequestWithContext(t.Context(), method, "/", nil)
			r.Header["Idempotency-Key"] = []string{key}
			if twice {
				r.Header["Idempotency-Key"] = []string{key, key}
			}
			got, err := KeyOf(r)
			if method != http.MethodPost {
				is.NoErr(err)
				is.Equal(got, "")
				continue
			}
			good := !twice && wellFormed.MatchString(key)
			is.Equal(err == nil, good)
			if good {
				is.Equal(got, key)
			}
		}
	})
}
