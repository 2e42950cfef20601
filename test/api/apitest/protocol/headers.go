package protocol

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// Negotiation checks that Accept selects the media type of the response, and that the body must be
// JSON, under any of the media types that clients use for JSON.
func Negotiation(t *testing.T, s *fixture.Server) {
	const json, jsonAPI = "application/json; charset=utf-8", "application/vnd.api+json"
	accepts := []struct {
		accept []string
		want   string // expected media type; "": 406
	}{
		{nil, json},
		{[]string{""}, json},
		{[]string{"*/*"}, json},
		{[]string{"application/*"}, json},
		{[]string{"application/json"}, json},
		{[]string{"application/json;charset=utf-8"}, json},
		{[]string{"APPLICATION/VND.API+JSON"}, jsonAPI},
		{[]string{"application/vnd.api+json"}, jsonAPI},
		{[]string{"application/vnd.api+json, */*"}, jsonAPI},
		{[]string{"application/json, application/vnd.api+json"}, jsonAPI},
		{[]string{"application/json", "application/vnd.api+json"}, jsonAPI},
		{[]string{"application/vnd.api+json;q=0.5, application/json"}, json},
		{[]string{"application/vnd.api+json;q=0, */*"}, json},
		{[]string{"application/json;q=0, */*"}, jsonAPI},
		{[]string{`application/vnd.api+json;profile="https://x.test"`}, jsonAPI},
		{[]string{`application/vnd.api+json;ext="https://x.test"`}, ""},
		{[]string{"text/html,application/xhtml+xml,*/*;q=0.8"}, json},
		{[]string{"text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2"}, json},
		{[]string{"nonsense"}, json},
		{[]string{"text/html"}, ""},
		{[]string{"text/*, image/png"}, ""},
		{[]string{"application/json;q=0"}, ""},
		{[]string{"*/*;q=0"}, ""},
	}
	for _, tt := range accepts {
		for _, path := range []string{"/v1/categories", "/healthz"} {
			is := is.New(t)
			c := s.Request("GET", path)
			for _, h := range tt.accept {
				c.Set("Accept", h)
			}
			a := c.Send(t)
			if tt.want == "" {
				is.Equal(a.Status, 406)
				is.Equal(a.Header.Get("Content-Type"), json)
				continue
			}
			is.Equal(a.Status, 200)
			is.Equal(a.Header.Get("Content-Type"), tt.want)
		}
	}
	t.Run("errors", func(t *testing.T) {
		is := is.New(t)
		a := s.Request("GET", "/v1/nothing").Set("Accept", jsonAPI).Send(t)
		is.Equal(a.Header.Get("Content-Type"), jsonAPI)
	})

	const body = `{"data":{"type":"categories","uuid":"` + records.Design + `"}}`
	sends := []struct {
		contentType, encoding, body string
		status                      int
	}{
		{"", "", body, 200},
		{"application/json", "", body, 200},
		{"application/json; charset=UTF-8", "", body, 200},
		{"application/vnd.api+json", "", body, 200},
		{"application/x-www-form-urlencoded", "", body, 200},
		{"application/json", "identity", body, 200},
		{"application/x-www-form-urlencoded", "", "data=1", 415},
		{"application/json; charset=utf-16", "", body, 415},
		{`application/vnd.api+json; ext="x"`, "", body, 415},
		{`application/vnd.api+json; charset=utf-8`, "", body, 200}, // many clients add a charset
		{"text/plain", "", body, 415},
		{"application/xml", "", "<data/>", 415},
		{"multipart/form-data; boundary=x", "", body, 415},
		{"not a type", "", body, 415},
		{"application/json", "gzip", body, 415},
		{"text/plain", "", "", 400}, // there is no body, so its type is ignored
	}
	for _, tt := range sends {
		is := is.New(t)
		c := s.Request("PATCH", "/v1/categories/"+records.Design).With(tt.body)
		if tt.contentType != "" {
			c.Set("Content-Type", tt.contentType)
		}
		if tt.encoding != "" {
			c.Set("Content-Encoding", tt.encoding)
		}
		is.Equal(c.Send(t).Status, tt.status)
	}
	t.Run("GET and DELETE come with any type", func(t *testing.T) {
		is := is.New(t)
		for _, contentType := range []string{"text/plain", "application/json", "not a type"} {
			is.Equal(s.Request("GET", "/v1/people").With("{}").Set("Content-Type", contentType).Send(t).Status, 200)
			is.Equal(s.Request("DELETE", "/v1/people/"+records.Unknown).With("{}").Set("Content-Type", contentType).Send(t).Status, 404)
		}
	})
}

// Headers checks the request id, HSTS (on HTTPS only) and the deprecation headers.
func Headers(t *testing.T, s *fixture.Server) {
	t.Run("a well-formed request id is returned", func(t *testing.T) {
		is := is.New(t)
		for _, id := range []string{"job-7.b_2", "4bf92f3577b34da6a3ce929d0e0e4736", strings.Repeat("z", 128)} {
			a := s.Request("GET", "/v1/people").Set("X-Request-Id", id).Send(t)
			is.Equal(a.Header.Get("X-Request-Id"), id)
		}
	})
	t.Run("any other request id is replaced", func(t *testing.T) {
		token := strings.Repeat("0a", 20)
		for _, id := range []string{
			"", "a b", "a\tb", "<script>", "ä", strings.Repeat("z", 129), s.Key,
			token, strings.Repeat("0A", 32), "token-" + token, token[1:], token + "x", token[:33],
		} {
			is := is.New(t)
			a := s.Request("GET", "/v1/nothing").Set("X-Request-Id", id).Send(t)
			is.True(a.Header.Get("X-Request-Id") != id)
		}
	})
	t.Run("deprecated resources name their successor", func(t *testing.T) {
		for path, successor := range map[string]string{
			"/v1/people": "/v2/people", "/v1/learners": "/v2/people", "/v1/learners/nothing": "/v2/people",
			"/v1/learners/" + records.Ada: "/v2/people/" + records.Ada, "/v1/learners/" + records.Unknown: "/v2/people/" + records.Unknown,
			"/v1/learners/" + strings.ToUpper(records.Ada): "/v2/people/" + records.Ada,
			"/v1/people/" + records.Ada:                    "", "/v2/people": "", "/v2/people/" + records.Ada: "", "/v1/categories": "", "/v1/courses": "",
		} {
			is := is.New(t)
			link, since := "", ""
			if successor != "" {
				link, since = `<`+records.Base+successor+`>; rel="successor-version"`, "@1767225600"
			}
			a := s.Get(t, path)
			is.Equal(a.Header.Get("Link"), link)
			is.Equal(a.Header.Get("Deprecation"), since)
		}
	})
	t.Run("the successor exists", func(t *testing.T) {
		is := is.New(t)
		successor := func(path string) string {
			link := s.Get(t, path).Header.Get("Link")
			address, _, _ := strings.Cut(strings.TrimPrefix(link, "<"+records.Base), ">")
			return address
		}
		address := successor("/v1/people")
		is.Equal(s.Get(t, address).IDs(t), s.Get(t, "/v1/people").IDs(t))
		is.Equal(s.Get(t, address).Header.Get("Deprecation"), "")
		is.Equal(s.Get(t, successor("/v1/learners/"+records.Ada)).ID(t), records.Ada)
	})
	t.Run("plain HTTP gets no HSTS", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Get(t, "/v1/people").Header.Get("Strict-Transport-Security"), "")
	})
}

// Conditions checks that the response to If-None-Match is 304 if the document has not changed.
func Conditions(t *testing.T, s *fixture.Server) {
	is := is.New(t)
	tag := s.Get(t, "/v1/categories").Header.Get("ETag")
	strong := tag[len("W/"):]
	tests := []struct {
		values []string
		status int
	}{
		{[]string{tag}, 304},
		{[]string{strong}, 304},
		{[]string{"*"}, 304},
		{[]string{`"other", ` + tag}, 304},
		{[]string{`W/"a,b",` + tag + `,"c"`}, 304},
		{[]string{`"other"`, tag}, 304},
		{[]string{`"other"`}, 200},
		{[]string{""}, 200},
		{[]string{strong[1 : len(strong)-1]}, 200}, // the tag without its quotes
		{[]string{`"unclosed, ` + strong[1:]}, 200},
		{[]string{`rubbish, ` + tag}, 200},
	}
	for _, tt := range tests {
		for _, method := range []string{"GET", "HEAD"} {
			c := s.Request(method, "/v1/categories")
			for _, v := range tt.values {
				c.Set("If-None-Match", v)
			}
			a := c.Send(t)
			is.Equal(a.Status, tt.status)
			is.Equal(a.Header.Get("ETag"), tag)
		}
	}

	t.Run("the other media type has another tag", func(t *testing.T) {
		is := is.New(t)
		a := s.Request("GET", "/v1/categories").Set("Accept", "application/vnd.api+json").Set("If-None-Match", tag).Send(t)
		is.Equal(a.Status, 200)
	})
	t.Run("updates ignore it", func(t *testing.T) {
		is := is.New(t)
		a := s.Request("PATCH", "/v1/categories/"+records.Design).Set("If-None-Match", "*").
			With(`{"data":{"type":"categories","id":"` + records.Design + `","attributes":{"name":"Designs"}}}`).Send(t)
		is.Equal(a.Status, 200)
	})
	t.Run("a changed list has another tag", func(t *testing.T) {
		is := is.New(t)
		is.True(s.Get(t, "/v1/categories").Header.Get("ETag") != tag)
	})
}
