package idempotency

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/matryer/is"
	"lyceum/adapters/httpapi/respond"
	"lyceum/domain/idempotency"
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

// A person who can read the database does not know the key, so the fingerprint of a body with a
// guessed email address does not show whether a client sent that body.
func TestFingerprintDependsOnTheKey(t *testing.T) {
	is := is.New(t)
	c, _ := gin.CreateTestContext(httptest.NewRecorder())
	c.Request = httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v2/people", nil)
	respond.AttachState(c, &respond.State{})
	of := func(key string) idempotency.Fingerprint {
		return RequestOf(c, key, "application/json", []byte("ada@example.test")).Fingerprint
	}
	is.Equal(of("a"), of("a"))
	is.True(of("a") != of("b"))
}
