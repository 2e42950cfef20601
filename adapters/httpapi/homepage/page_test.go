package homepage_test

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/homepage"
)

func TestPage(t *testing.T) {
	is := is.New(t)
	body, err := homepage.Page{Base: "https://a.test", Reference: true, DemoKey: "lyc_x"}.Render()
	is.NoErr(err)
	html := string(body)
	for _, part := range []string{`href="https://a.test/docs"`, `href="https://a.test/readyz"`, "X-Api-Key: lyc_x", "https://a.test/v2/courses"} {
		is.True(strings.Contains(html, part))
	}
	is.True(!strings.Contains(html, "<script"))
	_, rest, _ := strings.Cut(html, "<style>")
	style, _, _ := strings.Cut(rest, "</style>")
	sum := sha256.Sum256([]byte(style))
	is.True(strings.Contains(homepage.Policy, base64.StdEncoding.EncodeToString(sum[:])))

	body, err = homepage.Page{Base: "https://a.test"}.Render()
	is.NoErr(err)
	is.True(!strings.Contains(string(body), "/docs"))
	is.True(strings.Contains(string(body), "<code>key create</code>"))
	is.True(!strings.Contains(string(body), "lyceum key")) // the program can have another name
}
