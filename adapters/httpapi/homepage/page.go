// Package homepage renders the page at the root of the API, which tells a person who opens it in a
// browser what the server is and where to continue. It has no scripts. Start at Page.Render.
package homepage

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
)

//go:embed page.html
var text string

//go:embed page.css
var style string

// Icon is the icon of the server, an SVG image.
//
//go:embed icon.svg
var Icon []byte

var page = template.Must(template.New("home").Parse(text))

// Policy is the Content-Security-Policy of the page. It allows the page's style sheet, by its hash,
// images from the server, and sending forms to the server.
var Policy = "default-src 'none'; img-src 'self'; style-src 'sha256-" + hash(style) + "'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// Page is the data of the page. All texts are escaped.
type Page struct {
	Base      string // URL of the API, without a trailing slash
	Reference bool   // whether /docs serves the reference
	DemoKey   string // key of the demo school; empty: there is none
	Academy   string // URL of the academy; empty: there is none
	DemoEntry string // URL to which a role is posted in order to enter the academy of the demo school
	DemoRoles []string
}

// Style returns the style sheet for the template.
func (Page) Style() template.CSS { return template.CSS(style) } // trusted: it is a constant

// Render returns the page, HTML in UTF-8.
func (p Page) Render() ([]byte, error) {
	var b bytes.Buffer
	err := page.Execute(&b, p)
	return b.Bytes(), err
}
