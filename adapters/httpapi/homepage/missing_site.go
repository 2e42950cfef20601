package homepage

import (
	"bytes"
	_ "embed"
	"html/template"
	"strings"
)

//go:embed missing_site.html
var missingSiteText string

var missingSite = template.Must(template.New("missing site").Parse(missingSiteText))

// MissingSite is the data of the page for links of a site that is not configured.
type MissingSite struct {
	Base    string // URL of the API, without a trailing slash
	Name    string // name of the site, such as web application
	Setting string // setting for the address of the site
	Switch  string // setting that turns on the site of this server; blank: this server has none
}

// Style returns the style sheet for the template.
func (MissingSite) Style() template.CSS { return Page{}.Style() }

// Variable returns the environment variable of the setting.
func (m MissingSite) Variable() string {
	return "LYCEUM_" + strings.ToUpper(strings.ReplaceAll(m.Setting, "-", "_"))
}

// Render returns the page, HTML in UTF-8.
func (m MissingSite) Render() ([]byte, error) {
	var b bytes.Buffer
	err := missingSite.Execute(&b, m)
	return b.Bytes(), err
}
