package teaching_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/adapters/web/teaching"
	"lyceum/app"
	"lyceum/domain/course"
	"lyceum/domain/school"
	"lyceum/test/kit/stores"
)

// Forms of other sites are refused, and a change requires a POST.
func TestFormsOfOtherSitesAreRefused(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b := s.as(t, owner)
		for _, site := range []string{"cross-site", "same-site"} {
			for _, path := range []string{"/people", "/courses", "/keys", "/settings", ownCourse + "/edit", "/people/import"} {
				p := b.send(http.MethodPost, s.base+path, strings.NewReader("name=Bees&email=eve@example.test&scope=admin"), formType, site)
				is.Equal(p.status, http.StatusForbidden)
			}
		}
		is.True(!b.get("/courses").has("Bees"))
		is.Equal(b.get(ownCourse+"/learners").status, http.StatusNotFound)
	})
}

// A session of one school does not open another one, even if the person is an owner there.
func TestSessionOfAnotherSchool(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		other, err := s.Provision.CreateSchool(t.Context(), "Other", school.Open, owner)
		is.NoErr(err)
		b := s.as(t, owner)
		here, err := url.Parse(s.base)
		is.NoErr(err)
		there, err := url.Parse(s.origin + teaching.Prefix + "/" + other.Slug)
		is.NoErr(err)
		b.client.Jar.SetCookies(there, b.client.Jar.Cookies(here))
		p := b.send(http.MethodGet, there.String(), nil, "", "")
		is.True(strings.Contains(p.path, "/sign-in"))

		// IDs of the other school are unknown here.
		foreign, err := s.Courses.Create(t.Context(), app.SystemActor(other.ID), app.CourseChanges{Changes: course.Changes{Name: new("Theirs")}})
		is.NoErr(err)
		is.Equal(b.get("/courses/"+foreign.ID.String()).status, http.StatusNotFound)
		is.Equal(b.get("/courses/theirs").status, http.StatusNotFound)
	})
}

// A manager cannot become an owner: neither by a partnership, nor with a key, nor by changing the
// address of an owner.
func TestManagerCannotBecomeOwner(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		names := s.records(t)
		b := s.as(t, manager)
		path := names.Replace("/people/{owner}")
		p := b.post(path+"/edit", "email", "mallory@example.test", "first_name", "Mallory")
		is.Equal(p.status, http.StatusUnprocessableEntity)
		is.True(p.has("Only an owner of the school can change owners and managers"))
		is.True(s.as(t, owner).get(path).has(owner))
		is.Equal(b.post(path+"/remove").status, http.StatusUnprocessableEntity)
		is.Equal(b.post(names.Replace("/people/{manager}/roles"), "role", "owner").status, http.StatusForbidden)

		is.Equal(b.post(path+"/link").status, http.StatusForbidden)
		is.Equal(b.post(names.Replace("/people/{manager}/link")).status, http.StatusForbidden)

		// The import of a file does not change existing people.
		file := "email,first_name\n" + owner + ",Mallory\n"
		is.Equal(b.upload(file).status, http.StatusOK)
		s.applyBulk(t)
		is.True(s.as(t, owner).get(path).has("<h1>Eleanor Hartley</h1>"))
	})
}

// An instructor cannot make themselves the instructor of another course, and cannot change a quiz
// of another course through their own.
func TestInstructorStaysInOwnCourses(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b := s.as(t, instructor)
		is.Equal(b.post(foreignCourse+"/edit", "name", "Mine").status, http.StatusNotFound)
		is.Equal(b.post(ownCourse+"/edit", "name", "Mine", "instructor", s.records(t).Replace("{partnership}")).status, http.StatusOK)
		c, err := s.Courses.Get(t.Context(), app.SystemActor(demo.SchoolID), "seeing-light")
		is.NoErr(err)
		is.Equal(c.Name, "Mine")
		is.Equal(len(c.Instructors), 1) // unchanged
		is.Equal(b.get("/answers?filter[course.id]="+s.records(t).Replace("{foreign course}")).has("<table>"), false)
	})
}

// A person whose role is withdrawn loses access with the next request.
func TestWithdrawnRole(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b, names := s.as(t, learner), s.records(t)
		path := names.Replace("/people/{learner}")
		is.Equal(b.get("").status, http.StatusForbidden)
		boss := s.as(t, owner)
		is.Equal(boss.post(path+"/roles", "role", "manager").status, http.StatusOK)
		is.True(!b.get("/coupons").has("Coupons")) // the session from before the role has ended
		b = s.as(t, learner)
		is.Equal(b.get("/coupons").status, http.StatusOK)
		is.Equal(boss.post(path+"/roles/"+s.roleOf(t, learner)+"/end").status, http.StatusOK)
		is.Equal(b.get("/coupons").status, http.StatusForbidden)
		is.Equal(boss.post(names.Replace("/people/{owner}/roles/{partnership}/end")).status, http.StatusUnprocessableEntity) // the last owner
	})
}

// roleOf returns the ID of the role of the person with an email address.
func (s *server) roleOf(t *testing.T, email string) string {
	t.Helper()
	all, err := s.People.List(t.Context(), app.SystemActor(demo.SchoolID), everything)
	is.New(t).NoErr(err)
	for _, p := range all.Items {
		if p.Email == email {
			return p.Partnerships[0].String()
		}
	}
	t.Fatalf("there is no person %s", email)
	return ""
}

// A role can end while a file of people arrives. Nothing is imported then.
func TestRoleEndsDuringUpload(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b, boss := s.as(t, manager), s.as(t, owner)
		path := s.records(t).Replace("/people/{manager}/roles/" + s.roleOf(t, manager) + "/end")
		s.admission.arrives = func() { is.Equal(boss.post(path).status, http.StatusOK) }
		b.upload("email\nlate@example.test\n")
		is.True(!strings.Contains(boss.get("/audit").body, "bulk_jobs"))
		s.admission.arrives = nil
		is.True(boss.upload("email\nlate@example.test\n").has("late") || strings.Contains(boss.get("/audit").body, "bulk_jobs")) // otherwise the check above could not fail
	})
}

// Names are texts on every page, not HTML.
func TestNamesAreNotHTML(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b := s.as(t, owner)
		const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>`
		is.Equal(b.post("/people", "email", "eve@example.test", "first_name", evil, "last_name", evil).status, http.StatusOK)
		c := b.post("/courses", "name", evil, "permalink", "evil")
		is.Equal(c.path, "/courses/evil/builder?done=1")
		is.Equal(b.post("/groups", "name", evil).status, http.StatusOK)
		is.Equal(b.post("/keys", "name", evil, "scope", "read").status, http.StatusOK)
		hook := b.post("/webhooks", "url", "https://hooks.example.test/?a="+url.QueryEscape(evil), "description", evil, "type", "*")
		is.Equal(hook.status, http.StatusOK)
		is.True(hook.has("alert(1)"))
		fields := []string{"kind", "quiz", "title", evil, "text", evil, "q0", evil, "q0c0", evil, "q0c0correct", "1", "q0c1", "no"}
		review := b.post("/courses/evil/builder", fields...)
		saved := b.post("/courses/evil/builder", append(fields, "reviewed", fingerprint(review.body))...)
		is.Equal(saved.path, "/courses/evil/builder?done=1")
		pages := []page{review, saved, hook, b.get("/webhooks"), b.get(""), b.get("/people?q=script"), b.get("/courses"), b.get("/courses/evil"), b.get("/groups"), b.get("/keys"), b.get("/add-course")}
		for _, link := range hrefs(saved.body, "/builder/") {
			pages = append(pages, b.send(http.MethodGet, s.origin+link, nil, "", ""))
		}
		for _, p := range pages {
			is.Equal(p.status, http.StatusOK)
			is.True(!p.has("<script>alert") && !p.has("<img src=x")) // the name is escaped
		}
	})
}

// The start page has no form, and a form that is sent to it is not redirected.
func TestFormToStartPage(t *testing.T) {
	is := is.New(t)
	s := newServer(t, func(*testing.T) stores.Backend { return stores.Memory() })
	b := s.as(t, owner)
	b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	for _, address := range []string{s.base, s.academy} {
		is.Equal(b.send(http.MethodPost, address, strings.NewReader(""), formType, "same-origin").status, http.StatusNotFound)
	}
}

// The sign-in leads only to pages of the app.
func TestOpenRedirect(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b := s.as(t, owner)
		b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		for _, path := range []string{"/app//evil.example", "/app/%5Cevil.example", "/app/%2F%2Fevil.example", "/sign-in?return=//evil.example", "/sign-in?return=https://evil.example"} {
			to := b.send(http.MethodGet, s.academy+path, nil, "", "").header.Get("Location")
			is.True(to == "" || strings.HasPrefix(to, "/app/riverside-academy") || strings.HasPrefix(to, "/learn/riverside-academy"))
		}
	})
}
