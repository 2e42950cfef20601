package contract_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/matryer/is"
	"lyceum/adapters/httpapi/openapi"
	"lyceum/test/api/contract"
)

func description(t *testing.T) *contract.Contract {
	t.Helper()
	c, err := contract.Description()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestDescriptionIsOpenAPIDocument(t *testing.T) {
	is := is.New(t)
	text, err := openapi.Document("/api")
	is.NoErr(err)
	doc, err := openapi3.NewLoader().LoadFromData(text)
	is.NoErr(err)
	is.NoErr(doc.Validate(t.Context()))
	is.Equal(doc.Servers[0].URL, "/api/")
}

func TestExamplesMatchTheirSchemas(t *testing.T) {
	is := is.New(t)
	count, problems := description(t).Examples()
	for _, p := range problems {
		t.Error(p)
	}
	t.Logf("%d examples", count)
	is.True(count > 100)
}

const good = `{"data":{"type":"categories","id":"00000000-0000-4000-8000-0000000000c1",` +
	`"attributes":{"name":"Design","created_at":"2026-01-02T15:04:05.123Z","updated_at":"2026-01-02T15:04:05.123Z"},` +
	`"links":{"self":"https://api.example.test/v1/categories/00000000-0000-4000-8000-0000000000c1"}}}`

const (
	listed  = "/v1/categories"
	single  = "/v1/categories/00000000-0000-4000-8000-0000000000c1"
	refused = `{"errors":[{"status":"404","title":"Not Found","detail":"The resource you requested does not exist","source":{}}]}`
)

// TestProblemsReportsDeviations checks that Problems reports everything that a response lacks or
// must not contain.
func TestProblemsReportsDeviations(t *testing.T) {
	replace := func(old, with string) string {
		if !strings.Contains(good, old) {
			t.Fatal(old)
		}
		return strings.Replace(good, old, with, 1)
	}
	tests := []struct {
		name         string
		method, path string
		status       int
		header       string // name=value; a blank value removes the header
		body         string
		want         string // part of the problem; blank: no problem
	}{
		{"a valid response", "GET", single, 200, "", good, ""},
		{"the other media type", "GET", single, 200, "Content-Type=application/vnd.api+json", good, ""},
		{"extra slashes", "GET", "//v1/categories/x/", 200, "", good, ""},
		{"PUT for PATCH", "PUT", single, 200, "", good, ""},
		{"HEAD for GET", "HEAD", single, 200, "", "", ""},
		{"not modified", "GET", single, 304, "", "", ""},
		{"no content", "DELETE", single, 204, "", "", ""},
		{"a failure", "GET", single, 404, "", refused, ""},
		{"an unknown path", "GET", "/v1/nothing", 404, "", refused, ""},
		{"an unknown method", "TRACE", listed, 405, "", strings.ReplaceAll(refused, "Not Found", "Method Not Allowed"), ""},
		{"options", "OPTIONS", listed, 204, "", "", ""},

		{"an undescribed status", "GET", single, 202, "", good, "202"},
		{"a status that only another operation has", "GET", single, 422, "", refused, "422"},
		{"a success on an unknown path", "GET", "/v1/nothing", 200, "", good, "200"},
		{"a success of an unknown method", "PATCH", listed, 200, "", good, "200"},
		{"no request id", "GET", single, 200, "X-Request-Id=", good, "X-Request-Id"},
		{"no request id on an error", "GET", single, 404, "X-Request-Id=", refused, "X-Request-Id"},
		{"no entity tag", "GET", single, 200, "ETag=", good, "ETag"},
		{"no entity tag, not modified", "GET", single, 304, "ETag=", "", "ETag"},
		{"no entity tag on HEAD", "HEAD", single, 200, "ETag=", "", "ETag"},
		{"a strong entity tag", "GET", single, 200, `ETag="0123456789abcdef"`, good, "ETag"},
		{"no location", "POST", listed, 201, "Location=", good, "Location"},
		{"a location that is not a URL", "POST", listed, 201, "Location=here", good, "Location"},
		{"no deprecation", "GET", "/v1/learners", 200, "Deprecation=", `{"links":{"self":"https://a.test"},"data":[]}`, "Deprecation"},
		{"no allowed methods", "TRACE", listed, 405, "Allow=", refused, "Allow"},
		{"no Retry-After", "GET", single, 503, "Retry-After=", refused, "Retry-After"},
		{"another media type", "GET", single, 200, "Content-Type=text/html", good, "text/html"},
		{"not JSON", "GET", single, 200, "", good + "}", "not JSON"},
		{"a body on 204", "DELETE", single, 204, "", good, "no body for the response"},
		{"no body", "GET", single, 200, "", "", "not JSON"},

		{"an additional member", "GET", single, 200, "", replace(`"data":`, `"meta":{},"data":`), "meta"},
		{"an additional attribute", "GET", single, 200, "", replace(`"name":`, `"color":"red","name":`), "color"},
		{"a missing attribute", "GET", single, 200, "", replace(`"name":"Design",`, ``), "name"},
		{"an attribute of another type", "GET", single, 200, "", replace(`"Design"`, `7`), "name"},
		{"null", "GET", single, 200, "", replace(`"Design"`, `null`), "name"},
		{"another type", "GET", single, 200, "", replace(`"categories"`, `"groups"`), "type"},
		{"an id that is not a UUID", "GET", single, 200, "", replace(`"id":"00000000-`, `"id":"0-`), "uuid"},
		{"an invalid time", "GET", single, 200, "", replace(`"created_at":"2026-01-02`, `"created_at":"2026-02-30`), "date-time"},
		{"a time without milliseconds", "GET", single, 200, "", replace(`05.123Z","updated`, `05Z","updated`), "created_at"},
		{"a link that is not a URL", "GET", single, 200, "", replace(`"https://api.example.test`, `"`), "uri"},
		{"a missing link", "GET", single, 200, "", replace(`"links":{"self":"https://api.example.test/v1/categories/00000000-0000-4000-8000-0000000000c1"}`, `"links":{}`), "self"},
		{"a list for a record", "GET", single, 200, "", `{"links":{"self":"https://a.test"},"data":[]}`, "data"},
		{"a record for a list", "GET", listed, 200, "", good, "data"},
		{"an error without a source", "GET", single, 404, "", strings.Replace(refused, `,"source":{}`, ``, 1), "source"},
		{"an error of another title", "GET", single, 404, "", strings.Replace(refused, `Not Found`, `Oops`, 1), "title"},
		{"no errors", "GET", single, 404, "", `{"errors":[]}`, "errors"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			answer := &http.Response{StatusCode: tt.status, Header: headers(tt.header), Body: io.NopCloser(bytes.NewBufferString(tt.body))}
			client := http.Client{Transport: contract.Transport{Contract: description(t), Next: fixedResponse{answer}}}
			r, err := http.NewRequestWithContext(t.Context(), tt.method, "https://api.example.test"+tt.path, http.NoBody)
			is.NoErr(err)
			resp, err := client.Do(r)
			if tt.want == "" {
				is.NoErr(err)
				is.NoErr(resp.Body.Close())
				return
			}
			if err == nil {
				t.Fatal("the deviation was not reported")
			}
			is.True(strings.Contains(err.Error(), tt.want)) // the error contains the problem
		})
	}
}

// headers returns all headers that a response can have, with one of them changed.
func headers(change string) http.Header {
	h := http.Header{
		"Content-Type": {"application/json; charset=utf-8"}, "X-Request-Id": {"1"}, "Etag": {`W/"0123456789abcdef"`},
		"Cache-Control": {"max-age=0, private, must-revalidate"}, "Location": {"https://api.example.test/v1/x"}, "Allow": {"GET"},
		"Retry-After": {"1"}, "Deprecation": {"@1"}, "Link": {`<https://api.example.test/v2/people>; rel="successor-version"`},
	}
	if name, value, ok := strings.Cut(change, "="); ok {
		h.Del(name)
		if value != "" {
			h.Set(name, value)
		}
	}
	return h
}

// fixedResponse is a transport that returns the same response to every request.
type fixedResponse struct{ answer *http.Response }

func (a fixedResponse) RoundTrip(r *http.Request) (*http.Response, error) {
	a.answer.Request = r
	return a.answer, nil
}
