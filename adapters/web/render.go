package web

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"strconv"
	"strings"

	"lyceum/app/auth"
	"lyceum/domain/decimal"
	"lyceum/domain/school"
)

//go:embed templates
var templateFiles embed.FS

// pages contains the templates of all pages by the name of their file without extension.
var pages = parsePages()

func parsePages() map[string]*template.Template {
	layout := template.Must(template.ParseFS(templateFiles, "templates/layout.html"))
	names, err := fs.Glob(templateFiles, "templates/*.html")
	if err != nil {
		panic(err)
	}
	all := map[string]*template.Template{}
	for _, file := range names {
		name := strings.TrimSuffix(strings.TrimPrefix(file, "templates/"), ".html")
		if name != "layout" {
			all[name] = template.Must(template.Must(layout.Clone()).ParseFS(templateFiles, file))
		}
	}
	return all
}

// view is the data of a template.
type view struct {
	*texts
	School   school.State  // zero on pages that belong to no school
	Visitor  *auth.Visitor // nil: not signed in
	Problems []string      // reasons why a form was refused
	Page     any           // data of the page

	x *siteRequest
}

// URL returns the address of a page of the school.
func (v view) URL(path string) string { return v.x.url(path) }

// wholePercent returns the number of a percentage without decimal places.
func wholePercent(p decimal.Percent) string { return strconv.FormatInt(p.Whole(), 10) }

// Percent returns a number as a percentage.
func (v view) Percent(number string) string { return fmt.Sprintf(v.PercentText, number) }

// App returns the address of the teaching app; blank if the visitor cannot enter it.
func (v view) App() string {
	if !v.x.isStaff() {
		return ""
	}
	return v.x.appURL("")
}

// Root returns the address of the page on which visitors choose their school.
func (v view) Root() string { return v.x.site.root + "/" }

// Asset returns the URL path of the asset with the given name, including its version.
func (v view) Asset(name string) string { return v.x.asset(name) }

func (x *siteRequest) asset(name string) string {
	return x.site.root + assetPath + name + "?v=" + assets[name].version
}

// render responds with a page.
func (x *siteRequest) render(status int, name string, page any, problems ...string) error {
	var b bytes.Buffer
	v := view{texts: x.texts, School: x.school, Visitor: x.visitor, Problems: problems, Page: page, x: x}
	err := x.rendered(func() error { return pages[name].ExecuteTemplate(&b, "layout", v) })
	if err != nil {
		return err
	}
	x.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	x.w.WriteHeader(status)
	if x.r.Method != http.MethodHead {
		_, _ = x.w.Write(b.Bytes()) // fails only if the client has disconnected
	}
	return nil
}

// rendered calls do, which renders a text or a template, when Admission.BeginRendering lets the
// school do it.
func (x *siteRequest) rendered(do func() error) error {
	end, err := x.site.cfg.Admission.BeginRendering(x.r.Context(), x.school.ID)
	if err != nil {
		return err
	}
	defer end()
	return do()
}
