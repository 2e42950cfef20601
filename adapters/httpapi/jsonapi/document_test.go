package jsonapi_test

import (
	"encoding/json"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/jsonapi"
)

type attributes struct {
	Name string  `json:"name"`
	Note *string `json:"note"`
}

// Response documents are encoded byte for byte as expected, including the order of their members.
func TestDocuments(t *testing.T) {
	tests := []struct {
		name     string
		document any
		want     string
	}{
		{
			"a resource with everything",
			jsonapi.Single{Data: jsonapi.Resource{
				Type: "boats", ID: "1", Attributes: attributes{Name: "Argo"},
				Relationships: struct {
					Crew  jsonapi.ToMany `json:"crew"`
					Owner jsonapi.ToOne  `json:"owner"`
				}{jsonapi.Many("people", "7", "8"), jsonapi.One("people", "9")},
				Links: struct {
					Self  string       `json:"self"`
					Build jsonapi.Link `json:"build"`
				}{"/boats/1", jsonapi.Link{Href: "/b/1", Methods: []string{"get", "put"}}},
			}},
			`{"data":{"type":"boats","id":"1","attributes":{"name":"Argo","note":null},` +
				`"relationships":{"crew":{"data":[{"type":"people","id":"7"},{"type":"people","id":"8"}]},` +
				`"owner":{"data":{"type":"people","id":"9"}}},` +
				`"links":{"self":"/boats/1","build":{"href":"/b/1","methods":["get","put"]}}}}`,
		},
		{
			"no id, no relationships, no links",
			jsonapi.Single{Data: jsonapi.Resource{Type: "storms", Attributes: struct{}{}}},
			`{"data":{"type":"storms","attributes":{}}}`,
		},
		{
			"an integer for an id, empty relationships",
			jsonapi.Single{Data: jsonapi.Resource{
				Type: "scores", ID: int64(0), Attributes: struct{}{}, Relationships: struct{}{},
			}},
			`{"data":{"type":"scores","id":0,"attributes":{},"relationships":{}}}`,
		},
		{
			"a relationship to nothing",
			jsonapi.Many("people"),
			`{"data":[]}`,
		},
		{
			"no resource",
			jsonapi.Note{Meta: map[string]int{"b": 2, "a": 1}},
			`{"meta":{"a":1,"b":2}}`,
		},
		{
			"an empty list",
			jsonapi.List{Links: jsonapi.Pages{Self: "/boats"}, Data: []jsonapi.Resource{}},
			`{"links":{"self":"/boats"},"data":[]}`,
		},
		{
			"a list that includes",
			jsonapi.List{
				Links: jsonapi.Pages{Self: "/boats?page=2", Prev: "/boats", Next: "/boats?page=3"},
				Data:  []jsonapi.Resource{{Type: "boats", ID: "1", Attributes: struct{}{}}}, Included: &[]jsonapi.Resource{},
			},
			`{"links":{"self":"/boats?page=2","prev":"/boats","next":"/boats?page=3"},` +
				`"data":[{"type":"boats","id":"1","attributes":{}}],"included":[]}`,
		},
		{
			"errors",
			jsonapi.Errors{Errors: []jsonapi.Error{
				{Status: "422", Title: "T", Detail: "D", Source: jsonapi.Source{Pointer: "/data"}, Meta: map[string]int{"a": 1}},
				{Status: "400", Title: "T", Detail: "D", Source: jsonapi.Source{Parameter: "page"}},
				{Status: "404", Title: "T", Detail: "D"},
			}},
			`{"errors":[{"status":"422","title":"T","detail":"D","source":{"pointer":"/data"},"meta":{"a":1}},` +
				`{"status":"400","title":"T","detail":"D","source":{"parameter":"page"}},` +
				`{"status":"404","title":"T","detail":"D","source":{}}]}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			got, err := json.Marshal(tt.document)
			is.NoErr(err)
			is.Equal(string(got), tt.want)
		})
	}
}

func TestPages(t *testing.T) {
	tests := []struct {
		name  string
		links jsonapi.PageLinks
		want  jsonapi.Pages
	}{
		{"the only page", jsonapi.PageLinks{Number: 1}, jsonapi.Pages{Self: "/a"}},
		{"the first", jsonapi.PageLinks{Number: 1, More: true}, jsonapi.Pages{Self: "/a", Next: "/a?page=2"}},
		{"the second", jsonapi.PageLinks{Number: 2}, jsonapi.Pages{Self: "/a?page=2", Prev: "/a"}},
		{"the third", jsonapi.PageLinks{Query: "q=x", Number: 3, More: true}, jsonapi.Pages{
			Self: "/a?q=x&page=3", Prev: "/a?q=x&page=2", Next: "/a?q=x&page=4",
		}},
		{"the second of a query", jsonapi.PageLinks{Query: "q=x", Number: 2}, jsonapi.Pages{Self: "/a?q=x&page=2", Prev: "/a?q=x"}},
		{
			"with cursors",
			jsonapi.PageLinks{Query: "q=x", Number: 3, More: true, Self: "S", Prev: "P", Next: "N"},
			jsonapi.Pages{Self: "/a?q=x&page=3&cursor=S", Prev: "/a?q=x&page=2&cursor=P", Next: "/a?q=x&page=4&cursor=N"},
		},
		{
			"the first has no cursor",
			jsonapi.PageLinks{Number: 2, Self: "S", Prev: "P"},
			jsonapi.Pages{Self: "/a?page=2&cursor=S", Prev: "/a"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			tt.links.Address = "/a"
			is.Equal(tt.links.Pages(), tt.want)
		})
	}
}
