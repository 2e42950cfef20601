package web_test

import (
	"net/http"
	"net/url"
	"sync"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/app"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/test/kit/stores"
)

var owner = app.SystemActor(demo.SchoolID)

// newcomer adds a person to the school and signs them in.
func (a *academy) newcomer(t *testing.T) *browser {
	t.Helper()
	_, err := a.People.Create(t.Context(), owner, person.Profile{Email: "eve@example.test", FirstName: "Eve"})
	is.New(t).NoErr(err)
	return a.signedIn(t, "eve@example.test")
}

func (a *academy) newCourse(t *testing.T, name string) course.Summary {
	t.Helper()
	c, err := a.Courses.Create(t.Context(), owner, app.CourseChanges{Changes: course.Changes{Name: &name}})
	is.New(t).NoErr(err)
	return c
}

// A visitor who is not signed in signs in first, and then returns to the link.
func TestEnrollmentLink(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Open)
		c := a.newCourse(t, "Bees & <b>honey</b>")
		link := "/c/" + c.EnrollToken
		b := a.browser(t)
		asked := b.get(link)
		is.Equal(asked.path, "/sign-in?return="+url.QueryEscape(link))
		is.True(asked.has(`name="return" value="` + link + `"`))
		again := b.post("/sign-in", url.Values{"email": {"eve@example.test"}, "return": {link}})
		is.True(again.has(`<a href="/learn/riverside-academy/sign-in?return=` + url.QueryEscape(link) + `">`)) // for another try
		back := b.post("/sign-in/"+a.deliver(t)[0].Token, nil)
		is.Equal(back.path, link)
		is.Equal(b.get(asked.path).path, link) // the sign-in page leads a person who is signed in back, too
		is.True(back.has("<h1>Enroll in Bees &amp; &lt;b&gt;honey&lt;/b&gt;</h1>"))
		for range 2 { // enrolling again changes nothing
			in := b.post(link, nil)
			is.Equal(in.path, "/courses/"+c.ID.String())
			is.True(in.has("<h1>Bees &amp; &lt;b&gt;honey&lt;/b&gt;</h1>"))
		}
		is.True(b.get("/outline/" + c.Permalink + "/cover").has("You are enrolled in this course."))
	})
}

func TestGroupEnrollmentLink(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Preregistration)
		c, name := a.newCourse(t, "Beekeeping"), "Beekeepers"
		g, err := a.Groups.Create(t.Context(), owner, group.Changes{Name: &name})
		is.NoErr(err)
		is.NoErr(a.Groups.AddCourses(t.Context(), owner, g.ID, []course.ID{c.ID}))
		b := a.newcomer(t)
		is.True(b.get("/g/" + g.EnrollToken).has("<h1>Join Beekeepers</h1>"))
		in := b.post("/g/"+g.EnrollToken, nil)
		is.Equal(in.path, "/courses")
		is.True(in.has("Beekeeping"))
		for _, path := range []string{"/g/" + c.EnrollToken, "/c/" + g.EnrollToken, "/c/x"} {
			is.Equal(b.get(path).status, http.StatusNotFound)
			is.Equal(b.post(path, nil).status, http.StatusNotFound)
		}
	})
}

func TestCoupon(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Preregistration)
		b := a.newcomer(t)
		unknown := b.post("/coupon", url.Values{"code": {"<NONE>"}})
		is.Equal(unknown.status, http.StatusUnprocessableEntity)
		is.True(unknown.has("There is no coupon with this code."))
		is.True(unknown.has(`value="&lt;NONE&gt;"`))
		used := b.post("/coupon", url.Values{"code": {" welcome10 "}})
		// After the redirect, reloading the page does not redeem the coupon again.
		is.Equal(used.path, "/coupon/used")
		is.True(used.has("Your coupon was redeemed."))
		full := b.post("/coupon", url.Values{"code": {"FIRST-FIFTY"}})
		is.Equal(full.status, http.StatusUnprocessableEntity)
		found, err := a.Coupons.List(t.Context(), owner, query.Query{Page: query.NewPage(1, 10)})
		is.NoErr(err)
		for _, c := range found.Items {
			if c.Code == "WELCOME10" {
				is.Equal(c.UsagesCount, int64(38))
			}
		}
	})
}

// A person who redeems a coupon several times uses it once. A redemption by an API key counts each
// time.
func TestCouponIsUsedOnceByEachPerson(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Preregistration)
		made, err := a.Coupons.Create(t.Context(), owner, coupon.Params{
			Code: "ONCE", Currency: "EUR", StartOn: a.clock.Now(), Format: coupon.Fixed, Value: 10_000, MaximumUsages: 4,
		})
		is.NoErr(err)
		b := a.newcomer(t)
		use := func(b *browser) string { return b.post("/coupon", url.Values{"code": {"once"}}).path }
		var wait sync.WaitGroup
		for range 8 { // double clicks
			wait.Go(func() {
				if at := use(b); at != "/coupon/used" {
					t.Error(at)
				}
			})
		}
		wait.Wait()
		check := func(uses int64) {
			t.Helper()
			c, err := a.Coupons.Get(t.Context(), owner, made.ID)
			is.NoErr(err)
			is.Equal(c.UsagesCount, uses)
		}
		check(1)
		is.Equal(use(a.signedIn(t, jiwoo)), "/coupon/used") // another person
		check(2)
		found, err := a.Redemptions.ListOf(t.Context(), owner, made.ID, query.Query{Page: query.AllRows()})
		is.NoErr(err)
		is.Equal(len(found.Items), 2)
		for range 2 {
			_, err = a.Redemptions.Redeem(t.Context(), owner, made.ID, found.Items[0].Person)
			is.NoErr(err)
		}
		check(4)
		is.Equal(use(b), "/coupon/used") // the coupon is used up, but not by this request
		check(4)
	})
}

func TestCovers(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Preregistration)
		c := a.newCourse(t, "Beekeeping")
		cover := "/outline/" + c.Permalink + "/cover"
		shown := a.browser(t).get(cover) // the demo school has public covers
		is.Equal(shown.status, http.StatusOK)
		is.True(shown.has("<h1>Beekeeping</h1>"))
		is.True(shown.has("/sign-in?return=" + url.QueryEscape(cover))) // a visitor can sign in and return
		is.Equal(a.browser(t).get("/outline/none/cover").status, http.StatusNotFound)
		private := false
		_, err := a.Provision.UpdateSchool(t.Context(), demo.SchoolID, school.Changes{PublicCovers: &private})
		is.NoErr(err)
		is.Equal(a.browser(t).get(cover).path, "/sign-in?return="+url.QueryEscape(cover))
		visitor := a.signedIn(t, jiwoo)
		a.renderings.Store(0)
		is.Equal(visitor.get(cover).status, http.StatusOK)
		is.Equal(a.renderings.Load(), int64(2)) // the list of activities and the page
	})
}
