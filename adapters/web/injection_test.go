package web_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
	"golang.org/x/net/html"
	"lyceum/adapters/demo"
	"lyceum/adapters/web"
	"lyceum/app"
	"lyceum/domain/activity"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/school"
	"lyceum/domain/structure"
	"lyceum/test/kit/stores"
)

// hostile returns a text that would run a script if a page did not escape it. A test finds it by
// the name of its field.
func hostile(field string) string {
	return `"'><script>alert(1)</script><img src=x onerror=alert(1)><svg/onload=alert(1)></title></textarea>` +
		`<a href="javascript:alert(1)" onclick=alert(1)>x</a><iframe src=//evil.test></iframe>{{.}} ` + field
}

// hostileMarkdown contains hostile and links that run a script.
var hostileMarkdown = hostile("body") + "\n\n" + hostile("line") + "\n\n[a](javascript:alert(1)) ![b](javascript:alert(1)) [c](data:text/html,x)\n\n" +
	"<javascript:alert(1)>\n\n# </h2><script>alert(1)</script>\n\n| <b onclick=alert(1)> |\n|---|\n\n```\"><script>\n</code></pre><script>\n```\n"

// newHostileCourse creates a course, all of whose texts are hostile, and a group with that course.
func newHostileCourse(t *testing.T, a *academy) (course.Summary, group.Summary) {
	t.Helper()
	is := is.New(t)
	_, err := a.Provision.RenameSchool(t.Context(), demo.SchoolID, hostile("school"))
	is.NoErr(err)
	kind, err := a.Categories.Create(t.Context(), owner, hostile("category"))
	is.NoErr(err)
	c, err := a.Courses.Create(t.Context(), owner, app.CourseChanges{
		Changes: course.Changes{Name: ptr(hostile("course")), Permalink: ptr("hostile")}, Categories: &[]category.ID{kind.ID},
	})
	is.NoErr(err)
	text, address, minute := hostileMarkdown, "https://media.example.test/a.mp4?a=b", int64(60)
	_, err = a.Structures.Replace(t.Context(), owner, "hostile", app.StructureUpdate{
		Check: func(structure.Structure) error { return nil },
		Plan: structure.Plan{Activities: []structure.Activity{
			{Key: "text", Title: hostile("activity"), Kind: activity.Text.String(), Text: &text},
			{Key: "film", Title: hostile("film"), Kind: activity.Video.String(), Text: &text, VideoURL: &address, Duration: &minute},
			{Key: "quiz", Title: hostile("quiz"), Kind: activity.Quiz.String(), Text: &text, Quiz: &structure.Quiz{
				Defined: true, Name: hostile("quiz name"), Questions: []quiz.Question{
					{Key: "one", Text: hostile("question"), Choices: []quiz.Choice{{Text: hostile("choice"), Correct: true}, {Text: "No"}}},
				},
			}},
			{Key: "work", Title: hostile("work"), Kind: activity.Assignment.String(), Assignment: &structure.Assignment{
				Defined: true, Title: hostile("assignment"),
			}},
		}},
	})
	is.NoErr(err)
	g, err := a.Groups.Create(t.Context(), owner, group.Changes{Name: ptr(hostile("group"))})
	is.NoErr(err)
	is.NoErr(a.Groups.AddCourses(t.Context(), owner, g.ID, []course.ID{c.ID}))
	return c, g
}

// No text that a person, a course or a visitor supplies can add a script to a page of the academy.
func TestNoTextRunsAScript(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Preregistration)
		c, g := newHostileCourse(t, a)
		p, err := a.People.Create(t.Context(), owner, person.Profile{
			Email: "eve@example.test", FirstName: hostile("first name"), LastName: hostile("last name"),
		})
		is.NoErr(err)
		is.NoErr(a.Enrollments.Enroll(t.Context(), owner, p.ID, []app.CourseRole{{Course: c.ID, Role: enrollment.Learner}}))
		b := a.browser(t)
		b.agent = hostile("device")
		var all strings.Builder
		check := func(p page) page {
			t.Helper()
			checkHarmless(t, p)
			all.WriteString(p.body)
			return p
		}
		field := func(name string) url.Values { return url.Values{name: {hostile(name)}} }
		escaped := url.PathEscape(hostile("path"))

		for _, path := range []string{
			"/sign-in", "/sign-in?return=" + escaped, "/check-mail", "/nowhere/" + escaped, "/sign-in/" + escaped, "/enter?email=" + escaped,
			"/outline/hostile/cover", "/outline/" + escaped + "/cover", a.root + "/" + escaped,
		} {
			check(b.get(path))
		}
		check(b.post("/sign-in", field("email")))
		token, err := a.SignIns.CreateLink(t.Context(), demo.SchoolID, "eve@example.test")
		is.NoErr(err)
		check(b.get("/sign-in/" + token))
		check(b.post("/sign-in/"+token, nil))
		check(b.post("/sign-in/"+token, nil)) // used

		const path = "/courses/hostile"
		question := check(b.get(path + "/quiz/questions/1"))
		check(b.post(path+"/quiz/questions/1", url.Values{"question": {hidden(question)}})) // without a choice
		check(b.post(path+"/quiz/questions/1", url.Values{"question": {hidden(question)}, "choice": {"1"}}))
		check(b.upload(path+"/work/files", `"'><img src=x onerror=alert(1)>{{.}} file`, "x"))
		check(b.upload(path+"/work/files", "large", strings.Repeat("x", 3<<20)))
		check(b.post("/coupon", field("code")))
		for _, path := range []string{
			"/courses", "/sessions", "/coupon", "/coupon/used", "/c/" + c.EnrollToken, "/c/" + escaped, "/g/" + g.EnrollToken, "/g/" + escaped,
			"/outline/hostile/cover", path, path + "/text", path + "/film", path + "/quiz", path + "/work", path + "/" + escaped,
		} {
			check(b.get(path))
		}
		check(b.post("/g/"+g.EnrollToken, nil))
		check(b.visit(http.MethodPost, a.base+"/sign-out", nil, "cross-site"))
		_, err = a.Provision.CreateSchool(t.Context(), hostile("other"), school.Open, "")
		is.NoErr(err)
		check(b.get(a.root))
		check(b.post(a.root, field("school")))

		for _, name := range []string{
			"school", "course", "activity", "body", "film", "quiz", "question", "choice", "work", "file", "group", "device", "code", "email",
		} {
			is.True(strings.Contains(all.String(), "{{.}} "+name)) // a page shows the text
		}
	})
}

// elements are the elements of pages.
var elements = strings.Fields(`html head meta title link body a header nav form button main div ul ol li p span h1 h2 h3 h4 h5 h6 label input
	section fieldset legend progress video table thead tbody tr th td blockquote pre code em strong del br hr img`)

// checkHarmless parses a page as a browser does. It fails if the page runs a script other than
// player.js, or loads a file of another site other than the allowed media site.
func checkHarmless(t *testing.T, p page) {
	t.Helper()
	is := is.New(t)
	is.True(strings.HasPrefix(p.header.Get("Content-Security-Policy"), "default-src 'none'; "))
	is.Equal(p.header.Get("Content-Type"), "text/html; charset=utf-8")
	document, err := html.Parse(strings.NewReader(p.body))
	is.NoErr(err)
	for n := range document.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		attributes := map[string]string{}
		for _, a := range n.Attr {
			attributes[a.Key] = a.Val
			if strings.HasPrefix(a.Key, "on") || slices.Contains([]string{"style", "srcdoc", "http-equiv"}, a.Key) {
				t.Errorf("%s: <%s> has %s=%q", p.path, n.Data, a.Key, a.Val)
			}
			if slices.Contains([]string{"href", "src", "action", "formaction", "data-watched"}, a.Key) {
				checkAddress(t, p, n, a)
			}
		}
		if n.Data == "script" && n.FirstChild == nil && strings.HasPrefix(attributes["src"], web.Prefix+"/-/player.js?v=") {
			continue
		}
		if !slices.Contains(elements, n.Data) {
			t.Errorf("%s has an element <%s> %v", p.path, n.Data, attributes)
		}
	}
}

// checkAddress fails unless an address belongs to the academy, or to a link or a video of a text.
func checkAddress(t *testing.T, p page, n *html.Node, a html.Attribute) {
	t.Helper()
	u, err := url.Parse(a.Val)
	ok := err == nil && (u.Scheme == "" && u.Host == "" && strings.HasPrefix(u.Path, web.Prefix+"/") || strings.HasPrefix(a.Val, "#"))
	if n.Data == "a" || n.Data == "video" || n.Data == "img" {
		ok = ok || err == nil && u.Scheme == "https" && u.Host == "media.example.test"
	}
	if !ok {
		t.Errorf("%s: <%s> has %s=%q", p.path, n.Data, a.Key, a.Val)
	}
}
