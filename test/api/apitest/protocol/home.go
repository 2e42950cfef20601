package protocol

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/fixture"
)

// Home checks the responses of the root path to browsers and to programs without a key.
func Home(t *testing.T, s *fixture.Server) {
	is := is.New(t)
	// exchange does not compare the page with the description. The description has only the JSON
	// document, because client generators require a single media type for a response.
	page := s.Exchange(t, "GET", "/", "X-Api-Key", "", "Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
	is.Equal(page.Status, 200)
	is.Equal(page.Header.Get("Content-Type"), "text/html; charset=utf-8")
	is.True(strings.Contains(page.Body, "/docs\">API reference</a>"))
	is.True(!strings.Contains(page.Header.Get("Content-Security-Policy"), "unsafe"))
	is.True(!strings.Contains(page.Body, "<script"))

	document := s.Request("GET", "/").As("").Set("Accept", "application/json").Send(t)
	is.Equal(document.Status, 200)
	is.True(strings.HasPrefix(document.Header.Get("Content-Type"), "application/json"))
	is.True(strings.Contains(document.Body, `"describedby":"https://`))

	for _, path := range []string{"/favicon.ico", "/favicon.svg"} {
		icon := s.Request("GET", path).As("").Set("Accept", "image/avif,image/webp,*/*").Send(t)
		is.Equal(icon.Status, 200)
		is.Equal(icon.Header.Get("Content-Type"), "image/svg+xml")
	}
}
