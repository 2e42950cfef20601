package apitest

import (
	"strings"
	"testing"

	"github.com/matryer/is"
)

// negotiation checks that Accept selects the media type of the response, and that the body must be
// JSON, under any of the media types that clients use for JSON.
func negotiation(t *testing.T, s *server) {
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
			c := s.request("GET", path)
			for _, h := range tt.accept {
				c.set("Accept", h)
			}
			a := c.send(t)
			if tt.want == "" {
				is.Equal(a.status, 406)
				is.Equal(a.header.Get("Content-Type"), json)
				continue
			}
			is.Equal(a.status, 200)
			is.Equal(a.header.Get("Content-Type"), tt.want)
		}
	}
	t.Run("errors", func(t *testing.T) {
		is := is.New(t)
		a := s.request("GET", "/v1/nothing").set("Accept", jsonAPI).send(t)
		is.Equal(a.header.Get("Content-Type"), jsonAPI)
	})

	const body = `{"data":{"type":"categories","uuid":"` + design + `"}}`
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
		c := s.request("PATCH", "/v1/categories/"+design).with(tt.body)
		if tt.contentType != "" {
			c.set("Content-Type", tt.contentType)
		}
		if tt.encoding != "" {
			c.set("Content-Encoding", tt.encoding)
		}
		is.Equal(c.send(t).status, tt.status)
	}
	t.Run("GET and DELETE come with any type", func(t *testing.T) {
		is := is.New(t)
		for _, contentType := range []string{"text/plain", "application/json", "not a type"} {
			is.Equal(s.request("GET", "/v1/people").with("{}").set("Content-Type", contentType).send(t).status, 200)
			is.Equal(s.request("DELETE", "/v1/people/"+unknown).with("{}").set("Content-Type", contentType).send(t).status, 404)
		}
	})
}

// headers checks the request id, HSTS (on HTTPS only) and the deprecation headers.
func headers(t *testing.T, s *server) {
	t.Run("a well-formed request id is returned", func(t *testing.T) {
		is := is.New(t)
		for _, id := range []string{"job-7.b_2", "4bf92f3577b34da6a3ce929d0e0e4736", strings.Repeat("z", 128)} {
			a := s.request("GET", "/v1/people").set("X-Request-Id", id).send(t)
			is.Equal(a.header.Get("X-Request-Id"), id)
		}
	})
	t.Run("any other request id is replaced", func(t *testing.T) {
		token := strings.Repeat("0a", 20)
		for _, id := range []string{
			"", "a b", "a\tb", "<script>", "ä", strings.Repeat("z", 129), s.key,
			token, strings.Repeat("0A", 32), "token-" + token,
		} {
			is := is.New(t)
			a := s.request("GET", "/v1/nothing").set("X-Request-Id", id).send(t)
			is.True(a.header.Get("X-Request-Id") != id)
		}
	})
	t.Run("deprecated resources name their successor", func(t *testing.T) {
		for path, successor := range map[string]string{
			"/v1/people": "/v2/people", "/v1/learners": "/v2/people", "/v1/learners/nothing": "/v2/people",
			"/v1/learners/" + ada: "/v2/people/" + ada, "/v1/learners/" + unknown: "/v2/people/" + unknown,
			"/v1/learners/" + strings.ToUpper(ada): "/v2/people/" + ada,
			"/v1/people/" + ada:                    "", "/v2/people": "", "/v2/people/" + ada: "", "/v1/categories": "", "/v1/courses": "",
		} {
			is := is.New(t)
			link, since := "", ""
			if successor != "" {
				link, since = `<`+base+successor+`>; rel="successor-version"`, "@1767225600"
			}
			a := s.get(t, path)
			is.Equal(a.header.Get("Link"), link)
			is.Equal(a.header.Get("Deprecation"), since)
		}
	})
	t.Run("the successor exists", func(t *testing.T) {
		is := is.New(t)
		successor := func(path string) string {
			link := s.get(t, path).header.Get("Link")
			address, _, _ := strings.Cut(strings.TrimPrefix(link, "<"+base), ">")
			return address
		}
		address := successor("/v1/people")
		is.Equal(s.get(t, address).ids(t), s.get(t, "/v1/people").ids(t))
		is.Equal(s.get(t, address).header.Get("Deprecation"), "")
		is.Equal(s.get(t, successor("/v1/learners/"+ada)).id(t), ada)
	})
	t.Run("plain HTTP gets no HSTS", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.get(t, "/v1/people").header.Get("Strict-Transport-Security"), "")
	})
}

// conditions checks that the response to If-None-Match is 304 if the document has not changed.
func conditions(t *testing.T, s *server) {
	is := is.New(t)
	tag := s.get(t, "/v1/categories").header.Get("ETag")
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
			c := s.request(method, "/v1/categories")
			for _, v := range tt.values {
				c.set("If-None-Match", v)
			}
			a := c.send(t)
			is.Equal(a.status, tt.status)
			is.Equal(a.header.Get("ETag"), tag)
		}
	}

	t.Run("the other media type has another tag", func(t *testing.T) {
		is := is.New(t)
		a := s.request("GET", "/v1/categories").set("Accept", "application/vnd.api+json").set("If-None-Match", tag).send(t)
		is.Equal(a.status, 200)
	})
	t.Run("updates ignore it", func(t *testing.T) {
		is := is.New(t)
		a := s.request("PATCH", "/v1/categories/"+design).set("If-None-Match", "*").
			with(`{"data":{"type":"categories","id":"` + design + `","attributes":{"name":"Designs"}}}`).send(t)
		is.Equal(a.status, 200)
	})
	t.Run("a changed list has another tag", func(t *testing.T) {
		is := is.New(t)
		is.True(s.get(t, "/v1/categories").header.Get("ETag") != tag)
	})
}
