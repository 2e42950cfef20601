package httpapi

import (
	"fmt"
	"testing"

	"lyceum/adapters/httpapi/jsonapi"
)

// BenchmarkEncode is a page of 25 people, as documents show them.
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
		if _, err := encode(page); err != nil {
			b.Fatal(err)
		}
	}
}
