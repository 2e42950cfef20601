package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/domain/school"
	"lyceum/domain/signin"
	"lyceum/test/kit/stores"
)

// cookie returns the session cookie of the browser, or nil.
func (b *browser) cookie() *http.Cookie {
	b.t.Helper()
	address, err := url.Parse(b.academy.base)
	is.New(b.t).NoErr(err)
	if all := b.client.Jar.Cookies(address); len(all) > 0 {
		return all[0]
	}
	return nil
}

// plant saves a session cookie in the browser for the school with the given slug.
func (b *browser) plant(slug, token string) {
	b.t.Helper()
	address, err := url.Parse(b.academy.root + "/" + slug)
	is.New(b.t).NoErr(err)
	b.client.Jar.SetCookies(address, []*http.Cookie{{Name: "lyceum", Value: token, Path: address.Path}})
}

// The session of a school neither reads nor changes anything in another school, not even for a
// person with the same address.
func TestSessionCannotActInAnotherSchool(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Preregistration)
		other, err := a.Provision.CreateSchool(t.Context(), "Other", school.Open, jiwoo)
		is.NoErr(err)
		b := a.signedIn(t, jiwoo)
		token, theirs := b.cookie().Value, a.root+"/"+other.Slug
		c := a.newCourse(t, "Beekeeping")
		for _, path := range []string{"/courses", "/courses/seeing-light", seeing + "/what-light-does", "/sessions", "/coupon", "/c/" + c.EnrollToken} {
			b.plant(other.Slug, token)
			is.True(strings.Contains(b.get(theirs+path).path, "/other/sign-in?return=")) // path
		}
		for _, path := range []string{"/sign-out-everywhere", "/sign-out", "/coupon", seeing + "/what-light-does/complete", "/c/" + c.EnrollToken} {
			b.plant(other.Slug, token)
			is.True(strings.Contains(b.post(theirs+path, nil).path, "/other/sign-in")) // path
		}
		is.Equal(b.get("/courses").path, "/courses") // the session has not ended
	})
}

// A person who signs in gets a new session, even if the browser has a valid session of an attacker.
// The attacker's session does not become the person's session.
func TestPlantedSessionIsReplaced(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Preregistration)
		attacker, victim := a.newcomer(t), a.browser(t)
		planted := attacker.cookie().Value
		victim.plant(demo.Slug, planted)
		is.Equal(victim.get("/courses").path, "/courses") // the attacker is signed in here
		token, err := a.SignIns.CreateLink(t.Context(), demo.SchoolID, jiwoo)
		is.NoErr(err)
		victim.post("/sign-in/"+token, nil)
		is.True(victim.cookie().Value != planted)
		is.True(victim.get("/courses").has("Seeing Light"))
		is.True(!attacker.get("/courses").has("Seeing Light"))
	})
}

// A cookie is useless after its session was ended.
func TestCookieOfEndedSession(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Preregistration)
		b, thief := a.signedIn(t, jiwoo), a.browser(t)
		token := b.cookie().Value
		thief.plant(demo.Slug, token)
		is.Equal(thief.get("/courses").path, "/courses")
		b.post("/sign-out", nil)
		is.True(b.cookie() == nil)
		thief.plant(demo.Slug, token)
		is.Equal(thief.get("/courses").path, "/sign-in?return=%2Fcourses")
	})
}

// Concurrent uses of one link sign in once.
func TestLinkIsUsedOnce(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Preregistration)
		token, err := a.SignIns.CreateLink(t.Context(), demo.SchoolID, jiwoo)
		is.NoErr(err)
		var users sync.WaitGroup
		var in, gone atomic.Int32
		for range 8 {
			b := a.browser(t)
			users.Go(func() {
				switch p := b.post("/sign-in/"+token, nil); {
				case p.path == "/courses":
					in.Add(1)
				case p.status == http.StatusGone:
					gone.Add(1)
				}
			})
		}
		users.Wait()
		is.Equal(in.Load(), int32(1))
		is.Equal(gone.Load(), int32(7))
	})
}

// No link leads to another site: not the choice of a school, not a path with slashes, and not the
// path to return to, even if an entry link with a valid signature contains it.
func TestNoLinkLeadsToAnotherSite(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.URL)
		secret, err := a.Provision.NewEntrySecret(t.Context(), demo.SchoolID)
		is.NoErr(err)
		_, err = a.Provision.CreateSchool(t.Context(), "Second", school.Open, "")
		is.NoErr(err)
		visitor := func() *browser {
			b := a.browser(t)
			b.client.CheckRedirect = func(r *http.Request, _ []*http.Request) error {
				if at := r.URL.String(); !strings.HasPrefix(at, a.root) || strings.Contains(strings.ToLower(at), "%2e") {
					t.Errorf("a redirect to %s", at)
				}
				return nil
			}
			return b
		}
		for i, target := range []string{"//evil.test", "https://evil.test", `/\evil.test`, "/../../app", "/%2e%2e/%2e%2e/app", "/%2f%2fevil.test", "evil.test"} {
			b := visitor()
			b.post(a.root, url.Values{"school": {target}})
			b.get(a.root + "/" + target)
			b.get(a.base + "//" + target)
			e := signin.Entry{
				Email: jiwoo, Return: target, Nonce: strings.Repeat("n", 16+i), Expires: a.clock.Now().Add(time.Minute).Unix(),
			}
			b.get(entryLink(e, secret))
		}
	})
}
