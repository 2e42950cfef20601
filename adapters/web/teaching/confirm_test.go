package teaching_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/app"
	"lyceum/domain/school"
	"lyceum/test/kit/stores"
)

// A role is withdrawn after a page that says what the person loses.
func TestWithdrawalIsConfirmed(t *testing.T) {
	const leaves, keeps = "no longer belongs to the staff", "The person keeps their other roles."
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b := s.as(t, owner)
		withdraw := func(email string) (string, page) {
			t.Helper()
			path := "/people/" + s.personID(t, email).String()
			links := hrefs(b.get(path).body, "/end")
			is.True(len(links) > 0)
			link := strings.TrimPrefix(links[0], "/app/"+demo.Slug)
			return link, b.get(link)
		}
		isInstructor := func() bool {
			c, err := s.Courses.Get(t.Context(), app.SystemActor(demo.SchoolID), "seeing-light")
			is.NoErr(err)
			return len(c.Instructors) > 0
		}

		link, p := withdraw(instructor)
		is.Equal(p.status, http.StatusOK)
		is.True(p.has("<title>Withdraw the role instructor from Inês Carvalho?"))
		is.True(p.has(leaves) && !p.has(keeps))
		is.True(p.has("<li>Seeing Light: Photography from the Start</li>") && !p.has("Songwriting Workshop"))
		is.True(isInstructor()) // nothing has changed yet
		b.language = "de"
		is.True(b.get(link).has("Die Rolle Lehrkraft entziehen: Inês Carvalho?"))
		b.language = ""
		is.True(strings.HasSuffix(b.post(link).path, "?done=1"))
		is.True(!isInstructor())
		is.Equal(b.get(link).status, http.StatusNotFound)

		s.add(t, b, "eve@example.test", "instructor", "manager")
		link, p = withdraw("eve@example.test")
		is.True(p.has(keeps) && !p.has(leaves) && !p.has("instructor of these courses"))
		is.True(strings.HasSuffix(b.post(link).path, "?done=1"))
		_, p = withdraw("eve@example.test")
		is.True(p.has(leaves))

		link, _ = withdraw(owner)
		p = b.post(link)
		is.Equal(p.status, http.StatusUnprocessableEntity)
		is.True(p.has("The last owner of the school cannot be removed"))
	})
}

// The page on which a key is revoked names the key.
func TestRevocationNamesTheKey(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		key, _, err := s.Keys.Create(t.Context(), app.SystemActor(demo.SchoolID), school.KeyParams{Name: "Our website", Scope: school.Read})
		is.NoErr(err)
		b := s.as(t, owner)
		p := b.get("/keys/" + key.ID.String() + "/revoke")
		is.True(p.has("<title>Revoke the API key Our website?"))
		is.True(p.has("Its secret begins with " + key.Prefix + "."))
		is.Equal(b.get(s.records(t).Replace("/keys/{none}/revoke")).status, http.StatusNotFound)
	})
}
