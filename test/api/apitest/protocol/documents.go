package protocol

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/bodies"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// Documents checks the requirements for request documents, except those for attributes.
func Documents(t *testing.T, s *fixture.Server) {
	const (
		id       = `"uuid":"` + records.Design + `"`
		noObject = "422 /data must be an object"
		noType   = "422 /data/type can't be blank"
		noUUID   = "422 /data/uuid can't be blank"
		taken    = "422 /data/attributes/name A record with the given name has already been taken"
		conflict = "409 /data/type must be categories"
	)
	tests := []struct {
		name, method, body string
		want               []string // expected faults; none: the request succeeds
	}{
		{"empty", "POST", "", []string{"400 The body must be a JSON document but is empty"}},
		{"blank", "POST", " \n", []string{"400 The body must be a JSON document but is empty"}},
		{"not JSON", "POST", "{", []string{"400 The body is not valid JSON (near byte 1)"}},
		{"two JSON values", "POST", `{} {}`, []string{"400 The body contains more than one JSON value"}},
		{"a duplicate key", "POST", `{"data":{"type":"categories","typ\u0065":"x"}}`, []string{`400 The body contains the duplicate key "type"`}},
		{"too deep", "POST", strings.Repeat("[", 33) + strings.Repeat("]", 33), []string{"400 The body has more than 32 levels of nesting"}},
		{"the maximum number of values", "POST", "[" + strings.Repeat("0,", 131_070) + "0]", []string{noObject}},
		{"too many values", "POST", "[" + strings.Repeat("0,", 131_071) + "0]", []string{"400 The body contains more than 131072 values"}},
		{"the maximum depth", "POST", strings.Repeat("[", 32) + strings.Repeat("]", 32), []string{noObject}},
		{"a number", "POST", `7`, []string{noObject}},
		{"no data", "POST", `{"type":"categories"}`, []string{noObject}},
		{"null data", "POST", `{"data":null}`, []string{noObject}},
		{"an array", "POST", `{"data":[]}`, []string{noObject}},
		{"empty data", "POST", `{"data":{}}`, []string{noType, "422 /data/attributes/name can't be blank"}},
		{"wrong attributes", "POST", `{"data":{"type":"categories","attributes":[]}}`, []string{
			"422 /data/attributes must be an object", "422 /data/attributes/name can't be blank",
		}},
		{"blank type", "POST", `{"data":{"type":" ","attributes":{"name":"A"}}}`, []string{noType}},
		{"a type that is not a string", "POST", `{"data":{"type":1,"attributes":{"name":1}}}`, []string{
			"422 /data/type must be a string", "422 /data/attributes/name must be a string",
		}},
		{"another type", "POST", `{"data":{"type":"groups","attributes":{"name":"A"}}}`, []string{conflict}},
		{"an id chosen by the client", "POST", `{"data":{"type":"categories","id":"` + records.Unknown + `","attributes":{"name":"A"}}}`, []string{
			"403 /data/id must not be present; the server assigns the id of a new resource",
		}},
		{"an empty id", "POST", `{"data":{"type":"categories","id":"","attributes":{"name":"Id"}}}`, nil},
		{"a null id", "POST", `{"data":{"type":"categories","id":null,"attributes":{"name":"Null id"}}}`, nil},
		{"blank name", "POST", `{"data":{"type":"categories","attributes":{"name":"\t "}}}`, []string{
			"422 /data/attributes/name can't be blank",
		}},
		{"a control character", "POST", `{"data":{"type":"categories","attributes":{"name":"a\tb"}}}`, []string{
			"422 /data/attributes/name contains a control character",
		}},

		{"neither type nor id", "PATCH", `{"data":{}}`, []string{noType, noUUID}},
		{"another id", "PATCH", `{"data":{"type":"categories","uuid":"` + records.Music + `"}}`, []string{"409 /data/uuid must match the id in the path"}},
		{"two different ids", "PATCH", `{"data":{"type":"categories",` + id + `,"id":"` + records.Music + `"}}`, []string{
			"409 /data/id must match the id in the path",
		}},
		{"an id that is not a string", "PATCH", `{"data":{"type":"categories","uuid":7}}`, []string{"422 /data/uuid must be a string"}},
		{"null name", "PATCH", `{"data":{"type":"categories",` + id + `,"attributes":{"name":null}}}`, []string{
			"422 /data/attributes/name can't be blank",
		}},
		{"every fault at once", "PATCH", `{"data":{"attributes":{"name":""}}}`, []string{
			noType, noUUID, "422 /data/attributes/name can't be blank",
		}},
		{"every attribute wrong, and the name taken", "POST", `{"data":{"attributes":{"name":"MUSIC & DANCE"}}}`, []string{noType, taken}},
		{"every attribute wrong, and the name taken", "PATCH", `{"data":{"type":"groups","attributes":{"name":"MUSIC & DANCE"}}}`, []string{
			conflict, noUUID, taken,
		}},
		{"no attributes to change", "PATCH", `{"data":{"type":"categories",` + id + `}}`, nil},
		{"id instead of uuid", "PATCH", `{"data":{"type":"categories","id":"` + records.Design + `"}}`, nil},
		{"neither", "PUT", `{"data":{}}`, nil},
		{"another type", "PUT", `{"data":{"type":"groups"}}`, []string{conflict}},
		{"another id", "PUT", `{"data":{"id":"x"}}`, []string{"409 /data/id must match the id in the path"}},

		{"another type", "DELETE", `{"data":{"type":"groups"}}`, []string{conflict}},
		{"another id", "DELETE", `{"data":{"uuid":"` + records.Music + `"}}`, []string{"409 /data/uuid must match the id in the path"}},
		{"both", "DELETE", `{"data":{"type":"x","uuid":"x"}}`, []string{conflict, "409 /data/uuid must match the id in the path"}},
		{"not JSON", "DELETE", `{"data"`, []string{"400 The body is not valid JSON (near byte 7)"}},
		{"an array", "DELETE", `{"data":[]}`, []string{noObject}},
	}
	for _, tt := range tests {
		t.Run(tt.method+" "+tt.name, func(t *testing.T) {
			is := is.New(t)
			path := "/v1/categories"
			if tt.method != "POST" {
				path += "/" + records.Design
			}
			a := s.Send(t, tt.method, path, tt.body)
			if tt.want == nil {
				is.True(a.Status < 300)
				return
			}
			is.Equal(a.Failures(t), tt.want)
		})
	}

	for i, body := range []string{
		"", " ", "{}", "null", `{"data":null}`, `{"data":{}}`, `{"meta":1}`, `{"data":{"type":"categories","id":"%"}}`, `{"data":{"uuid":"%"}}`,
	} {
		t.Run("DELETE with "+body, func(t *testing.T) {
			is := is.New(t)
			name := strings.Repeat("x", i+1)
			made := s.Send(t, "POST", "/v1/categories", `{"data":{"type":"categories","attributes":{"name":"`+name+`"}}}`).ID(t)
			is.Equal(s.Send(t, "DELETE", "/v1/categories/"+made, strings.ReplaceAll(body, "%", made)).Status, 204)
		})
	}
}

// Limits checks the maximum sizes of requests and of the lists of faults in responses.
func Limits(t *testing.T, s *fixture.Server) {
	body := func(padding int) string {
		return `{"data":{"type":"categories","attributes":{"name":"Long"}},"padding":"` + strings.Repeat("x", padding) + `"}`
	}
	room := 1<<20 - len(body(0))
	is := is.New(t)
	is.Equal(s.Send(t, "POST", "/v1/categories", body(room+1)).Failures(t), []string{"413 The request body exceeds 1048576 bytes"})
	is.Equal(s.Send(t, "POST", "/v1/categories", body(room)).Status, 201)
	is.Equal(s.Send(t, "DELETE", "/v1/categories/"+records.Design, body(room+1)).Status, 413)
	is.Equal(s.Request("GET", "/v1/categories").With(body(room+1)).Send(t).Status, 200) // GET ignores the body

	name := strings.Repeat("ä", 255)
	is.Equal(s.Send(t, "POST", "/v1/categories", `{"data":{"type":"categories","attributes":{"name":"`+name+`"}}}`).Status, 201)
	is.Equal(s.Send(t, "POST", "/v1/categories", `{"data":{"type":"categories","attributes":{"name":"`+name+`a"}}}`).Failures(t),
		[]string{"422 /data/attributes/name is too long (maximum is 255 characters)"})

	// The response to a small request with many faults must not be huge.
	const many = 5000
	noObjects := `{"data":[` + strings.Repeat("0,", many) + `0]}`
	is.Equal(len(s.Send(t, "POST", "/v1/groups/"+records.Singers+"/relationships/people", noObjects).Failures(t)), 100)
	strangers := `{"data":[` + strings.Repeat(bodies.Element("people", records.Unknown)+",", many) + bodies.Element("people", records.Unknown) + `]}`
	is.Equal(len(s.Send(t, "POST", "/v1/groups/"+records.Singers+"/relationships/people", strangers).Failures(t)), 100)
}
