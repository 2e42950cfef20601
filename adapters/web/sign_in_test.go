package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/app"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/domain/signin"
	"lyceum/test/kit/stores"
)

func TestSignInByEmail(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Preregistration)
		b := a.browser(t)
		is.Equal(b.get(a.root).path, "/sign-in") // the server has one school
		is.Equal(b.get("").path, "/sign-in")
		sent := b.post("/sign-in", url.Values{"email": {strings.ToUpper(jiwoo)}})
		is.Equal(sent.path, "/check-mail")
		messages := a.deliver(t)
		is.Equal(len(messages), 1)
		is.Equal(messages[0].To, jiwoo)
		is.Equal(messages[0].Slug, demo.Slug)
		is.Equal(messages[0].ExpiresAt, a.clock.Now().Add(15*time.Minute))

		link := "/sign-in/" + messages[0].Token
		for range 2 { // looking at the page does not use the link
			asked := b.get(link)
			is.Equal(asked.status, http.StatusOK)
			is.True(asked.has("You are about to sign in as " + jiwoo))
			is.Equal(b.get("/courses").path, "/sign-in?return=%2Fcourses")
		}
		in := b.post(link, nil)
		is.Equal(in.path, "/courses")
		is.True(in.has("Riverside Academy"))
		for _, again := range []page{b.get(link), b.post(link, nil)} {
			is.Equal(again.status, http.StatusGone)
		}
		is.Equal(b.get("/sign-in").path, "/courses") // already signed in
		is.Equal(b.post("/sign-out", nil).path, "/sign-in")
		is.Equal(b.get("/courses").path, "/sign-in?return=%2Fcourses")
	})
}

func TestLinksExpire(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Preregistration)
		b := a.browser(t)
		b.post("/sign-in", url.Values{"email": {jiwoo}})
		token := a.deliver(t)[0].Token
		a.clock.Advance(15 * time.Minute)
		is.Equal(b.post("/sign-in/"+token, nil).status, http.StatusGone)
		is.Equal(b.get("/courses").path, "/sign-in?return=%2Fcourses")
	})
}

// The response does not reveal whether an address belongs to a person. Repeated requests for one
// address send one email a minute.
func TestUnknownAddressGetsTheSameResponse(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Preregistration)
		b := a.browser(t)
		known, unknown := b.post("/sign-in", url.Values{"email": {jiwoo}}), b.post("/sign-in", url.Values{"email": {"eve@example.test"}})
		is.Equal(known.body, unknown.body)
		is.Equal(known.path, unknown.path)
		b.post("/sign-in", url.Values{"email": {jiwoo}})
		is.Equal(len(a.deliver(t)), 1)
		a.clock.Advance(time.Minute)
		b.post("/sign-in", url.Values{"email": {jiwoo}})
		is.Equal(len(a.deliver(t)), 1)
		wrong := b.post("/sign-in", url.Values{"email": {"not an address"}})
		is.Equal(wrong.status, http.StatusUnprocessableEntity)
		is.True(wrong.has(`value="not an address"`))
		is.Equal(len(a.deliver(t)), 0)
	})
}

func TestOpenSchoolAdmitsNewPeople(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Open)
		b := a.browser(t)
		b.post("/sign-in", url.Values{"email": {"eve@example.test"}})
		messages := a.deliver(t)
		is.Equal(len(messages), 1)
		is.Equal(messages[0].Name, "")
		is.Equal(b.post("/sign-in/"+messages[0].Token, nil).path, "/courses")
		found, err := a.People.List(t.Context(), app.SystemActor(demo.SchoolID), query.Query{
			Page:  query.NewPage(1, 1),
			Where: query.Cond{Attr: person.Schema.Attr("email"), Op: query.Eq, Values: []query.Value{{Text: "eve@example.test", Fold: "eve@example.test"}}},
		})
		is.NoErr(err)
		is.Equal(len(found.Items), 1)
		is.Equal(found.Items[0].Status(), person.Activated)
	})
}

// Of simultaneous requests for one address, one sends an email.
func TestSimultaneousSignInRequests(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Open)
		s, err := a.SignIns.School(t.Context(), demo.Slug)
		is.NoErr(err)
		var requests sync.WaitGroup
		for range 16 {
			requests.Go(func() { is.NoErr(a.SignIns.Request(t.Context(), s, "eve@example.test", "", false)) })
		}
		requests.Wait()
		is.Equal(len(a.deliver(t)), 1)
	})
}

// A link signs in only the mailbox that got it. The addresses of people are unique under Unicode case
// folding, but a mailbox at straße.example is not one at strasse.example.
func TestLinkOfASimilarAddress(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Open)
		b := a.browser(t)
		b.post("/sign-in", url.Values{"email": {"vera@straße.example"}})
		sent := a.deliver(t)
		is.Equal(sent[0].To, "vera@straße.example") // no person has a similar address yet
		_, err := a.People.Create(t.Context(), owner, person.Profile{Email: "vera@strasse.example"})
		is.NoErr(err)
		is.Equal(b.post("/sign-in/"+sent[0].Token, nil).status, http.StatusForbidden)
		is.Equal(b.get("/courses").path, "/sign-in?return=%2Fcourses")

		a.clock.Advance(time.Minute)
		b.post("/sign-in", url.Values{"email": {"vera@straße.example"}})
		sent = a.deliver(t)
		is.Equal(sent[0].To, "vera@strasse.example")
		is.Equal(b.post("/sign-in/"+sent[0].Token, nil).path, "/courses")
	})
}

func TestMethodsWithoutEmail(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		for _, method := range []school.AuthMethod{school.URL, school.SSO} {
			is := is.New(t)
			a := newAcademy(t, open, method)
			b := a.browser(t)
			shown := b.get("/sign-in")
			is.Equal(shown.status, http.StatusOK)
			is.True(!shown.has(`name="email"`))
			is.Equal(b.post("/sign-in", url.Values{"email": {jiwoo}}).status, http.StatusForbidden)
			is.Equal(len(a.deliver(t)), 0)
		}
	})
}

func TestSessions(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Preregistration)
		one, two := a.signedIn(t, jiwoo), a.signedIn(t, jiwoo)
		other := a.signedIn(t, "abigail.stone@example.test")
		listed := one.get("/sessions")
		is.Equal(strings.Count(listed.body, "A browser"), 2)
		is.Equal(strings.Count(listed.body, "(this device)"), 1)
		_, rest, _ := strings.Cut(listed.body, `/sessions/`)
		id, _, _ := strings.Cut(rest, `/end"`)
		is.Equal(other.post("/sessions/"+id+"/end", nil).status, http.StatusOK) // has no effect, because the session belongs to another person
		is.Equal(two.get("/courses").path, "/courses")
		one.post("/sessions/"+id+"/end", nil)
		is.Equal(two.get("/courses").path, "/sign-in?return=%2Fcourses")
		is.Equal(one.get("/courses").path, "/courses")

		three := a.signedIn(t, jiwoo)
		is.Equal(one.post("/sign-out-everywhere", nil).path, "/sign-in")
		is.Equal(three.get("/courses").path, "/sign-in?return=%2Fcourses")
		is.Equal(other.get("/courses").path, "/courses")

		a.clock.Advance(29 * 24 * time.Hour) // a use extends the session
		is.Equal(other.get("/courses").path, "/courses")
		a.clock.Advance(29 * 24 * time.Hour)
		is.Equal(other.get("/courses").path, "/courses")
		a.clock.Advance(signin.SessionLifetime)
		is.Equal(other.get("/courses").path, "/sign-in?return=%2Fcourses")
	})
}

func TestDeletedPersonIsSignedOut(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Preregistration)
		b := a.signedIn(t, jiwoo)
		actor := app.SystemActor(demo.SchoolID)
		found, err := a.People.List(t.Context(), actor, query.Query{
			Page:  query.NewPage(1, 1),
			Where: query.Cond{Attr: person.Schema.Attr("email"), Op: query.Eq, Values: []query.Value{{Text: jiwoo, Fold: jiwoo}}},
		})
		is.NoErr(err)
		is.NoErr(a.People.Delete(t.Context(), actor, found.Items[0].ID))
		is.Equal(b.get("/courses").path, "/sign-in?return=%2Fcourses")
	})
}

func TestDemoButtons(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Preregistration)
		b := a.browser(t)
		is.True(b.get("/sign-in").has(`value="learner"`))
		in := b.post("/demo", url.Values{"role": {"learner"}})
		is.Equal(in.path, "/courses")
		is.True(in.has("<progress"))
		is.Equal(a.browser(t).post("/demo", url.Values{"role": {"learner"}, "return": {"/coupon"}}).path, "/coupon")
		is.Equal(a.browser(t).post("/demo", url.Values{"role": {"learner"}, "return": {"//evil.test"}}).path, "/courses")
		is.Equal(a.browser(t).post("/demo", url.Values{"role": {"owner"}}).status, http.StatusNotFound)
	})
}

func TestChooseSchool(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Preregistration)
		_, err := a.Provision.CreateSchool(t.Context(), "Second", school.Open, "")
		is.NoErr(err)
		b := a.browser(t)
		is.True(b.get(a.root).has(`name="school"`))
		is.Equal(b.post(a.root, url.Values{"school": {" Riverside-Academy "}}).path, "/sign-in")
		unknown := b.post(a.root, url.Values{"school": {"nowhere"}})
		is.Equal(unknown.status, http.StatusUnprocessableEntity)
		is.True(unknown.has("There is no school with this address."))
	})
}
