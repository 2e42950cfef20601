package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/respond"
)

// BenchmarkEncode encodes a page of 25 people.
func BenchmarkEncode(b *testing.B) {
	var page jsonapi.List
	for i := range 25 {
		page.Data = append(page.Data, jsonapi.Resource{
			Type: "people",
			ID:   fmt.Sprintf("018f6f5e-7c1a-7b3e-9d55-0f5b6a2c%04d", i),
			Attributes: listedPersonAttributes{
				CreatedAt: "2026-01-02T15:04:05.123Z", UpdatedAt: "2026-01-02T15:04:05.123Z",
				Email: fmt.Sprintf("ada.lovelace.%d@example.test", i), FullName: "Ada Lovelace",
				CourseCount: 7, GroupCount: 2, RegistrationStatus: "not_activated",
			},
			Relationships: listedPersonRelationships{
				School: jsonapi.One("schools", "018f6f5e-7c1a-7b3e-9d55-0f5b6a2c1d10"),
			},
			Links: listedPersonLinks{
				Self: jsonapi.Link{Href: "https://api.example.test/v1/people/1", Methods: []string{"get", "delete"}},
			},
		})
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := respond.Encode(page); err != nil {
			b.Fatal(err)
		}
	}
}

// Encode writes the same bytes as encoding/json for any text.
func FuzzEncode(f *testing.F) {
	for _, seed := range []string{"", "é ß 🎓", "a&b<c>", "\"\\/", "\u2028\u2029", "\x00\x1f\x7f\t\r\n\b\f", "\xff\xfe", "a\xc3", "\ufffd"} {
		f.Add(seed, int64(len(seed)))
	}
	f.Fuzz(func(t *testing.T, text string, n int64) {
		is := is.New(t)
		type attributes struct {
			Name   string      `json:"name"`
			Note   *string     `json:"note"`
			Left   *string     `json:"left,omitempty"`
			Share  json.Number `json:"share"`
			Number int64       `json:"number"`
			Tags   []string    `json:"tags"`
			Raw    any         `json:"raw"`
		}
		document := jsonapi.List{
			Links: jsonapi.PageLinks{Address: "https://api.example.test/v1/things", Query: text, Number: 2, More: n%2 == 0}.Pages(),
			Data: []jsonapi.Resource{
				{Type: text, ID: n, Attributes: attributes{text, &text, nil, json.Number(fmt.Sprint(n)), n, nil, map[string]any{"b": text, "a": n}}},
				{Type: "things", ID: text, Attributes: struct{}{}, Relationships: struct {
					Some jsonapi.ToMany `json:"some"`
				}{jsonapi.Many("things", text)}, Links: jsonapi.Link{Href: text, Methods: []string{"get"}}},
			},
			Included: &[]jsonapi.Resource{},
		}
		got, err := respond.Encode(document)
		is.NoErr(err)
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		is.NoErr(e.Encode(document))
		is.Equal(string(got)+"\n", want.String())
	})
}
