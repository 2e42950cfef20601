package apitest

import (
	"strings"
	"testing"

	"github.com/matryer/is"
)

// home checks the responses of the root path to browsers and to programs without a key.
func home(t *testing.T, s *server) {
	is := is.New(t)
	// exchange does not compare the page with the description. The description has only the JSON
	// document, because client generators require a single media type for a response.
	page := s.exchange(t, "GET", "/", "X-Api-Key", "", "Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
	is.Equal(page.status, 200)
	is.Equal(page.header.Get("Content-Type"), "text/html; charset=utf-8")
	is.True(strings.Contains(page.body, "/docs\">API reference</a>"))
	is.True(!strings.Contains(page.header.Get("Content-Security-Policy"), "unsafe"))
	is.True(!strings.Contains(page.body, "<script"))

	document := s.request("GET", "/").as("").set("Accept", "application/json").send(t)
	is.Equal(document.status, 200)
	is.True(strings.HasPrefix(document.header.Get("Content-Type"), "application/json"))
	is.True(strings.Contains(document.body, `"describedby":"https://`))

	for _, path := range []string{"/favicon.ico", "/favicon.svg"} {
		icon := s.request("GET", path).as("").set("Accept", "image/avif,image/webp,*/*").send(t)
		is.Equal(icon.status, 200)
		is.Equal(icon.header.Get("Content-Type"), "image/svg+xml")
	}
}
