package web_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/adapters/web"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/test/kit/stores"
)

func TestFormsOfOtherSitesAreRefused(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Preregistration)
		b := a.signedIn(t, jiwoo)
		for _, path := range []string{"/sign-out", "/sign-out-everywhere", "/coupon", "/demo", "/sign-in"} {
			is.Equal(b.visit(http.MethodPost, a.base+path, nil, "cross-site").status, http.StatusForbidden)
			is.Equal(b.visit(http.MethodPost, a.base+path, nil, "same-site").status, http.StatusForbidden)
		}
		is.Equal(b.get("/courses").path, "/courses")
		is.Equal(b.get("/sign-out").status, http.StatusNotFound) // signing out requires a POST
		is.Equal(b.get("/courses").path, "/courses")
	})
}

func TestCookie(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Preregistration)
		token, err := a.SignIns.CreateLink(t.Context(), demo.SchoolID, jiwoo)
		is.NoErr(err)
		b := a.browser(t)
		b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		b.client.Jar = nil
		set := b.post("/sign-in/"+token, nil).header.Get("Set-Cookie")
		for _, part := range []string{"lyceum=", "; Path=/learn/riverside-academy;", "; Max-Age=2592000;", "; HttpOnly;", "; SameSite=Lax"} {
			is.True(strings.Contains(set, part)) // the cookie has each of these attributes
		}
	})
}

// A session belongs to one school: its token does not open another school.
func TestSessionOfAnotherSchool(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Preregistration)
		other, err := a.Provision.CreateSchool(t.Context(), "Other", school.Open, jiwoo)
		is.NoErr(err)
		b := a.signedIn(t, jiwoo)
		address, err := url.Parse(a.base)
		is.NoErr(err)
		theirs, err := url.Parse(a.root + "/" + other.Slug)
		is.NoErr(err)
		cookies := b.client.Jar.Cookies(address)
		is.Equal(len(cookies), 1)
		// The browser does not send the cookie to the other school.
		is.Equal(len(b.client.Jar.Cookies(theirs)), 0)
		b.client.Jar.SetCookies(theirs, []*http.Cookie{{Name: cookies[0].Name, Value: cookies[0].Value, Path: "/"}})
		is.True(strings.HasSuffix(b.get(theirs.String()+"/courses").path, "/other/sign-in?return=%2Fcourses"))

		// A sign-in link does not open another school either.
		token, err := a.SignIns.CreateLink(t.Context(), demo.SchoolID, jiwoo)
		is.NoErr(err)
		is.Equal(b.post(theirs.String()+"/sign-in/"+token, nil).status, http.StatusNotFound)
	})
}

// A visitor cannot choose the token of a session.
func TestSessionFixation(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Preregistration)
		b := a.browser(t)
		address, err := url.Parse(a.base)
		is.NoErr(err)
		b.client.Jar.SetCookies(address, []*http.Cookie{{Name: "lyceum", Value: "chosen", Path: address.Path}})
		is.Equal(b.get("/courses").path, "/sign-in?return=%2Fcourses")
		token, err := a.SignIns.CreateLink(t.Context(), demo.SchoolID, jiwoo)
		is.NoErr(err)
		b.post("/sign-in/"+token, nil)
		is.True(b.client.Jar.Cookies(address)[0].Value != "chosen")
	})
}

func TestReturnStaysInTheAcademy(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		a := newAcademy(t, open, school.Preregistration)
		for _, target := range []string{"//evil.test", "https://evil.test", "/\\evil.test", "/../../app", "javascript:alert(1)", "/x\r\nSet-Cookie: a=b"} {
			is := is.New(t)
			b := a.browser(t)
			// The page does not accept addresses of other sites.
			is.True(b.get("/sign-in?return=" + url.QueryEscape(target)).has(`name="return" value=""`))
			is.True(b.get("/check-mail?return=" + url.QueryEscape(target)).has(`/sign-in">`))
			a.clock.Advance(2 * 60e9)
			b.post("/sign-in", url.Values{"email": {jiwoo}, "return": {target}})
			is.Equal(b.post("/sign-in/"+a.deliver(t)[0].Token, nil).path, "/courses")
			is.Equal(b.get("/sign-in?return="+url.QueryEscape(target)).path, "/courses")
		}
	})
}

// A path of the teaching app is decoded before the redirect to it, so it is checked again.
func TestReturnStaysInTheTeachingApp(t *testing.T) {
	a := newAcademy(t, func(*testing.T) stores.Backend { return stores.Memory() }, school.Preregistration)
	site := web.New(a.App, web.Config{
		Base: "http://localhost/learn/{school}", App: "http://localhost/app/{school}", Attempts: a.attempts, Admission: anyWork{a},
		Log: slog.New(slog.DiscardHandler),
	})
	const slug = demo.Slug
	for path, want := range map[string]string{
		"/app":                     "/app/" + slug,
		"/app/courses":             "/app/" + slug + "/courses",
		"/app/%2e%2e/docs":         "",
		"/app/x/%252e%252e/docs":   "",
		"/app/%09/evil.test":       "",
		"/app/%5cevil.test":        "",
		"/app//evil.test/courses?": "",
	} {
		is := is.New(t)
		w := httptest.NewRecorder()
		site.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/learn/"+slug+path, http.NoBody))
		location := w.Header().Get("Location")
		is.True(want != "" && location == want || want == "" && !strings.HasPrefix(location, "/app/")) // path
	}
}

func TestTextsAreEscaped(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Preregistration)
		const script = `"><script>alert(1)</script>`
		_, err := a.Provision.RenameSchool(t.Context(), demo.SchoolID, "School "+script)
		is.NoErr(err)
		_, err = a.People.Create(t.Context(), owner, person.Profile{Email: "eve@example.test", FirstName: script})
		is.NoErr(err)
		c := a.newCourse(t, "Course "+script)
		b := a.signedIn(t, "eve@example.test")
		b.post("/c/"+c.EnrollToken, nil)
		for _, path := range []string{"/courses", "/c/" + c.EnrollToken, "/outline/" + c.Permalink + "/cover", "/sessions", "/coupon", "/nowhere"} {
			shown := b.get(path)
			is.True(!shown.has("<script")) // texts of users must not become elements
			is.True(shown.has("alert(1)"))
			is.True(strings.HasPrefix(shown.header.Get("Content-Security-Policy"), "default-src 'none'; "))
		}
		is.True(!a.browser(t).get("/sign-in?return=" + url.QueryEscape("/"+script)).has("<script"))
	})
}

func TestGuessingIsLimited(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Preregistration)
		b := a.signedIn(t, jiwoo)
		unknown := strings.Repeat("a", 40)
		for _, path := range []string{"/sign-in/" + unknown, "/c/" + unknown, "/g/" + unknown} {
			a.attempts.left = 1
			is.Equal(b.get(path).status, http.StatusNotFound)
			is.Equal(b.get(path).status, http.StatusTooManyRequests)
			is.Equal(b.post(path, nil).status, http.StatusTooManyRequests)
		}
		a.attempts.left = 1
		is.Equal(b.post("/coupon", url.Values{"code": {"x"}}).status, http.StatusUnprocessableEntity)
		is.Equal(b.post("/coupon", url.Values{"code": {"welcome10"}}).status, http.StatusTooManyRequests)
		a.attempts.left = 1
		is.Equal(b.post("/sign-in", url.Values{"email": {jiwoo}}).path, "/check-mail")
		is.Equal(b.post("/sign-in", url.Values{"email": {jiwoo}}).status, http.StatusTooManyRequests)
	})
}

// A network can request a limited number of emails to strangers. Beyond it, the people of the school
// still get their emails, and every response stays the same.
func TestEmailsToStrangersAreLimited(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Open)
		a.attempts.emails = 1
		var to []string
		for _, email := range []string{"one@example.test", "two@example.test", jiwoo} {
			is.Equal(a.browser(t).post("/sign-in", url.Values{"email": {email}}).path, "/check-mail")
			for _, m := range a.deliver(t) {
				to = append(to, m.To)
			}
		}
		is.Equal(to, []string{"one@example.test", jiwoo})
	})
}

func TestSuspendedSchoolIsClosed(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Preregistration)
		b := a.signedIn(t, jiwoo)
		_, err := a.Provision.SuspendSchool(t.Context(), demo.SchoolID)
		is.NoErr(err)
		is.Equal(b.get("/courses").status, http.StatusForbidden)
	})
}

func TestUnknownPages(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Preregistration)
		b := a.browser(t)
		for _, address := range []string{a.root + "/nowhere/courses", a.base + "/nowhere", a.root + "/-/none.css", a.root + "/UPPER"} {
			is.Equal(b.get(address).status, http.StatusNotFound)
		}
		style := b.get(a.root + "/-/style.css")
		is.Equal(style.status, http.StatusOK)
		is.Equal(style.header.Get("Content-Type"), "text/css; charset=utf-8")
		is.Equal(web.Prefix, "/learn")
	})
}

func TestLanguages(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Preregistration)
		b := a.browser(t)
		for language, want := range map[string]string{"": `<html lang="en">`, "de-AT,en;q=0.5": `<html lang="de">`, "fr": `<html lang="en">`, ";;": `<html lang="en">`} {
			b.language = language
			is.True(b.get("/sign-in").has(want))
		}
	})
}
