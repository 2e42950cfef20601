package invitationpage_test

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/invitationpage"
)

func render(t *testing.T, p invitationpage.Page) string {
	t.Helper()
	b, err := p.Render()
	is.New(t).NoErr(err)
	return string(b)
}

func TestPage(t *testing.T) {
	for name, tt := range map[string]struct {
		page         invitationpage.Page
		shows, lacks string
	}{
		"open":     {invitationpage.Page{School: "Acme", Name: "Ada King", FirstName: "Ada"}, `name="first_name" value="Ada"`, "Welcome"},
		"faulty":   {invitationpage.Page{School: "Acme", Name: "Ada", Faults: []string{"First name is too long"}}, "<li>First name is too long</li>", "Welcome"},
		"accepted": {invitationpage.Page{School: "Acme", Name: "Ada", Accepted: true, Next: "https://learn.example.test"}, `<a href="https://learn.example.test">`, "<form"},
		"nowhere":  {invitationpage.Page{School: "Acme", Name: "Ada", Accepted: true}, "Ada, you have joined Acme.", "<a "},
		"refused":  {invitationpage.Page{Refusal: "This is over"}, "<p>This is over.</p>", "<form"},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			html := render(t, tt.page)
			is.True(strings.Contains(html, tt.shows))
			is.True(!strings.Contains(html, tt.lacks))
			is.True(!strings.Contains(html, "<script"))
			is.True(strings.Contains(html, `<meta name="robots" content="noindex">`))
		})
	}
}

// No name becomes a tag, an attribute or a URL that runs code.
func TestPageEscapesNames(t *testing.T) {
	is := is.New(t)
	const evil = `"><script>alert(1)</script>{{.School}}`
	for _, p := range []invitationpage.Page{
		{School: evil, Name: evil, FirstName: evil, LastName: evil, Faults: []string{evil}},
		{School: evil, Name: evil, Accepted: true, Next: "javascript:alert(1)"},
		{Refusal: evil},
	} {
		html := render(t, p)
		is.True(!strings.Contains(html, "<script"))
		is.True(!strings.Contains(html, `"javascript:`))
		is.True(strings.Contains(html, "&lt;script&gt;"))
	}
}

// A browser compares the hash in the policy with the text between the tags.
func TestPolicyAllowsStyle(t *testing.T) {
	is := is.New(t)
	_, rest, _ := strings.Cut(render(t, invitationpage.Page{School: "Acme"}), "<style>")
	style, _, ok := strings.Cut(rest, "</style>")
	is.True(ok)
	sum := sha256.Sum256([]byte(style))
	is.True(strings.Contains(invitationpage.Policy, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'"))
	is.True(!strings.Contains(invitationpage.Policy, "unsafe"))
}
