package httpapi_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi"
)

// The log hides a secret in a path, even if the client has misspelled the path.
func TestLogHidesSecretsInPaths(t *testing.T) {
	const token = "5eedab0c5eedab0c5eedab0c5eedab0c5eedab0c"
	const signature = "c2lnbmF0dXJlLW9mLWEtZG93bmxvYWQtbGluaw"
	a := newAPI(t, httpapi.Config{}, fine)
	for name, path := range map[string]string{
		"the token":                  "/invitations/" + token,
		"one character too many":     "/invitations/" + token + "x",
		"one character too few":      "/invitations/" + token[1:],
		"in capitals":                "/invitations/" + strings.ToUpper(token),
		"with a full stop":           "/invitations/" + token + ".",
		"with another segment":       "/invitations/" + token + "/welcome",
		"in two segments":            "/invitations/" + token[:20] + "/" + token[20:],
		"after doubled slashes":      "//invitations///" + token + "//",
		"with an escaped slash":      "/invitations%2F" + token,
		"with an escaped character":  "/invitations/%35" + token[1:],
		"with a broken escape":       "/invitations/%255eed%zz" + token,
		"an escaped word":            "/%69nvitations/" + token,
		"a word in capitals":         "/Invitations/" + token,
		"with an invalid UTF-8 byte": "/invitations/" + token + "%ff",
		"the acceptance":             "/v2/invitations/" + token + "x/acceptance",
		"another version":            "/v3/invitations/" + token,
		"alone":                      "/" + token,
		"an enrollment link":         "/learn/enroll/" + token,
		"as a course":                "/v2/courses/" + token,
		"half of it, as a course":    "/v2/courses/x-" + token[:36],
		"half a token, as a course":  "/v2/courses/" + token[:20],
		"with a wrong character":     "/v2/courses/" + token[:20] + "g" + token[21:],
		"after an x without hyphen":  "/v2/courses/x" + token,
		"a signature in the path":    "/files/submissions/00000000-0000-4000-8000-0000000000a1/signature=" + signature,
		"an escaped query":           "/files/submissions/00000000-0000-4000-8000-0000000000a1/a.pdf%3Fsignature=" + signature,
		"a signature in the query":   "/files/submissions/00000000-0000-4000-8000-0000000000a1/a.pdf?signature=" + signature,
		"a token in the query":       "/invitations?token=" + token,
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			for _, method := range []string{http.MethodGet, http.MethodPost} {
				a.log.Reset()
				r := newRequest(t, "/")
				r.Method = method
				path, query, _ := strings.Cut(path, "?")
				plain, err := url.PathUnescape(path)
				if err != nil {
					plain = path
				}
				r.URL.Path, r.URL.RawPath, r.URL.RawQuery = plain, path, query
				a.handler.ServeHTTP(httptest.NewRecorder(), r)
				line := strings.ToLower(a.log.String())
				is.Equal(strings.Count(line, "msg=request "), 1)
				for i := range len(token) - 12 { // the log does not contain a large part of the token either
					is.True(!strings.Contains(line, token[i:i+12]))
				}
				is.True(!strings.Contains(line, strings.ToLower(signature[:12])))
			}
		})
	}
}

// The log hides secrets that are quoted in the text of an error.
func TestLogHidesSecretsInErrors(t *testing.T) {
	is := is.New(t)
	const token = "5EEDab0c5eedab0c5eedab0c5eedab0c5eedab0c"
	a := newAPI(t, httpapi.Config{}, func(context.Context) error {
		return errors.New("no link " + token + "x, nor ?expires=1&signature=c2lnbmF0dXJl")
	})
	is.Equal(a.get(t.Context(), "/v1/categories").Code, 500)
	is.True(strings.Contains(a.log.String(), "no link"))
	is.True(!strings.Contains(a.log.String(), token[:12]))
	is.True(!strings.Contains(a.log.String(), "c2ln"))
}

func TestLogNamesClientsIfConfigured(t *testing.T) {
	for name, tt := range map[string]struct {
		agent string
		want  string
	}{
		"a browser":        {"Mozilla/5.0 (X11)", `user_agent="Mozilla/5.0 (X11)"`},
		"none":             {"", `user_agent=""`},
		"with a secret":    {"curl lyc_0123abc ada@example.test", `user_agent="curl … …"`},
		"a quoted address": {`a "ada \"b\" c"@example.test z`, `user_agent="a … z"`},
		"an apostrophe":    {"a ada.o'brien@example.test z", `user_agent="a … z"`},
		"a forged line":    {"a\nlevel=ERROR é", `user_agent="a?level=ERROR ?"`},
		"a long one":       {strings.Repeat("z", 5000), "user_agent=" + strings.Repeat("z", 200) + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			client := func(*http.Request) netip.Addr { return netip.MustParseAddr("192.0.2.7") }
			for _, cfg := range []httpapi.Config{{Client: client}, {}} {
				a := newAPI(t, cfg, fine)
				r := newRequest(t, "/v1/categories")
				r.Header.Set("User-Agent", tt.agent)
				a.serve(r)
				is.Equal(strings.Contains(a.log.String(), "client=192.0.2.7"), cfg.Client != nil)
				is.Equal(strings.Contains(a.log.String(), tt.want), cfg.Client != nil)
				is.Equal(strings.Contains(a.log.String(), "user_agent"), cfg.Client != nil)
			}
		})
	}
}

// The owner of another host can let its name resolve to this machine (DNS rebinding), so that its
// web pages could use a publicly known key. LocalOnly refuses their requests.
func TestLocalOnly(t *testing.T) {
	for _, tt := range []struct {
		name, host, origin string
		status             int
	}{
		{"this machine", "127.0.0.1:8080", "", 200},
		{"by name", "localhost:8080", "", 200},
		{"by IPv6", "[::1]:8080", "", 200},
		{"without a port", "LOCALHOST", "", 200},
		{"a page of this machine", "localhost:8080", "http://127.0.0.1:3000", 200},
		{"another host", "evil.example:8080", "", 403},
		{"a host that begins alike", "localhost.evil.example", "", 403},
		{"a host that ends alike", "evil-localhost", "", 403},
		{"another address", "192.0.2.7", "", 403},
		{"no host", "", "", 403},
		{"a page of another host", "localhost:8080", "https://evil.example", 403},
		{"a page of no host", "localhost:8080", "null", 403},
		{"two pages", "localhost:8080", "http://localhost, https://evil.example", 403},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			for _, only := range []bool{true, false} {
				a := newAPI(t, httpapi.Config{LocalOnly: only}, fine)
				r := newRequest(t, "/v1/courses")
				r.Header.Set("X-Api-Key", a.key)
				r.Host = tt.host
				if tt.origin != "" {
					r.Header["Origin"] = strings.Split(tt.origin, ", ")
				}
				want := 200
				if only {
					want = tt.status
				}
				is.Equal(a.serve(r).Code, want)
			}
		})
	}
}
