// Package welcome holds the page on which people accept an invitation: plain HTML
// with a form, without scripts, and nothing that comes from elsewhere.
package welcome

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

var page = template.Must(template.New("welcome").Parse(text))

// Policy is the Content-Security-Policy of the page: its own style, which it is
// known by, and a form that is sent back to where it came from.
var Policy = "default-src 'none'; style-src 'sha256-" + hash(style) + "'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// Page is what the page says. Every text is shown as it is, whatever it holds.
type Page struct {
	School              string // its name; blank when there is no invitation to show
	Name                string // the person's full name
	FirstName, LastName string // in the form
	Faults              []string
	Accepted            bool
	Next                string // where to go once it is accepted; blank: nowhere
	Refusal             string // why there is no invitation to show
}

// Style returns the style sheet as it stands in the page.
func (Page) Style() template.CSS { return template.CSS(style) } // it is our own

// Render returns the page, HTML in UTF-8.
func (p Page) Render() ([]byte, error) {
	var b bytes.Buffer
	err := page.Execute(&b, p)
	return b.Bytes(), err
}
