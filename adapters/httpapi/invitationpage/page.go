// Package invitationpage renders the page on which a person accepts an invitation: plain HTML with
// a form, without scripts and without resources from other servers. Start at Page.
package invitationpage

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

var page = template.Must(template.New("invitation").Parse(text))

// Policy is the Content-Security-Policy of the page. It allows only the page's style sheet,
// identified by its hash, and sending the form to the URL of the page.
var Policy = "default-src 'none'; style-src 'sha256-" + hash(style) + "'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// Page is the data of the page. All texts are escaped.
type Page struct {
	School              string // name; empty if there is no invitation to show
	Name                string // the person's full name
	FirstName, LastName string // values of the form
	Faults              []string
	Accepted            bool
	Next                string // URL of the link shown after the acceptance; empty: no link
	Refusal             string // why there is no invitation to show
}

// Style returns the style sheet for the template.
func (Page) Style() template.CSS { return template.CSS(style) } // trusted, because it is a constant

// Render returns the page, HTML in UTF-8.
func (p Page) Render() ([]byte, error) {
	var b bytes.Buffer
	err := page.Execute(&b, p)
	return b.Bytes(), err
}
