package teaching

import (
	"bytes"
	"embed"
	"html/template"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"time"
)

//go:embed templates
var templateFiles embed.FS

// pages contains the templates of all pages by the name of their file without extension.
var pages = parsePages()

func parsePages() map[string]*template.Template {
	shared := template.Must(template.New("").Funcs(funcs).ParseFS(templateFiles, "templates/shared/*.html"))
	names, err := fs.Glob(templateFiles, "templates/*.html")
	if err != nil {
		panic(err)
	}
	all := map[string]*template.Template{}
	for _, file := range names {
		name := strings.TrimSuffix(strings.TrimPrefix(file, "templates/"), ".html")
		all[name] = template.Must(template.Must(shared.Clone()).ParseFS(templateFiles, file))
	}
	return all
}

// view is the data of a template.
type view struct {
	*siteRequest
	Problems []string // reasons why a form was refused
	Page     any      // data of the page
}

// T returns the text in the language of the page. The text in English is its key.
func (v view) T(english string) string { return v.t(english) }

// URL returns the address of a page of the app.
func (v view) URL(path string) string { return v.url(path) }

// Asset returns the address of an asset.
func (v view) Asset(name string) string {
	return v.site.root + assetPath + name + "?v=" + assets[name].version
}

// Slug returns the slug of the school; blank on pages that belong to no school.
func (v view) Slug() string { return v.School.Slug }

// Manages reports whether the person is an owner or a manager. It only decides what the page shows.
func (v view) Manages() bool { return v.staff.Manages() }

// Owns reports whether the person is an owner. It only decides what the page shows.
func (v view) Owns() bool { return v.staff.IsOwner() }

// SignedIn reports whether the page is shown to a person of the staff.
func (v view) SignedIn() bool { return v.staff.Role.String() != "" }

// Done reports whether the page is shown after a change was saved.
func (v view) Done() bool { return v.r.Method == http.MethodGet && v.r.URL.Query().Get("done") == "1" }

// Day returns a day in UTC; blank for nil.
func (v view) Day(t *time.Time) string {
	if t == nil {
		return ""
	}
	return v.Date(*t)
}

// Time returns a time in UTC.
func (v view) Time(t time.Time) string { return v.Date(t) + ", " + t.UTC().Format("15:04") }

// Section reports whether the page belongs to the section of the app with the given path.
func (v view) Section(path string) bool {
	here := strings.TrimPrefix(v.r.URL.Path, "/"+v.School.Slug)
	if path == "" {
		return here == "" || here == "/"
	}
	within := func(path string) bool { return here == path || strings.HasPrefix(here, path+"/") }
	return within(path) || slices.ContainsFunc(subsections[path], within)
}

// subsections contains the paths of pages that belong to a section with another path.
var subsections = map[string][]string{
	"/courses": {"/add-course", "/categories"}, "/people": {"/imports"}, "/results": {"/answers", "/quizzes"}, "/submissions": {"/assignments"},
}

// render responds with a page.
func (x *siteRequest) render(status int, name string, page any, problems ...string) error {
	var b bytes.Buffer
	err := x.Render(func() error { return pages[name].ExecuteTemplate(&b, "layout", view{x, problems, page}) })
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
