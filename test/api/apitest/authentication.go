package apitest

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/school"
)

const unauthorized = `{"errors":[{"status":"401","title":"Unauthorized",` +
	`"detail":"You don't have the necessary credentials","source":{}}]}`

// authentication checks that a key is accepted as a parameter, as a header and as a bearer token,
// and that 401 takes precedence over every other error.
func authentication(t *testing.T, s *server) {
	wellFormedButUnknown := "lyc_0000000000000000000000000000002W9Hmt"
	tests := []struct {
		name    string
		query   string
		headers []string
		status  int
	}{
		{"header", "", []string{s.key}, 200},
		{"parameter", "?api_key=" + s.key, nil, 200},
		{"parameter with an escaped name", "?api%5Fkey=" + s.key, nil, 200},
		{"both, equal", "?api_key=" + s.key, []string{s.key}, 200},
		{"the same parameter twice", "?api_key=" + s.key + "&api_key=" + s.key, nil, 200},
		{"the same header twice", "", []string{s.key, s.key}, 200},
		{"a semicolon elsewhere", "?x=1;2&api_key=" + s.key, nil, 200},
		{"none", "", nil, 401},
		{"blank header", "", []string{""}, 401},
		{"blank parameter", "?api_key=", nil, 401},
		{"a valid header and a blank parameter", "?api_key=", []string{s.key}, 401},
		{"a blank header and a valid parameter", "?api_key=" + s.key, []string{""}, 401},
		{"both, different", "?api_key=" + s.otherTenantKey, []string{s.key}, 401},
		{"two different parameters", "?api_key=" + s.key + "&api_key=" + s.otherTenantKey, nil, 401},
		{"two different headers", "", []string{s.key, s.otherTenantKey}, 401},
		{"unknown", "", []string{wellFormedButUnknown}, 401},
		{"malformed", "?api_key=%00%ff", nil, 401},
		{"broken escape", "?api_key=" + s.key + "%", nil, 401},
		{"the name in uppercase", "?API_KEY=" + s.key, nil, 401},
		{"another parameter name", "?key=" + s.key, nil, 401},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			c := s.request("GET", "/v1/categories"+tt.query).as("")
			for _, h := range tt.headers {
				c.set("X-Api-Key", h)
			}
			a := c.send(t)
			is.Equal(a.status, tt.status)
			if tt.status == 401 {
				is.Equal(a.body, unauthorized)
			}
		})
	}

	bearers := []struct {
		name   string
		query  string
		header string // value of X-Api-Key
		bearer []string
		status int
	}{
		{"alone", "", "", []string{"Bearer " + s.key}, 200},
		{"in another case", "", "", []string{"bEARER " + s.key}, 200},
		{"with additional spaces", "", "", []string{" Bearer   " + s.key + " "}, 200},
		{"equal to the others", "?api_key=" + s.key, s.key, []string{"Bearer " + s.key}, 200},
		{"twice, equal", "", "", []string{"Bearer " + s.key, "Bearer " + s.key}, 200},
		{"in addition to another scheme", "", "", []string{"Basic eDp5", "Bearer " + s.key}, 200},
		{"another scheme and a header", "", s.key, []string{"Basic eDp5"}, 200},
		{"another scheme alone", "", "", []string{"Basic eDp5"}, 401},
		{"the key without a scheme", "", "", []string{s.key}, 401},
		{"unknown", "", "", []string{"Bearer " + wellFormedButUnknown}, 401},
		{"blank", "", "", []string{"Bearer "}, 401},
		{"blank and a header", "", s.key, []string{"Bearer"}, 401},
		{"blank and a parameter", "?api_key=" + s.key, "", []string{"Bearer "}, 401},
		{"two different tokens", "", "", []string{"Bearer " + s.key, "Bearer " + s.otherTenantKey}, 401},
		{"different from the header", "", s.key, []string{"Bearer " + s.otherTenantKey}, 401},
		{"different from the parameter", "?api_key=" + s.key, "", []string{"Bearer " + s.otherTenantKey}, 401},
	}
	for _, tt := range bearers {
		for _, version := range []string{"/v1", "/v2"} {
			t.Run("bearer token "+tt.name+version, func(t *testing.T) {
				is := is.New(t)
				c := s.request("GET", version+"/categories"+tt.query).as(tt.header)
				for _, b := range tt.bearer {
					c.set("Authorization", b)
				}
				a := c.send(t)
				is.Equal(a.status, tt.status)
				if tt.status == 401 {
					is.Equal(a.body, unauthorized)
				}
			})
		}
	}

	t.Run("only 401 responses name the schemes", func(t *testing.T) {
		is := is.New(t)
		const challenge = `Bearer realm="lyceum", X-Api-Key realm="lyceum"`
		for _, path := range []string{"/nothing", "/v1/nothing", "/v2/people", "/healthz/more"} {
			is.Equal(s.request("GET", path).as("").send(t).header.Values("WWW-Authenticate"), []string{challenge})
		}
		for _, path := range []string{"/v2/people", "/v1/nothing", "/healthz"} {
			is.Equal(s.get(t, path).header.Values("WWW-Authenticate"), nil)
		}
	})

	t.Run("before 404, 405, 406, 400, 415 and 422", func(t *testing.T) {
		for _, request := range []string{
			"GET /nothing", "GET /v1/nothing", "GET /v1/people/" + unknown, "TRACE /v1/people", "FOO /v1/people",
			"DELETE /v1/categories", "OPTIONS /v1/categories", "GET /v1/categories?page=0", "POST /v1/categories",
			"GET /healthz/more", "POST /v1/people/" + ada + "/relationships/courses",
		} {
			is := is.New(t)
			method, path, _ := strings.Cut(request, " ")
			for _, accept := range []string{"application/json", "text/html"} {
				a := s.request(method, path).as("").with("rubbish").set("Content-Type", "text/plain").set("Accept", accept).send(t)
				is.Equal(a.status, 401)
				is.Equal(a.body, unauthorized)
				is.Equal(a.header.Get("Content-Type"), "application/json; charset=utf-8")
			}
		}
	})

	t.Run("a revoked key is rejected within 5 seconds", func(t *testing.T) {
		is := is.New(t)
		key, secret, err := s.provision.CreateKey(t.Context(), s.own, school.KeyParams{Name: "to be revoked", Scope: school.Read})
		is.NoErr(err)
		is.Equal(s.request("GET", "/v1/categories").as(secret).send(t).status, 200)
		is.NoErr(s.provision.RevokeKey(t.Context(), key.ID))
		s.clock.Advance(5e9)
		is.Equal(s.request("GET", "/v1/categories").as(secret).send(t).status, 401)
	})
}
