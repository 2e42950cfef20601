package teaching_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/domain/school"
	"lyceum/test/kit/stores"
)

// An owner sets the sign-in service of the school and the secret of its own website. Secrets are
// never shown, and an empty field keeps its secret.
func TestSignInSettings(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b := s.as(t, owner)
		save := func(fields ...string) page {
			return b.post("/settings", append([]string{"name", "River", "slug", demo.Slug, "authentication", "sso"}, fields...)...)
		}
		entry := func() (issuer, client, clientSecret, secret string) {
			found, err := s.Provision.School(t.Context(), demo.SchoolID.String())
			is.NoErr(err)
			e := found.State().Entry
			return e.Provider.Issuer, e.Provider.ClientID, e.Provider.ClientSecret, e.Secret
		}
		secret := strings.Repeat("s", 32)
		is.Equal(save("sso_issuer", "https://login.example.test", "sso_client_id", "lyceum", "sso_client_secret", "hidden-one", "entry_secret", secret).path, "/settings?done=1")
		issuer, client, sealed, sealedEntry := entry()
		is.Equal([]string{issuer, client}, []string{"https://login.example.test", "lyceum"})
		is.True(sealed != "" && !strings.Contains(sealed, "hidden-one"))
		is.True(sealedEntry != "" && !strings.Contains(sealedEntry, secret))
		shown := b.get("/settings")
		is.True(shown.has(`value="https://login.example.test"`) && shown.has(`value="lyceum"`))
		is.True(!shown.has("hidden-one") && !shown.has(sealed) && !shown.has(secret) && !shown.has(sealedEntry))

		is.Equal(save("sso_issuer", "https://login.example.test", "sso_client_id", "other", "sso_client_secret", "", "entry_secret", "").path, "/settings?done=1")
		_, client, again, kept := entry()
		is.Equal([]string{client, again, kept}, []string{"other", sealed, sealedEntry})

		for _, tt := range []struct {
			reason string
			fields []string
		}{
			{"Sso client secret can&#39;t be blank", []string{"sso_issuer", "https://elsewhere.example.test", "sso_client_id", "lyceum", "sso_client_secret", ""}},
			{"Sso issuer", []string{"sso_issuer", "ftp://login.example.test", "sso_client_id", "lyceum", "sso_client_secret", "x"}},
			{"Entry secret must consist of 32 to 255 printable ASCII characters", []string{"entry_secret", "short"}},
		} {
			p := save(tt.fields...)
			is.Equal(p.status, http.StatusUnprocessableEntity)
			is.True(p.has(tt.reason))
			issuer, client, now, kept := entry()
			is.Equal([]string{issuer, client, now, kept}, []string{"https://login.example.test", "other", sealed, sealedEntry})
		}
	})
}

// An owner cannot give the school the name of another school, and can save other settings without
// changing the name.
func TestSettingsRefuseNameOfOtherSchool(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		_, err := s.Provision.CreateSchool(t.Context(), "Hill", school.Open, "")
		is.NoErr(err)
		b := s.as(t, owner)
		save := func(name string) page {
			return b.post("/settings", "name", name, "slug", demo.Slug, "authentication", "preregistration")
		}
		refused := save("hill")
		is.Equal(refused.status, http.StatusUnprocessableEntity)
		is.True(refused.has(`id="name-problem">Name is already used`))
		for _, name := range []string{"River", "RIVER", "RIVER"} {
			is.Equal(save(name).path, "/settings?done=1")
		}
		found, err := s.Provision.School(t.Context(), demo.SchoolID.String())
		is.NoErr(err)
		is.Equal(found.State().Name, "RIVER")
	})
}

// An owner cannot choose a way to sign in that is not set up, and cannot remove what the chosen way
// needs. Nothing of the form is saved then.
func TestSettingsDoNotLockOut(t *testing.T) {
	const noService, noSecret = "People could not sign in: no sign-in service is set up", "People could not sign in: your own website has no secret yet"
	provider := []string{"sso_issuer", "https://login.example.test", "sso_client_id", "lyceum", "sso_client_secret", "hidden"}
	none := []string{"sso_issuer", "", "sso_client_id", ""}
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b := s.as(t, owner)
		for _, step := range []struct {
			method  string
			fields  []string
			refused string // blank: saved
		}{
			{"sso", none, noService},
			{"url", none, noSecret},
			{"sso", provider, ""},
			{"sso", none, noService},
			{"preregistration", none, ""},
			{"url", []string{"entry_secret", strings.Repeat("s", 32)}, ""},
			{"url", nil, ""},
		} {
			before, err := s.Provision.School(t.Context(), demo.SchoolID.String())
			is.NoErr(err)
			p := b.post("/settings", append([]string{"name", "River " + step.method, "slug", demo.Slug, "authentication", step.method}, step.fields...)...)
			after, err := s.Provision.School(t.Context(), demo.SchoolID.String())
			is.NoErr(err)
			if step.refused == "" {
				is.Equal(p.path, "/settings?done=1")
				is.Equal(after.State().Auth.String(), step.method)
				continue
			}
			is.Equal(p.status, http.StatusUnprocessableEntity)
			is.True(p.has(`id="authentication-problem">` + step.refused))
			is.Equal(after.State(), before.State())
		}
		b.language = "de"
		is.True(b.post("/settings", append([]string{"name", "River", "slug", demo.Slug, "authentication", "sso"}, none...)...).has("Es ist kein Anmeldedienst eingerichtet"))
	})
}
