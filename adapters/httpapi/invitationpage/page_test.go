package invitationpage_test

import (
	"crypto/sha256"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/invitationpage"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

func render(t *testing.T, p invitationpage.Page) string {
	t.Helper()
	return renderAs(t, invitationpage.Look{}, p, "")
}

func renderAs(t *testing.T, look invitationpage.Look, p invitationpage.Page, language string) string {
	t.Helper()
	is := is.New(t)
	pages, err := invitationpage.New(look)
	is.NoErr(err)
	b, err := pages.Render(p, language)
	is.NoErr(err)
	return string(b)
}

func TestLanguage(t *testing.T) {
	page := invitationpage.Page{School: "Acme", Name: "Ada", Invalid: []invitationpage.Fault{{Field: "first_name", Detail: "contains a control character"}}}
	for language, want := range map[string]string{
		"": "Join Acme", "en-GB,en;q=0.9": "First name contains a control character", "de": "Acme beitreten", "de-AT,en;q=0.5": "<li>Vorname enthält ein Steuerzeichen</li>",
		"fr,de;q=0.5": `<html lang="de">`, "ja": `<html lang="en">`, "rubbish;;": `<html lang="en">`,
	} {
		is.New(t).True(strings.Contains(renderAs(t, invitationpage.Look{}, page, language), want)) // the page is in the requested language
	}
	is := is.New(t)
	over := invitationpage.Page{Over: "This is over"}
	is.True(strings.Contains(renderAs(t, invitationpage.Look{}, over, "de"), "ist abgelaufen."))
	is.True(strings.Contains(renderAs(t, invitationpage.Look{}, invitationpage.Page{Unknown: true}, "de"), "gibt es nicht."))
}

// Every fault that a name can have is translated; faults of added rules are shown unchanged.
func TestFaultsInGerman(t *testing.T) {
	for _, name := range []string{
		"\u202e", "a\u200bb", "a\x00", "\xff", strings.Repeat("a", 256), strings.Repeat("\ufdfa", 255),
	} {
		is := is.New(t)
		_, err := text.OptionalName("last_name", name)
		found := fault.All(err)
		is.Equal(len(found), 1)
		page := invitationpage.Page{School: "Acme", Name: "Ada", Invalid: []invitationpage.Fault{{Field: found[0].Field, Detail: found[0].Detail}}}
		html := renderAs(t, invitationpage.Look{}, page, "de")
		is.True(!strings.Contains(html, found[0].Detail)) // the fault is not shown in English
		is.True(strings.Contains(html, "<li>Nachname enthält ") || strings.Contains(html, "<li>Nachname ist zu lang"))
	}
	is := is.New(t)
	own := invitationpage.Page{School: "Acme", Name: "Ada", Invalid: []invitationpage.Fault{
		{Field: "first_name", Detail: "must be real"}, {Detail: "The course is full"},
	}}
	html := renderAs(t, invitationpage.Look{}, own, "de")
	is.True(strings.Contains(html, "<li>Vorname must be real</li>\n<li>The course is full</li>"))
}

func TestLook(t *testing.T) {
	is := is.New(t)
	folder := t.TempDir()
	look := invitationpage.Look{Logo: "https://cdn.test/logo.svg", Color: "#3157d5", Folder: folder}
	page := invitationpage.Page{School: "Acme", Name: "Ada"}
	html := renderAs(t, look, page, "")
	is.True(strings.Contains(html, `<img src="https://cdn.test/logo.svg" alt="Acme">`))
	is.True(strings.Contains(html, "--accent: #3157d5; --on-accent: #ffffff;"))
	pages, err := invitationpage.New(look)
	is.NoErr(err)
	is.True(strings.Contains(pages.Policy(), "img-src https://cdn.test; "))

	own := filepath.Join(folder, invitationpage.TemplateName)
	is.NoErr(os.WriteFile(own, []byte("<p>Own page of {{.School}}</p>"), 0o600))
	is.Equal(renderAs(t, look, page, ""), "<p>Own page of Acme</p>")
	is.NoErr(os.WriteFile(own, []byte("{{.Nothing}}"), 0o600))
	for _, wrong := range []invitationpage.Look{
		look, {Logo: "http://cdn.test/x"}, {Logo: "https:///x"}, {Color: "blue"}, {Color: "#12345"}, {Folder: folder + "/none"},
	} {
		is.True(wrong.Validate() != nil)
	}
}

func TestPage(t *testing.T) {
	for name, tt := range map[string]struct {
		page         invitationpage.Page
		shows, lacks string
	}{
		"open":     {invitationpage.Page{School: "Acme", Name: "Ada King", FirstName: "Ada"}, `name="first_name" value="Ada"`, "Welcome"},
		"faulty":   {invitationpage.Page{School: "Acme", Name: "Ada", Invalid: []invitationpage.Fault{{Field: "first_name", Detail: "is too long"}}}, "<li>First name is too long</li>", "Welcome"},
		"accepted": {invitationpage.Page{School: "Acme", Name: "Ada", Accepted: true, Next: "https://learn.example.test"}, `<a href="https://learn.example.test">`, "<form"},
		"nowhere":  {invitationpage.Page{School: "Acme", Name: "Ada", Accepted: true}, "Your account is ready.", "<a "},
		"refused":  {invitationpage.Page{Over: "This is over"}, "<p>This is over.</p>", "<form"},
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

// A name never becomes a tag, an attribute or a URL that runs code.
func TestPageEscapesNames(t *testing.T) {
	is := is.New(t)
	const evil = `"><script>alert(1)</script>{{.School}}`
	for _, p := range []invitationpage.Page{
		{School: evil, Name: evil, FirstName: evil, LastName: evil, Invalid: []invitationpage.Fault{{Field: "first_name", Detail: evil}}},
		{School: evil, Name: evil, Accepted: true, Next: "javascript:alert(1)"},
		{Over: evil},
	} {
		html := render(t, p)
		is.True(!strings.Contains(html, "<script"))
		is.True(!strings.Contains(html, `"javascript:`))
		is.True(strings.Contains(html, "&lt;script&gt;"))
	}
}

// A browser compares the hash in the policy with the hash of the text between the style tags.
func TestPolicyAllowsStyle(t *testing.T) {
	is := is.New(t)
	_, rest, _ := strings.Cut(render(t, invitationpage.Page{School: "Acme"}), "<style>")
	style, _, ok := strings.Cut(rest, "</style>")
	is.True(ok)
	sum := sha256.Sum256([]byte(style))
	pages, err := invitationpage.New(invitationpage.Look{})
	is.NoErr(err)
	is.True(strings.Contains(pages.Policy(), "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'"))
	is.True(!strings.Contains(pages.Policy(), "unsafe"))
}
