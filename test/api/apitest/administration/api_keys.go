package administration

import (
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/school"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// School checks getting and updating the school.
func School(t *testing.T, s *fixture.Server) {
	t.Run("get and update", func(t *testing.T) {
		is := is.New(t)
		is.True(strings.Contains(s.Get(t, "/v2/school").Body, `"name":"Own School","slug":"own-school","authentication":"preregistration"`))
		a := s.Send(t, "PATCH", "/v2/school", `{"data":{"attributes":{"name":" Renamed ","authentication":"url"}}}`)
		is.Equal(a.Status, 200)
		is.True(strings.Contains(a.Body, `"name":"Renamed","slug":"own-school","authentication":"url"`))
		is.Equal(s.Get(t, "/v2/school").Body, a.Body)
		is.Equal(s.Send(t, "POST", "/v2/people", `{"data":{"attributes":{"email":"x@example.test"}}}`).Status, 403) // the new setting applies immediately
		s.Clock.Advance(time.Second)
		is.Equal(s.Send(t, "PUT", "/v2/school", `{"data":{"type":"schools","attributes":{"name":"Renamed"}}}`).Body, a.Body) // changes nothing
		is.True(!strings.Contains(s.Request("GET", "/v2/school").As(s.OtherTenantKey).Send(t).Body, "Renamed"))
	})

	t.Run("the slug is unique on the server", func(t *testing.T) {
		is := is.New(t)
		a := s.Send(t, "PATCH", "/v2/school", `{"data":{"attributes":{"slug":"moved","public_covers":true,"admits_new_people":true}}}`)
		is.Equal(a.Status, 200)
		is.True(strings.Contains(a.Body, `"slug":"moved"`))
		is.True(strings.Contains(a.Body, `"public_covers":true,"admits_new_people":true`))
		a = s.Request("PATCH", "/v2/school").As(s.OtherTenantKey).With(`{"data":{"attributes":{"slug":"moved"}}}`).Send(t)
		is.Equal(a.Failures(t), []string{"422 /data/attributes/slug A record with the given slug has already been taken"})
		is.Equal(s.Send(t, "PATCH", "/v2/school", `{"data":{"attributes":{"slug":"Not a slug"}}}`).Status, 422)
	})

	t.Run("the name is unique on the server", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Send(t, "PATCH", "/v2/school", `{"data":{"attributes":{"name":"River School"}}}`).Status, 200)
		rename := func(name string) fixture.Response {
			return s.Request("PATCH", "/v2/school").As(s.OtherTenantKey).With(`{"data":{"attributes":{"name":"` + name + `","slug":"moved"}}}`).Send(t)
		}
		before := s.Request("GET", "/v2/school").As(s.OtherTenantKey).Send(t).Body
		for _, same := range []string{"River School", " RIVER  school "} {
			is.Equal(rename(same).Failures(t), []string{
				"422 /data/attributes/name A record with the given name has already been taken",
				"422 /data/attributes/slug A record with the given slug has already been taken",
			})
		}
		is.Equal(s.Request("GET", "/v2/school").As(s.OtherTenantKey).Send(t).Body, before)
		is.Equal(s.Send(t, "PATCH", "/v2/school", `{"data":{"attributes":{"name":"river SCHOOL"}}}`).Status, 200) // its own name
	})

	t.Run("the identity provider of the school", func(t *testing.T) {
		is := is.New(t)
		set := func(attributes string) fixture.Response {
			return s.Send(t, "PATCH", "/v2/school", `{"data":{"attributes":{`+attributes+`}}}`)
		}
		a := set(`"sso_issuer":"https://login.example","sso_client_id":"lyceum","sso_client_secret":"s3cret"`)
		is.Equal(a.Status, 200)
		is.True(strings.Contains(a.Body, `"sso_issuer":"https://login.example","sso_client_id":"lyceum"`))
		is.True(!strings.Contains(a.Body, "s3cret") && !strings.Contains(s.Get(t, "/v2/school").Body, "secret"))
		is.Equal(set(`"sso_client_secret":"s3cret"`).Body, a.Body) // nothing changes
		is.Equal(set(`"sso_client_id":"other"`).Status, 200)
		// The secret is not sent to another issuer.
		is.Equal(set(`"sso_issuer":"https://evil.example"`).Failures(t), []string{"422 /data/attributes/sso_client_secret can't be blank"})
		is.Equal(set(`"sso_issuer":"http://login.example","sso_client_secret":"é"`).Failures(t), []string{
			"422 /data/attributes/sso_client_secret must consist of at most 2000 printable ASCII characters",
			"422 /data/attributes/sso_issuer must be an https URL, such as https://login.example",
		})
		a = set(`"sso_issuer":null`)
		is.True(strings.Contains(a.Body, `"sso_issuer":"","sso_client_id":""`))
		is.Equal(set(`"sso_client_id":"lyceum"`).Failures(t), []string{"422 /data/attributes/sso_issuer can't be blank"})
	})

	t.Run("the secret of entry links", func(t *testing.T) {
		is := is.New(t)
		set := func(secret string) fixture.Response {
			return s.Send(t, "PATCH", "/v2/school", `{"data":{"attributes":{"entry_secret":`+secret+`}}}`)
		}
		a := set(`"` + strings.Repeat("5eed", 8) + `"`)
		is.Equal(a.Status, 200)
		is.True(!strings.Contains(a.Body, "5eed") && !strings.Contains(s.Get(t, "/v2/school").Body, "secret"))
		is.Equal(set(`"`+strings.Repeat("5eed", 8)+`"`).Body, a.Body) // nothing changes
		is.Equal(set(`null`).Status, 200)
		is.Equal(set(`"short"`).Failures(t), []string{"422 /data/attributes/entry_secret must consist of 32 to 255 printable ASCII characters"})
	})

	t.Run("a UUID is not a name", func(t *testing.T) {
		is := is.New(t)
		before := s.Get(t, "/v2/school").Body
		a := s.Send(t, "PATCH", "/v2/school", `{"data":{"attributes":{"name":"`+records.Unknown+`"}}}`)
		is.Equal(a.Failures(t), []string{"422 /data/attributes/name must not be a UUID"})
		is.Equal(s.Get(t, "/v2/school").Body, before)
	})

	t.Run("all faults are reported together, and nothing changes", func(t *testing.T) {
		is := is.New(t)
		before := s.Get(t, "/v2/school").Body
		a := s.Send(t, "PATCH", "/v2/school", `{"data":{"type":"x","id":"`+records.Unknown+`","attributes":{"name":" ","authentication":"ldap"}}}`)
		is.Equal(a.Failures(t), []string{
			"409 /data/type must be schools",
			"409 /data/id must match the id in the path",
			"422 /data/attributes/authentication must be one of: preregistration, open, url, sso",
			"422 /data/attributes/name can't be blank",
		})
		is.Equal(s.Get(t, "/v2/school").Body, before)
	})
}

// Keys checks the operations on the API keys of a school.
func Keys(t *testing.T, s *fixture.Server) {
	const path = "/v2/api_keys"
	within := func() { s.Clock.Advance(5 * time.Second) }

	t.Run("create, use and revoke", func(t *testing.T) {
		is := is.New(t)
		made := s.Send(t, "POST", path, `{"data":{"type":"api_keys","attributes":{"name":"Site","scope":"read"}}}`)
		is.Equal(made.Status, 201)
		is.Equal(made.Header.Get("Cache-Control"), "no-store")
		secret, self := made.Secret(t), path+"/"+made.ID(t)
		is.True(school.ValidSecret(secret))
		is.Equal(s.Request("GET", "/v2/people").As(secret).Send(t).Status, 200)
		shown := s.Get(t, self).Body
		is.True(!strings.Contains(shown, secret))
		is.True(strings.Contains(shown, `"prefix":"`+secret[:8]+`"`))
		is.True(!strings.Contains(s.Get(t, path).Body, secret))

		is.Equal(s.Send(t, "DELETE", self, "").Status, 204)
		revoked := s.Get(t, self).Body
		is.True(!strings.Contains(revoked, `"revoked_at":null`))
		within()
		is.Equal(s.Request("GET", "/v2/people").As(secret).Send(t).Status, 401)
		is.Equal(s.Send(t, "DELETE", self, "").Status, 204)
		is.Equal(s.Get(t, self).Body, revoked) // revoking again changes nothing
	})

	t.Run("all faults are reported together", func(t *testing.T) {
		is := is.New(t)
		a := s.Send(t, "POST", path, `{"data":{"attributes":{"name":"","scope":"root","expires_at":"soon"}}}`)
		is.Equal(a.Failures(t), []string{
			"422 /data/attributes/scope must be one of: read, write, admin",
			"422 /data/attributes/expires_at is not a valid timestamp, such as 2026-01-02T15:04:05.123Z",
			"422 /data/attributes/name can't be blank",
		})
		a = s.Send(t, "POST", path, `{"data":{"attributes":{"name":"Past","expires_at":"2020-01-31T15:04:05Z"}}}`)
		is.Equal(a.Failures(t), []string{
			"422 /data/attributes/scope can't be blank", "422 /data/attributes/expires_at must be in the future",
		})
	})

	t.Run("a rotated key works until the overlap is over", func(t *testing.T) {
		is := is.New(t)
		made := s.Send(t, "POST", path, `{"data":{"attributes":{"name":"Turns","scope":"write"}}}`)
		old := made.Secret(t)
		next := s.Send(t, "POST", path+"/"+made.ID(t)+"/rotation", `{"data":{"attributes":{"overlap":60}}}`)
		is.Equal(next.Status, 201)
		is.True(strings.Contains(next.Body, `"name":"Turns","scope":"write"`))
		s.Clock.Advance(59 * time.Second)
		for _, secret := range []string{old, next.Secret(t)} {
			is.Equal(s.Request("GET", "/v2/people").As(secret).Send(t).Status, 200)
		}
		s.Clock.Advance(time.Second)
		is.Equal(s.Request("GET", "/v2/people").As(old).Send(t).Status, 401)
		is.Equal(s.Request("GET", "/v2/people").As(next.Secret(t)).Send(t).Status, 200)
		is.Equal(s.Send(t, "POST", path+"/"+made.ID(t)+"/rotation", "").Status, 403) // the key has expired
		is.Equal(s.Send(t, "POST", path+"/"+next.ID(t)+"/rotation", `{"data":{"attributes":{"overlap":-1}}}`).Failures(t),
			[]string{"422 /data/attributes/overlap must be between 0 and 2592000 seconds"})
		is.Equal(s.Send(t, "POST", path+"/"+next.ID(t)+"/rotation", "").Status, 201)
	})

	t.Run("the last admin key cannot be revoked", func(t *testing.T) {
		is := is.New(t)
		own := s.Get(t, path+"?filter[name][eq]=tests").Page(t).Data[0].ID
		is.Equal(s.Send(t, "DELETE", path+"/"+own, "").Failures(t),
			[]string{"403 The last API key with the scope admin cannot be revoked. Create another one first"})
		second := s.NewKey(t, school.Admin)
		is.Equal(s.Send(t, "DELETE", path+"/"+own, "").Status, 204)
		within()
		is.Equal(s.Get(t, path).Status, 401)
		is.Equal(s.Request("GET", path).As(second).Send(t).Status, 200)
	})

	t.Run("another school's keys do not exist", func(t *testing.T) {
		is := is.New(t)
		theirs := s.Request("GET", path).As(s.OtherTenantKey).Send(t).Page(t).Data
		is.Equal(len(theirs), 1)
		key := s.NewKey(t, school.Admin)
		is.Equal(s.Request("DELETE", path+"/"+theirs[0].ID).As(key).Send(t).Status, 404)
		is.Equal(s.Request("POST", path+"/"+theirs[0].ID+"/rotation").As(key).Send(t).Status, 404)
	})
}
