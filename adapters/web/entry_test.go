package web_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/app"
	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/domain/signin"
	"lyceum/test/kit/stores"
)

// entryLink returns the path of an entry link that is signed with secret.
func entryLink(e signin.Entry, secret string) string {
	return "/enter?" + url.Values{
		"email": {e.Email}, "first_name": {e.FirstName}, "last_name": {e.LastName}, "return": {e.Return}, "nonce": {e.Nonce},
		"expires": {strconv.FormatInt(e.Expires, 10)}, "signature": {e.Sign(secret)},
	}.Encode()
}

func TestEntryLinks(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.URL)
		secret, err := a.Provision.NewEntrySecret(t.Context(), demo.SchoolID)
		is.NoErr(err)
		e := signin.Entry{
			Email: "eve@example.test", FirstName: "Eve", Return: "/coupon", Nonce: "0123456789abcdef", Expires: a.clock.Now().Add(time.Minute).Unix(),
		}
		b := a.browser(t)
		is.Equal(b.visit(http.MethodHead, a.base+entryLink(e, secret), nil, "none").status, http.StatusOK) // does not use the link
		is.Equal(b.get(entryLink(e, secret)).path, "/coupon")                                              // Eve is a new person
		is.Equal(b.get(entryLink(e, secret)).status, http.StatusGone)
		// A copy of the used link does not work in another browser, nor does its signature in
		// capitals.
		is.Equal(a.browser(t).get(entryLink(e, secret)).status, http.StatusGone)
		copied, signature, _ := strings.Cut(entryLink(e, secret), "signature=")
		is.Equal(a.browser(t).get(copied+"signature="+strings.ToUpper(signature)).status, http.StatusGone)

		other := e
		other.Email, other.Nonce = jiwoo, "fedcba9876543210"
		asked := b.get(entryLink(other, secret)) // Eve is signed in, so the page asks for confirmation
		is.True(asked.has("You are about to sign in as " + jiwoo))
		is.Equal(b.visit(http.MethodPost, a.base+entryLink(other, secret), nil, "cross-site").status, http.StatusForbidden)
		is.Equal(b.post(entryLink(other, secret), nil).path, "/coupon")

		forged, expired := e, e
		forged.Nonce, expired.Nonce = "another nonce 000", "another nonce 001"
		expired.Expires = a.clock.Now().Unix()
		for _, link := range []string{entryLink(forged, "wrong"), entryLink(expired, secret), "/enter", "/enter?email=" + jiwoo} {
			is.Equal(a.browser(t).get(link).status, http.StatusGone) // none of these links is valid
		}
		_, err = a.Provision.NewEntrySecret(t.Context(), demo.SchoolID)
		is.NoErr(err)
		// The link was signed with the previous secret.
		is.Equal(a.browser(t).get(entryLink(forged, secret)).status, http.StatusGone)
		// Without a secret, no signature is valid.
		none := ""
		_, err = a.Provision.UpdateSchool(t.Context(), demo.SchoolID, school.Changes{EntrySecret: &none})
		is.NoErr(err)
		is.Equal(a.browser(t).get(entryLink(forged, "")).status, http.StatusGone)
		a.attempts.left = 0
		is.Equal(a.browser(t).get(entryLink(forged, secret)).status, http.StatusTooManyRequests)
	})
}

// An entry link that was used before its person was deleted begins no session, and does not add the
// person again.
func TestReplayedEntryLinkAfterDeletion(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.URL)
		secret, err := a.Provision.NewEntrySecret(t.Context(), demo.SchoolID)
		is.NoErr(err)
		e := signin.Entry{Email: "eve@example.test", Nonce: "0123456789abcdef", Expires: a.clock.Now().Add(time.Minute).Unix()}
		b := a.browser(t)
		is.Equal(b.get(entryLink(e, secret)).path, "/courses")
		is.Equal(len(a.peopleAt(t, e.Email)), 1)
		is.NoErr(a.People.Delete(t.Context(), app.SystemActor(demo.SchoolID), a.peopleAt(t, e.Email)[0]))
		is.Equal(b.get("/courses").path, "/sign-in?return=%2Fcourses")
		is.Equal(b.get(entryLink(e, secret)).status, http.StatusGone)
		is.Equal(a.browser(t).get(entryLink(e, secret)).status, http.StatusGone)
		is.Equal(len(a.peopleAt(t, e.Email)), 0)
	})
}

func TestEntryLinksNeedURLAuthentication(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.Open)
		secret, err := a.Provision.NewEntrySecret(t.Context(), demo.SchoolID)
		is.NoErr(err)
		e := signin.Entry{Email: jiwoo, Nonce: "0123456789abcdef", Expires: a.clock.Now().Add(time.Minute).Unix()}
		is.Equal(a.browser(t).get(entryLink(e, secret)).status, http.StatusNotFound)
	})
}

// The secret of entry links is stored encrypted, for its school only. It is not saved in plain text
// on a server without a secret, which can still turn entry links off.
func TestEntrySecretIsEncrypted(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		a := newAcademy(t, open, school.URL)
		state := func() school.State {
			t.Helper()
			found, err := a.Provision.School(t.Context(), demo.SchoolID.String())
			is.NoErr(err)
			return found.State()
		}
		set := func(secret string) error {
			_, err := a.Provision.UpdateSchool(t.Context(), demo.SchoolID, school.Changes{EntrySecret: &secret})
			return err
		}
		secret := strings.Repeat("5eed", 64)[:255]
		is.NoErr(set(secret))
		saved := state()
		is.True(strings.HasPrefix(saved.Entry.Secret, "v1:") && !strings.Contains(saved.Entry.Secret, "5eed"))
		is.NoErr(set(secret))
		is.Equal(state(), saved) // nothing changes
		is.True(fault.Is(set("short"), fault.Invalid))

		e := signin.Entry{Email: jiwoo, Nonce: "0123456789abcdef", Expires: a.clock.Now().Add(time.Minute).Unix()}
		is.NoErr(a.SignIns.CheckEntry(saved, e, e.Sign(secret)))
		stored, plain, theirs := saved.Entry.Secret, saved, saved
		is.True(fault.Is(a.SignIns.CheckEntry(saved, e, e.Sign(stored)), fault.Gone)) // what a dump contains signs nothing
		plain.Entry.Secret, theirs.ID = secret, school.ID{}
		for _, s := range []school.State{plain, theirs} {
			err := a.SignIns.CheckEntry(s, e, e.Sign(secret))
			is.True(err != nil && !fault.IsRefusal(err))
		}

		for _, key := range []string{"another secret of the server", ""} {
			a.SetServerSecret(key)
			is.Equal(a.browser(t).get(entryLink(e, secret)).status, http.StatusInternalServerError)
		}
		is.True(fault.Is(set(secret), fault.Forbidden))
		_, err := a.Provision.NewEntrySecret(t.Context(), demo.SchoolID)
		is.True(fault.Is(err, fault.Forbidden))
		is.Equal(state(), saved)
		is.NoErr(set(""))
		is.Equal(a.browser(t).get(entryLink(e, secret)).status, http.StatusGone)
	})
}
