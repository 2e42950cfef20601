package server_test

import (
	"fmt"
	"testing"

	"github.com/matryer/is"
)

// An origin is allowed only in the form in which browsers send it.
func TestOrigins(t *testing.T) {
	const noOrigin = " is not an origin, such as https://learn.example"
	form := func(sent string) string { return " is not in the form that browsers send: " + sent }
	for origin, want := range map[string]string{
		"https://learn.example": "", "http://localhost:3000": "", "http://127.0.0.1:8080": "", "https://[::1]:8443": "", "https://[::1]": "",
		"learn.example":                noOrigin,
		"null":                         noOrigin,
		"":                             noOrigin,
		"file:///page.html":            noOrigin,
		"ftp://learn.example":          noOrigin,
		"https://":                     noOrigin,
		"https://*.example":            noOrigin,
		"https://learn.example/":       form("https://learn.example"),
		"https://learn.example/player": form("https://learn.example"),
		"https://learn.example?a=b":    form("https://learn.example"),
		"https://learn.example#a":      form("https://learn.example"),
		"https://Learn.Example":        form("https://learn.example"),
		"https://learn.example:443":    form("https://learn.example"),
		"http://learn.example:80":      form("http://learn.example"),
		"https://[::1]:443":            form("https://[::1]"),
	} {
		t.Run(origin, func(t *testing.T) {
			is := is.New(t)
			cfg := local()
			cfg.Origins = []string{origin}
			err := cfg.Validate()
			if want == "" {
				is.NoErr(err)
				return
			}
			is.True(err != nil)
			is.Equal(err.Error(), fmt.Sprintf("cors.origins: %q%s", origin, want))
		})
	}
	for _, origin := range []string{"https://user:secret@learn.example", "https://user:secret@learn.example:port"} {
		t.Run("without the password", func(t *testing.T) {
			is := is.New(t)
			cfg := local()
			cfg.Origins = []string{origin}
			err := cfg.Validate()
			is.True(err != nil)
			is.Equal(err.Error(), "cors.origins: an entry"+noOrigin)
		})
	}
}

func TestMediaOrigins(t *testing.T) {
	for origin, valid := range map[string]bool{
		"https://media.example.org": true, "https://media.example.org:8443": true, "http://media.example.org": false,
		"*": false, "'self'": false, "https://*.example.org": false, "https://media.example.org/a": false, "https://a;script-src": false,
	} {
		t.Run(origin, func(t *testing.T) {
			cfg := local()
			cfg.Media = []string{origin}
			is.New(t).Equal(cfg.Validate() == nil, valid)
		})
	}
}
