package web_test

import (
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/app"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/domain/signin"
	"lyceum/test/kit/oidctest"
	"lyceum/test/kit/stores"
)

// underSSO serves a school whose people sign in at a provider. The provider states that a learner
// of the demo school is signed in.
func underSSO(t *testing.T, open stores.Opener, admits bool) (*academy, *oidctest.Provider) {
	t.Helper()
	is := is.New(t)
	a, p := newAcademy(t, open, school.SSO), oidctest.New(t)
	p.Now = a.clock.Now
	p.Person["email"] = jiwoo
	id, secret := oidctest.ClientID, oidctest.ClientSecret
	_, err := a.Provision.UpdateSchool(t.Context(), demo.SchoolID, school.Changes{
		AdmitsNewPeople: &admits, Provider: school.ProviderChanges{Issuer: &p.URL, ClientID: &id, ClientSecret: &secret},
	})
	is.NoErr(err)
	saved, err := a.Provision.School(t.Context(), demo.SchoolID.String())
	is.NoErr(err)
	is.True(!strings.Contains(saved.State().Entry.Provider.ClientSecret, secret)) // encrypted
	return a, p
}

func TestSSO(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a, _ := underSSO(t, open, false)
		b := a.browser(t)
		asked := b.get("/coupon")
		is.Equal(asked.path, "/sign-in?return=%2Fcoupon")
		is.True(asked.has(`<a class="button" href="/learn/riverside-academy/sso?return=%2Fcoupon">Sign in</a>`))
		is.True(!asked.has(`name="email"`))
		is.Equal(b.get("/sso?return=%2Fcoupon").path, "/coupon")
		is.Equal(a.waits.Load(), int64(2))       // on the way to the provider, and back
		is.Equal(b.get("/sso").path, "/courses") // already signed in
		devices := b.get("/sessions")
		is.Equal(strings.Count(devices.body, "this device"), 1)
		is.Equal(b.post("/sign-out", nil).path, "/sign-in")
		is.Equal(b.get("/courses").path, "/sign-in?return=%2Fcourses")
		is.Equal(b.get("/sso").path, "/courses") // the provider still knows the person

		// No emails are sent.
		is.Equal(a.browser(t).post("/sign-in", url.Values{"email": {jiwoo}}).status, http.StatusForbidden)
		is.Equal(len(a.deliver(t)), 0)
	})
}

func TestUnknownPersonUnderSSO(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		for _, admits := range []bool{true, false} {
			is := is.New(t)
			a, p := underSSO(t, open, admits)
			p.Person["email"] = "Eve@example.test"
			b := a.browser(t)
			refused := b.get("/sso")
			is.Equal(refused.status == http.StatusOK, admits)
			is.Equal(refused.has("Ask the school to add Eve@example.test"), !admits)
			is.Equal(b.get("/courses").path == "/courses", admits)
			if admits {
				p.Person["email"] = "eve@EXAMPLE.test" // the same address
				is.Equal(a.browser(t).get("/sso").path, "/courses")
				is.Equal(strings.Count(b.get("/sessions").body, "Signed in since"), 2) // of one person
			}
		}
	})
}

func TestUnverifiedAddressUnderSSO(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a, p := underSSO(t, open, true)
		for _, change := range []func(){func() { p.Person["email_verified"] = false }, func() { delete(p.Person, "email_verified") }} {
			change()
			refused := a.browser(t).get("/sso?return=%2Fcoupon")
			is.Equal(refused.status, http.StatusForbidden)
			is.True(refused.has("does not confirm your email address"))
			is.True(refused.has("/sso?return=%2Fcoupon")) // the page offers another try
		}
	})
}

// returnAddress begins a sign-in in b and returns the address with which the provider sends the
// browser back.
func (b *browser) returnAddress(t *testing.T) string {
	t.Helper()
	var back string
	b.client.CheckRedirect = func(r *http.Request, _ []*http.Request) error {
		if strings.HasSuffix(r.URL.Path, "/sso/return") {
			back = r.URL.String()
			return http.ErrUseLastResponse
		}
		return nil
	}
	b.get("/sso")
	b.client.CheckRedirect = nil
	is.New(t).True(back != "")
	return back
}

func TestAttacksOnSSO(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a, p := underSSO(t, open, true)
		p.Reuse = true // this server does not rely on the provider
		b := a.browser(t)
		address := b.returnAddress(t)
		parsed, err := url.Parse(address)
		is.NoErr(err)
		jar := b.client.Jar.(*cookiejar.Jar)
		kept := jar.Cookies(parsed)
		is.Equal(len(kept), 1)
		is.True(!strings.Contains(address, strings.Split(kept[0].Value, ".")[0])) // the address does not reveal the cookie

		is.Equal(a.browser(t).get(address).status, http.StatusGone) // the browser of an attacker, or of a victim
		changed := strings.Replace(address, "state=", "state=0", 1)
		is.Equal(b.get(changed).status, http.StatusGone)
		is.Equal(b.get("/sso/return?error=access_denied&state="+parsed.Query().Get("state")).status, http.StatusForbidden)
		is.Equal(b.get("/sso/return").status, http.StatusGone)

		is.Equal(b.get(address).path, "/courses")
		b.client.Jar.SetCookies(parsed, kept) // an attacker has copied the cookie and the address
		is.Equal(b.get(address).status, http.StatusGone)

		late := a.browser(t)
		address = late.returnAddress(t)
		a.clock.Advance(signin.AttemptLifetime)
		is.Equal(late.get(address).status, http.StatusGone)

		a.attempts.left = 0
		is.Equal(a.browser(t).get(address).status, http.StatusTooManyRequests)
	})
}

// Another school with the same provider and the same client does not accept a sign-in.
func TestSSOOfAnotherSchool(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a, p := underSSO(t, open, true)
		other, err := a.Provision.CreateSchool(t.Context(), "Other", school.SSO, jiwoo)
		is.NoErr(err)
		id, secret, yes := oidctest.ClientID, oidctest.ClientSecret, true
		_, err = a.Provision.UpdateSchool(t.Context(), other.ID, school.Changes{
			AdmitsNewPeople: &yes, Provider: school.ProviderChanges{Issuer: &p.URL, ClientID: &id, ClientSecret: &secret},
		})
		is.NoErr(err)
		b := a.browser(t)
		address, err := url.Parse(b.returnAddress(t))
		is.NoErr(err)
		kept := b.client.Jar.Cookies(address)
		theirs, err := url.Parse(a.root + "/" + other.Slug + "/sso/return?" + address.RawQuery)
		is.NoErr(err)
		b.client.Jar.SetCookies(theirs, kept) // the attacker has the cookie in both schools
		is.Equal(b.get(theirs.String()).status, http.StatusGone)

		// The school has changed its provider since the sign-in began.
		q := oidctest.New(t)
		q.Now = a.clock.Now
		_, err = a.Provision.UpdateSchool(t.Context(), demo.SchoolID, school.Changes{
			Provider: school.ProviderChanges{Issuer: &q.URL, ClientID: &id, ClientSecret: &secret},
		})
		is.NoErr(err)
		is.Equal(b.get(address.String()).status, http.StatusGone)
	})
}

// A sign-in is not completed if the school changes its way to sign in, or its provider, while the
// server waits for the provider.
func TestSSOChangesDuringSignIn(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		email, sso, other := school.Preregistration, school.SSO, "other"
		for _, change := range []school.Changes{{Auth: &email}, {Provider: school.ProviderChanges{ClientID: &other}}} {
			is := is.New(t)
			a, p := underSSO(t, open, true)
			b := a.browser(t)
			address := b.returnAddress(t)
			p.Claims = func(map[string]any) {
				_, err := a.Provision.UpdateSchool(t.Context(), demo.SchoolID, change)
				is.NoErr(err)
			}
			is.Equal(b.get(address).status, http.StatusGone)
			_, err := a.Provision.UpdateSchool(t.Context(), demo.SchoolID, school.Changes{Auth: &sso})
			is.NoErr(err)
			is.Equal(b.get("/courses").path, "/sign-in?return=%2Fcourses") // no session began
		}
	})
}

// A school is suspended while a person signs in at its provider. No session begins, and no person is
// added.
func TestSSODuringSuspension(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a, p := underSSO(t, open, true)
		b := a.browser(t)
		address := b.returnAddress(t)
		p.Claims = func(map[string]any) {
			_, err := a.Provision.SuspendSchool(t.Context(), demo.SchoolID)
			is.NoErr(err)
		}
		is.Equal(b.get(address).status, http.StatusForbidden)
		_, err := a.Provision.ResumeSchool(t.Context(), demo.SchoolID)
		is.NoErr(err)
		is.Equal(b.get("/courses").path, "/sign-in?return=%2Fcourses")
	})
}

func TestSSOWithoutProvider(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.SSO)
		b := a.browser(t)
		is.True(!b.get("/sign-in").has("/sso") && b.get("/sign-in").has("not set up yet"))
		is.Equal(b.get("/sso").status, http.StatusForbidden)
		is.Equal(b.get("/sso/return?state=a&code=b").status, http.StatusForbidden)

		withLinks := newAcademy(t, open, school.Open)
		is.Equal(withLinks.browser(t).get("/sso").status, http.StatusNotFound)
		is.Equal(withLinks.browser(t).get("/sso/return").status, http.StatusNotFound)
	})
}

func TestServerSecretIsLost(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a, _ := underSSO(t, open, true)
		for _, secret := range []string{"another secret of the server", ""} {
			a.SetServerSecret(secret)
			is.Equal(a.browser(t).get("/sso").status, http.StatusInternalServerError)
		}
		secret := "s3cret"
		_, err := a.Provision.UpdateSchool(t.Context(), demo.SchoolID, school.Changes{Provider: school.ProviderChanges{ClientSecret: &secret}})
		is.True(fault.Is(err, fault.Forbidden)) // it is not saved in plain text
	})
}

func TestProviderOutage(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a, p := underSSO(t, open, true)
		p.Before = func(w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(http.StatusBadGateway); return true }
		is.Equal(a.browser(t).get("/sso").status, http.StatusServiceUnavailable)
		is.Equal(a.signedIn(t, jiwoo).get("/courses").path, "/courses") // with a link of the operator
		p.Before = nil
		a.clock.Advance(10 * time.Second)
		is.Equal(a.browser(t).get("/sso").path, "/courses")
	})
}

func TestSSOCookie(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a, _ := underSSO(t, open, true)
		b := a.browser(t)
		b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		set := b.get("/sso").header.Get("Set-Cookie")
		for _, part := range []string{"lyceum-sso=", "; Path=/learn/riverside-academy/sso;", "; Max-Age=600;", "; HttpOnly;", "; SameSite=Lax"} {
			is.True(strings.Contains(set, part))
		}
	})
}

// The addresses of people are unique under Unicode case folding, but another system states exact
// addresses: a mailbox at straße.example is not one at strasse.example.
func TestSimilarAddressIsAnotherPerson(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a, p := underSSO(t, open, true)
		_, err := a.People.Create(t.Context(), owner, person.Profile{Email: "vera@strasse.example"})
		is.NoErr(err)
		p.Person["email"] = "vera@straße.example"
		is.Equal(a.browser(t).get("/sso").status, http.StatusForbidden)
		p.Person["email"] = "Vera@Strasse.example"
		is.Equal(a.browser(t).get("/sso").path, "/courses")
	})
}

// A link that was mailed before the school changed to single sign-on no longer works.
func TestMailedLinkAfterChangeToSSO(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Preregistration)
		b := a.browser(t)
		b.post("/sign-in", url.Values{"email": {jiwoo}})
		link := "/sign-in/" + a.deliver(t)[0].Token
		auth := school.SSO
		_, err := a.Provision.UpdateSchool(t.Context(), demo.SchoolID, school.Changes{Auth: &auth})
		is.NoErr(err)
		is.Equal(b.post(link, nil).status, http.StatusGone)
		_, err = a.SignIns.CreateLinkOfInvited(t.Context(), demo.SchoolID, person.Summary{State: person.State{Email: jiwoo}})
		is.True(fault.Is(err, fault.Forbidden))
	})
}

func TestMalformedSlugs(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Open)
		for _, slug := range []string{"%00", "%ff", "a%00b", "%ed%a0%80"} {
			resp, err := http.Get(a.root + "/" + slug + "/courses")
			is.NoErr(err)
			is.NoErr(resp.Body.Close())
			is.Equal(resp.StatusCode, http.StatusNotFound)
		}
	})
}

// A completed sign-in that is sent again after its person was deleted begins no session, and does not
// add the person again, even if the school admits new people and the provider accepts the code.
func TestReplayedSSOAfterDeletion(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a, p := underSSO(t, open, true)
		p.Reuse = true
		b := a.browser(t)
		address := b.returnAddress(t)
		parsed, err := url.Parse(address)
		is.NoErr(err)
		kept := b.client.Jar.(*cookiejar.Jar).Cookies(parsed)
		is.Equal(b.get(address).path, "/courses")
		is.Equal(len(a.peopleAt(t, jiwoo)), 1)
		is.NoErr(a.People.Delete(t.Context(), app.SystemActor(demo.SchoolID), a.peopleAt(t, jiwoo)[0]))
		b.client.Jar.SetCookies(parsed, kept)
		is.Equal(b.get(address).status, http.StatusGone)
		is.Equal(len(a.peopleAt(t, jiwoo)), 0)
		is.Equal(b.get("/courses").path, "/sign-in?return=%2Fcourses")
	})
}

// peopleAt returns the people with an email address.
func (a *academy) peopleAt(t *testing.T, email string) (found []person.ID) {
	t.Helper()
	list, err := a.People.List(t.Context(), app.SystemActor(demo.SchoolID), query.Query{Page: query.AllRows()})
	is.New(t).NoErr(err)
	for _, one := range list.Items {
		if one.Email == email {
			found = append(found, one.ID)
		}
	}
	return found
}
