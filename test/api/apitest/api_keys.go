package apitest

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/school"
)

// secret returns the secret of the API key in the response.
func (a response) secret(t *testing.T) string {
	t.Helper()
	var document struct {
		Data struct{ Attributes struct{ Secret string } }
	}
	if err := json.Unmarshal([]byte(a.body), &document); err != nil || document.Data.Attributes.Secret == "" {
		t.Fatalf("no secret: %d %s", a.status, a.body)
	}
	return document.Data.Attributes.Secret
}

// schoolAPI checks getting and updating the school.
func schoolAPI(t *testing.T, s *server) {
	t.Run("get and update", func(t *testing.T) {
		is := is.New(t)
		is.True(strings.Contains(s.get(t, "/v2/school").body, `"name":"Own School","slug":"own-school","authentication":"preregistration"`))
		a := s.send(t, "PATCH", "/v2/school", `{"data":{"attributes":{"name":" Renamed ","authentication":"url"}}}`)
		is.Equal(a.status, 200)
		is.True(strings.Contains(a.body, `"name":"Renamed","slug":"own-school","authentication":"url"`))
		is.Equal(s.get(t, "/v2/school").body, a.body)
		is.Equal(s.send(t, "POST", "/v2/people", `{"data":{"attributes":{"email":"x@example.test"}}}`).status, 403) // the new setting applies immediately
		s.clock.Advance(time.Second)
		is.Equal(s.send(t, "PUT", "/v2/school", `{"data":{"type":"schools","attributes":{"name":"Renamed"}}}`).body, a.body) // changes nothing
		is.True(!strings.Contains(s.request("GET", "/v2/school").as(s.otherTenantKey).send(t).body, "Renamed"))
	})

	t.Run("the slug is unique on the server", func(t *testing.T) {
		is := is.New(t)
		a := s.send(t, "PATCH", "/v2/school", `{"data":{"attributes":{"slug":"moved","public_covers":true,"admits_new_people":true}}}`)
		is.Equal(a.status, 200)
		is.True(strings.Contains(a.body, `"slug":"moved"`))
		is.True(strings.Contains(a.body, `"public_covers":true,"admits_new_people":true`))
		a = s.request("PATCH", "/v2/school").as(s.otherTenantKey).with(`{"data":{"attributes":{"slug":"moved"}}}`).send(t)
		is.Equal(a.failures(t), []string{"422 /data/attributes/slug A record with the given slug has already been taken"})
		is.Equal(s.send(t, "PATCH", "/v2/school", `{"data":{"attributes":{"slug":"Not a slug"}}}`).status, 422)
	})

	t.Run("the name is unique on the server", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.send(t, "PATCH", "/v2/school", `{"data":{"attributes":{"name":"River School"}}}`).status, 200)
		rename := func(name string) response {
			return s.request("PATCH", "/v2/school").as(s.otherTenantKey).with(`{"data":{"attributes":{"name":"` + name + `","slug":"moved"}}}`).send(t)
		}
		before := s.request("GET", "/v2/school").as(s.otherTenantKey).send(t).body
		for _, same := range []string{"River School", " RIVER  school "} {
			is.Equal(rename(same).failures(t), []string{
				"422 /data/attributes/name A record with the given name has already been taken",
				"422 /data/attributes/slug A record with the given slug has already been taken",
			})
		}
		is.Equal(s.request("GET", "/v2/school").as(s.otherTenantKey).send(t).body, before)
		is.Equal(s.send(t, "PATCH", "/v2/school", `{"data":{"attributes":{"name":"river SCHOOL"}}}`).status, 200) // its own name
	})

	t.Run("the identity provider of the school", func(t *testing.T) {
		is := is.New(t)
		set := func(attributes string) response {
			return s.send(t, "PATCH", "/v2/school", `{"data":{"attributes":{`+attributes+`}}}`)
		}
		a := set(`"sso_issuer":"https://login.example","sso_client_id":"lyceum","sso_client_secret":"s3cret"`)
		is.Equal(a.status, 200)
		is.True(strings.Contains(a.body, `"sso_issuer":"https://login.example","sso_client_id":"lyceum"`))
		is.True(!strings.Contains(a.body, "s3cret") && !strings.Contains(s.get(t, "/v2/school").body, "secret"))
		is.Equal(set(`"sso_client_secret":"s3cret"`).body, a.body) // nothing changes
		is.Equal(set(`"sso_client_id":"other"`).status, 200)
		// The secret is not sent to another issuer.
		is.Equal(set(`"sso_issuer":"https://evil.example"`).failures(t), []string{"422 /data/attributes/sso_client_secret can't be blank"})
		is.Equal(set(`"sso_issuer":"http://login.example","sso_client_secret":"é"`).failures(t), []string{
			"422 /data/attributes/sso_client_secret must consist of at most 2000 printable ASCII characters",
			"422 /data/attributes/sso_issuer must be an https URL, such as https://login.example",
		})
		a = set(`"sso_issuer":null`)
		is.True(strings.Contains(a.body, `"sso_issuer":"","sso_client_id":""`))
		is.Equal(set(`"sso_client_id":"lyceum"`).failures(t), []string{"422 /data/attributes/sso_issuer can't be blank"})
	})

	t.Run("the secret of entry links", func(t *testing.T) {
		is := is.New(t)
		set := func(secret string) response {
			return s.send(t, "PATCH", "/v2/school", `{"data":{"attributes":{"entry_secret":`+secret+`}}}`)
		}
		a := set(`"` + strings.Repeat("5eed", 8) + `"`)
		is.Equal(a.status, 200)
		is.True(!strings.Contains(a.body, "5eed") && !strings.Contains(s.get(t, "/v2/school").body, "secret"))
		is.Equal(set(`"`+strings.Repeat("5eed", 8)+`"`).body, a.body) // nothing changes
		is.Equal(set(`null`).status, 200)
		is.Equal(set(`"short"`).failures(t), []string{"422 /data/attributes/entry_secret must consist of 32 to 255 printable ASCII characters"})
	})

	t.Run("a UUID is not a name", func(t *testing.T) {
		is := is.New(t)
		before := s.get(t, "/v2/school").body
		a := s.send(t, "PATCH", "/v2/school", `{"data":{"attributes":{"name":"`+unknown+`"}}}`)
		is.Equal(a.failures(t), []string{"422 /data/attributes/name must not be a UUID"})
		is.Equal(s.get(t, "/v2/school").body, before)
	})

	t.Run("all faults are reported together, and nothing changes", func(t *testing.T) {
		is := is.New(t)
		before := s.get(t, "/v2/school").body
		a := s.send(t, "PATCH", "/v2/school", `{"data":{"type":"x","id":"`+unknown+`","attributes":{"name":" ","authentication":"ldap"}}}`)
		is.Equal(a.failures(t), []string{
			"409 /data/type must be schools",
			"409 /data/id must match the id in the path",
			"422 /data/attributes/authentication must be one of: preregistration, open, url, sso",
			"422 /data/attributes/name can't be blank",
		})
		is.Equal(s.get(t, "/v2/school").body, before)
	})
}

// apiKeys checks the operations on the API keys of a school.
func apiKeys(t *testing.T, s *server) {
	const path = "/v2/api_keys"
	within := func() { s.clock.Advance(5 * time.Second) }

	t.Run("create, use and revoke", func(t *testing.T) {
		is := is.New(t)
		made := s.send(t, "POST", path, `{"data":{"type":"api_keys","attributes":{"name":"Site","scope":"read"}}}`)
		is.Equal(made.status, 201)
		is.Equal(made.header.Get("Cache-Control"), "no-store")
		secret, self := made.secret(t), path+"/"+made.id(t)
		is.True(school.ValidSecret(secret))
		is.Equal(s.request("GET", "/v2/people").as(secret).send(t).status, 200)
		shown := s.get(t, self).body
		is.True(!strings.Contains(shown, secret))
		is.True(strings.Contains(shown, `"prefix":"`+secret[:8]+`"`))
		is.True(!strings.Contains(s.get(t, path).body, secret))

		is.Equal(s.send(t, "DELETE", self, "").status, 204)
		revoked := s.get(t, self).body
		is.True(!strings.Contains(revoked, `"revoked_at":null`))
		within()
		is.Equal(s.request("GET", "/v2/people").as(secret).send(t).status, 401)
		is.Equal(s.send(t, "DELETE", self, "").status, 204)
		is.Equal(s.get(t, self).body, revoked) // revoking again changes nothing
	})

	t.Run("all faults are reported together", func(t *testing.T) {
		is := is.New(t)
		a := s.send(t, "POST", path, `{"data":{"attributes":{"name":"","scope":"root","expires_at":"soon"}}}`)
		is.Equal(a.failures(t), []string{
			"422 /data/attributes/scope must be one of: read, write, admin",
			"422 /data/attributes/expires_at is not a valid timestamp, such as 2026-01-02T15:04:05.123Z",
			"422 /data/attributes/name can't be blank",
		})
		a = s.send(t, "POST", path, `{"data":{"attributes":{"name":"Past","expires_at":"2020-01-31T15:04:05Z"}}}`)
		is.Equal(a.failures(t), []string{
			"422 /data/attributes/scope can't be blank", "422 /data/attributes/expires_at must be in the future",
		})
	})

	t.Run("a rotated key works until the overlap is over", func(t *testing.T) {
		is := is.New(t)
		made := s.send(t, "POST", path, `{"data":{"attributes":{"name":"Turns","scope":"write"}}}`)
		old := made.secret(t)
		next := s.send(t, "POST", path+"/"+made.id(t)+"/rotation", `{"data":{"attributes":{"overlap":60}}}`)
		is.Equal(next.status, 201)
		is.True(strings.Contains(next.body, `"name":"Turns","scope":"write"`))
		s.clock.Advance(59 * time.Second)
		for _, secret := range []string{old, next.secret(t)} {
			is.Equal(s.request("GET", "/v2/people").as(secret).send(t).status, 200)
		}
		s.clock.Advance(time.Second)
		is.Equal(s.request("GET", "/v2/people").as(old).send(t).status, 401)
		is.Equal(s.request("GET", "/v2/people").as(next.secret(t)).send(t).status, 200)
		is.Equal(s.send(t, "POST", path+"/"+made.id(t)+"/rotation", "").status, 403) // the key has expired
		is.Equal(s.send(t, "POST", path+"/"+next.id(t)+"/rotation", `{"data":{"attributes":{"overlap":-1}}}`).failures(t),
			[]string{"422 /data/attributes/overlap must be between 0 and 2592000 seconds"})
		is.Equal(s.send(t, "POST", path+"/"+next.id(t)+"/rotation", "").status, 201)
	})

	t.Run("the last admin key cannot be revoked", func(t *testing.T) {
		is := is.New(t)
		own := s.get(t, path+"?filter[name][eq]=tests").page(t).Data[0].ID
		is.Equal(s.send(t, "DELETE", path+"/"+own, "").failures(t),
			[]string{"403 The last API key with the scope admin cannot be revoked. Create another one first"})
		second := s.newKey(t, school.Admin)
		is.Equal(s.send(t, "DELETE", path+"/"+own, "").status, 204)
		within()
		is.Equal(s.get(t, path).status, 401)
		is.Equal(s.request("GET", path).as(second).send(t).status, 200)
	})

	t.Run("another school's keys do not exist", func(t *testing.T) {
		is := is.New(t)
		theirs := s.request("GET", path).as(s.otherTenantKey).send(t).page(t).Data
		is.Equal(len(theirs), 1)
		key := s.newKey(t, school.Admin)
		is.Equal(s.request("DELETE", path+"/"+theirs[0].ID).as(key).send(t).status, 404)
		is.Equal(s.request("POST", path+"/"+theirs[0].ID+"/rotation").as(key).send(t).status, 404)
	})
}
