// Package invitationpage renders the page on which a person accepts an invitation: plain HTML with
// a form, without scripts. Its only resource from another server is the configured logo. Start at
// New.
package invitationpage

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

//go:embed page.html
var standard string

//go:embed page.css
var style string

// TemplateName is the name of the template file that replaces the standard page.
const TemplateName = "invitation-page.html"

// Look configures the appearance of the page. The zero Look is the look of the standard page.
type Look struct {
	Logo   string // https URL of an image
	Color  string // #rrggbb, of the button and the links
	Folder string // folder of templates; a file TemplateName in it replaces the standard page
}

// Pages renders pages with one look.
type Pages struct {
	template *template.Template
	style    template.CSS
	logo     string
	policy   string
}

var color = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)

// Validate returns the errors of the settings, joined. Each starts with the name of the setting.
func (l Look) Validate() error {
	var errs []error
	if u, err := url.Parse(l.Logo); l.Logo != "" && (err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil) {
		errs = append(errs, errors.New("pages.logo: must be an https URL, such as https://school.example/logo.svg"))
	}
	if l.Color != "" && !color.MatchString(l.Color) {
		errs = append(errs, errors.New("pages.color: must be a color such as #3157d5"))
	}
	if _, err := l.parse(); err != nil {
		errs = append(errs, fmt.Errorf("pages.templates: %w", err))
	}
	return errors.Join(errs...)
}

// parse returns the template of the page, after a trial execution.
func (l Look) parse() (*template.Template, error) {
	text := standard
	if l.Folder != "" {
		if _, err := os.Stat(l.Folder); err != nil {
			return nil, err
		}
		switch own, err := os.ReadFile(filepath.Join(l.Folder, TemplateName)); {
		case err == nil:
			text = string(own)
		case !errors.Is(err, os.ErrNotExist):
			return nil, err
		}
	}
	t, err := template.New(TemplateName).Parse(text)
	if err != nil {
		return nil, err
	}
	return t, t.Execute(&bytes.Buffer{}, view{texts: catalog[0], Page: Page{School: "School", Name: "Name"}})
}

// New returns Pages with the look l, or the errors of l.Validate.
func New(l Look) (*Pages, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	t, err := l.parse()
	css, images := style, ""
	if l.Color != "" {
		css += ":root { --accent: " + l.Color + "; --on-accent: " + onColor(l.Color) + "; }\n"
	}
	if u, _ := url.Parse(l.Logo); l.Logo != "" {
		images = "img-src https://" + u.Host + "; "
	}
	return &Pages{
		template: t, style: template.CSS(css), logo: l.Logo, // trusted: the color is validated
		policy: "default-src 'none'; " + images + "style-src 'sha256-" + hash(css) +
			"'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
	}, err
}

// onColor returns black or white, whichever is easier to read on the background color hex
// (#rrggbb).
func onColor(hex string) string {
	part := func(i int) float64 {
		n, _ := strconv.ParseUint(hex[i:i+2], 16, 8) // the color is validated, so there is no error
		return float64(n)
	}
	if 0.299*part(1)+0.587*part(3)+0.114*part(5) > 150 {
		return "#000000"
	}
	return "#ffffff"
}

// Policy returns the Content-Security-Policy of the page. It allows only the page's style sheet, by
// its hash, the logo, and sending the form to the URL of the page.
func (p *Pages) Policy() string { return p.policy }

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// Fault explains why a field of the form is invalid or, if Field is empty, why the form as a whole
// is refused.
type Fault struct{ Field, Detail string }

// Page is the data of the page. All texts are escaped.
type Page struct {
	School              string // name; empty if there is no invitation to show
	Name                string // the person's full name
	FirstName, LastName string // values of the form
	Invalid             []Fault
	Accepted            bool
	Next                string // URL of the link after acceptance; empty: no link
	Unknown             bool   // there is no such invitation
	Over                string // why the invitation can no longer be accepted
	Failed              int    // HTTP status of a request that failed for another reason; 0: none
}

// view is the data for templates: the page and its texts.
type view struct {
	Page
	texts
	Style template.CSS
	Logo  string
}

// Refusal returns the text that explains why there is no invitation to show, or "" if there is one.
func (v view) Refusal() string {
	switch {
	case v.Page.Unknown:
		return v.texts.Unknown
	case v.Page.Over != "" && v.texts.Over != "":
		return v.texts.Over
	case v.busy():
		return v.Busy
	case v.Page.Failed != 0:
		return v.texts.Failed
	}
	return v.Page.Over
}

// Advice returns what the person can do after a refusal.
func (v view) Advice() string {
	switch {
	case v.busy():
		return v.Wait
	case v.Page.Failed != 0:
		return v.OpenAgain
	}
	return v.AskAgain
}

// busy reports whether the same request can succeed later.
func (v view) busy() bool {
	return v.Page.Failed == http.StatusTooManyRequests || v.Page.Failed == http.StatusServiceUnavailable
}

// Problems returns the faults of the form. Faults about names are in the language of the page.
// Details without a translation, such as details of added rules, are unchanged.
func (v view) Problems() []string {
	labels := map[string]string{"first_name": v.texts.FirstName, "last_name": v.texts.LastName}
	var all []string
	for _, f := range v.Invalid {
		detail := cmp.Or(v.Faults[f.Detail], f.Detail)
		all = append(all, strings.TrimSpace(labels[f.Field]+" "+detail))
	}
	return all
}

// FirstLabel returns the label of the field for the first name.
func (v view) FirstLabel() string { return v.texts.FirstName }

// LastLabel returns the label of the field for the last name.
func (v view) LastLabel() string { return v.texts.LastName }

// Render returns the page, HTML in UTF-8, in the language that an Accept-Language header prefers.
func (p *Pages) Render(page Page, acceptLanguage string) ([]byte, error) {
	var b bytes.Buffer
	err := p.template.Execute(&b, view{Page: page, texts: textsFor(acceptLanguage), Style: p.style, Logo: p.logo})
	return b.Bytes(), err
}
