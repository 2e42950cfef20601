package jsonapi_test

import (
	"encoding/json"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/respond"
	"pgregory.net/rapid"
)

type inner struct {
	Name string  `json:"name"`
	Note *string `json:"note"`
}

type boat struct {
	inner
	Length json.Number     `json:"length"`
	Count  *int64          `json:"count,omitempty"`
	Tags   []string        `json:"tags"`
	Extra  json.RawMessage `json:"extra,omitempty"`
}

// A Part with all members of a struct is encoded like the struct, byte for byte.
func TestSelectAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		b := boat{inner: inner{Name: text}, Length: "1.5"}
		if rapid.Bool().Draw(t, "full") {
			n := rapid.Int64().Draw(t, "n")
			b.Note, b.Count, b.Tags, b.Extra = &text, &n, []string{text}, json.RawMessage(`{"a":1}`)
		}
		want, err := respond.Encode(b)
		if err != nil {
			t.Fatal(err)
		}
		got, err := respond.Encode(jsonapi.Select(b, func(string) bool { return true }))
		if err != nil || string(got) != string(want) {
			t.Fatalf("got %s, want %s, %v", got, want, err)
		}
	})
}

func TestSelect(t *testing.T) {
	is := is.New(t)
	r := jsonapi.Resource{Type: "boats", ID: "1", Attributes: boat{Length: "2"}, Relationships: struct {
		Owner  jsonapi.ToOne  `json:"owner"`
		Guests jsonapi.ToMany `json:"guests"`
		Berth  *jsonapi.ToOne `json:"berth,omitempty"`
	}{jsonapi.One("people", "7"), jsonapi.Many("people", "8", "9"), nil}}
	for kept, want := range map[string]string{
		"length": `{"type":"boats","id":"1","attributes":{"length":2}}`,
		"guests": `{"type":"boats","id":"1","attributes":{},"relationships":{"guests":{"data":[{"type":"people","id":"8"},{"type":"people","id":"9"}]}}}`,
		"berth":  `{"type":"boats","id":"1","attributes":{}}`,
	} {
		got, err := respond.Encode(r.Select(func(name string) bool { return name == kept }))
		is.NoErr(err)
		is.Equal(string(got), want)
	}
	is.Equal(r.Related("owner"), []jsonapi.Identifier{{Type: "people", ID: "7"}})
	is.Equal(len(r.Related("guests")), 2)
	is.Equal(len(r.Related("berth"))+len(r.Related("length")), 0)
	is.True(r.HasMember("length") && r.HasMember("berth") && r.HasRelationship("berth") && !r.HasRelationship("length") && !r.HasMember("inner"))
}
