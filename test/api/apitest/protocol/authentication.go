package protocol

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/school"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

const unauthorized = `{"errors":[{"status":"401","title":"Unauthorized",` +
	`"detail":"You don't have the necessary credentials","source":{}}]}`

// Authentication checks that a key is accepted as a parameter, as a header and as a bearer token,
// and that 401 takes precedence over every other error.
func Authentication(t *testing.T, s *fixture.Server) {
	wellFormedButUnknown := "lyc_0000000000000000000000000000002W9Hmt"
	tests := []struct {
		name    string
		query   string
		headers []string
		status  int
	}{
		{"header", "", []string{s.Key}, 200},
		{"parameter", "?api_key=" + s.Key, nil, 200},
		{"parameter with an escaped name", "?api%5Fkey=" + s.Key, nil, 200},
		{"both, equal", "?api_key=" + s.Key, []string{s.Key}, 200},
		{"the same parameter twice", "?api_key=" + s.Key + "&api_key=" + s.Key, nil, 200},
		{"the same header twice", "", []string{s.Key, s.Key}, 200},
		{"a semicolon elsewhere", "?x=1;2&api_key=" + s.Key, nil, 200},
		{"none", "", nil, 401},
		{"blank header", "", []string{""}, 401},
		{"blank parameter", "?api_key=", nil, 401},
		{"a valid header and a blank parameter", "?api_key=", []string{s.Key}, 401},
		{"a blank header and a valid parameter", "?api_key=" + s.Key, []string{""}, 401},
		{"both, different", "?api_key=" + s.OtherTenantKey, []string{s.Key}, 401},
		{"two different parameters", "?api_key=" + s.Key + "&api_key=" + s.OtherTenantKey, nil, 401},
		{"two different headers", "", []string{s.Key, s.OtherTenantKey}, 401},
		{"unknown", "", []string{wellFormedButUnknown}, 401},
		{"malformed", "?api_key=%00%ff", nil, 401},
		{"broken escape", "?api_key=" + s.Key + "%", nil, 401},
		{"the name in uppercase", "?API_KEY=" + s.Key, nil, 401},
		{"another parameter name", "?key=" + s.Key, nil, 401},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			c := s.Request("GET", "/v1/categories"+tt.query).As("")
			for _, h := range tt.headers {
				c.Set("X-Api-Key", h)
			}
			a := c.Send(t)
			is.Equal(a.Status, tt.status)
			if tt.status == 401 {
				is.Equal(a.Body, unauthorized)
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
		{"alone", "", "", []string{"Bearer " + s.Key}, 200},
		{"in another case", "", "", []string{"bEARER " + s.Key}, 200},
		{"with additional spaces", "", "", []string{" Bearer   " + s.Key + " "}, 200},
		{"equal to the others", "?api_key=" + s.Key, s.Key, []string{"Bearer " + s.Key}, 200},
		{"twice, equal", "", "", []string{"Bearer " + s.Key, "Bearer " + s.Key}, 200},
		{"in addition to another scheme", "", "", []string{"Basic eDp5", "Bearer " + s.Key}, 200},
		{"another scheme and a header", "", s.Key, []string{"Basic eDp5"}, 200},
		{"another scheme alone", "", "", []string{"Basic eDp5"}, 401},
		{"the key without a scheme", "", "", []string{s.Key}, 401},
		{"unknown", "", "", []string{"Bearer " + wellFormedButUnknown}, 401},
		{"blank", "", "", []string{"Bearer "}, 401},
		{"blank and a header", "", s.Key, []string{"Bearer"}, 401},
		{"blank and a parameter", "?api_key=" + s.Key, "", []string{"Bearer "}, 401},
		{"two different tokens", "", "", []string{"Bearer " + s.Key, "Bearer " + s.OtherTenantKey}, 401},
		{"different from the header", "", s.Key, []string{"Bearer " + s.OtherTenantKey}, 401},
		{"different from the parameter", "?api_key=" + s.Key, "", []string{"Bearer " + s.OtherTenantKey}, 401},
	}
	for _, tt := range bearers {
		for _, version := range []string{"/v1", "/v2"} {
			t.Run("bearer token "+tt.name+version, func(t *testing.T) {
				is := is.New(t)
				c := s.Request("GET", version+"/categories"+tt.query).As(tt.header)
				for _, b := range tt.bearer {
					c.Set("Authorization", b)
				}
				a := c.Send(t)
				is.Equal(a.Status, tt.status)
				if tt.status == 401 {
					is.Equal(a.Body, unauthorized)
				}
			})
		}
	}

	t.Run("only 401 responses name the schemes", func(t *testing.T) {
		is := is.New(t)
		const challenge = `Bearer realm="lyceum", X-Api-Key realm="lyceum"`
		for _, path := range []string{"/nothing", "/v1/nothing", "/v2/people", "/healthz/more"} {
			is.Equal(s.Request("GET", path).As("").Send(t).Header.Values("WWW-Authenticate"), []string{challenge})
		}
		for _, path := range []string{"/v2/people", "/v1/nothing", "/healthz"} {
			is.Equal(s.Get(t, path).Header.Values("WWW-Authenticate"), nil)
		}
	})

	t.Run("before 404, 405, 406, 400, 415 and 422", func(t *testing.T) {
		for _, request := range []string{
			"GET /nothing", "GET /v1/nothing", "GET /v1/people/" + records.Unknown, "TRACE /v1/people", "FOO /v1/people",
			"DELETE /v1/categories", "OPTIONS /v1/categories", "GET /v1/categories?page=0", "POST /v1/categories",
			"GET /healthz/more", "POST /v1/people/" + records.Ada + "/relationships/courses",
		} {
			is := is.New(t)
			method, path, _ := strings.Cut(request, " ")
			for _, accept := range []string{"application/json", "text/html"} {
				a := s.Request(method, path).As("").With("rubbish").Set("Content-Type", "text/plain").Set("Accept", accept).Send(t)
				is.Equal(a.Status, 401)
				is.Equal(a.Body, unauthorized)
				is.Equal(a.Header.Get("Content-Type"), "application/json; charset=utf-8")
			}
		}
	})

	t.Run("a revoked key is rejected within 5 seconds", func(t *testing.T) {
		is := is.New(t)
		key, secret, err := s.Provision.CreateKey(t.Context(), s.Own, school.KeyParams{Name: "to be revoked", Scope: school.Read})
		is.NoErr(err)
		is.Equal(s.Request("GET", "/v1/categories").As(secret).Send(t).Status, 200)
		is.NoErr(s.Provision.RevokeKey(t.Context(), key.ID))
		s.Clock.Advance(5e9)
		is.Equal(s.Request("GET", "/v1/categories").As(secret).Send(t).Status, 401)
	})
}
