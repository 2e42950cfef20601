package request_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/domain/fault"
)

// JoinFaults drops faults of the dry run about a part that is known to be invalid, or about a part
// within it.
func TestJoinFaultsDropsKnownParts(t *testing.T) {
	at := func(row int, field string) *fault.Fault {
		return &fault.Fault{Row: row, Field: field, Detail: "is wrong"}
	}
	for _, tt := range []struct {
		name         string
		known, found *fault.Fault
		kept         bool
	}{
		{"the same attribute", at(0, "name"), at(0, "name"), false},
		{"another attribute", at(0, "name"), at(0, "email"), true},
		{"the same attribute of another element", at(1, "name"), at(2, "name"), true},
		{"the whole element", at(2, ""), at(2, "name"), false},
		{"all relationships", at(0, "relationships"), at(0, "person"), false},
		{"all relationships, but an attribute", at(0, "relationships"), at(0, "name"), true},
		{"the same relationship", at(3, "relationships.person.type"), at(3, "person"), false},
		{"another relationship", at(3, "relationships.person.type"), at(3, "activity"), true},
		{"the same identifier", at(0, "relationships.categories[1].type"), at(0, "relationships.categories[1].id"), false},
		{"another identifier", at(0, "relationships.categories[1].type"), at(0, "relationships.categories[0].id"), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(len(fault.All(request.JoinFaults(tt.known, tt.found))) == 2, tt.kept)
		})
	}
}

func TestJoinFaultsSortsByElement(t *testing.T) {
	is := is.New(t)
	last, first := fault.Blank("relationships.categories[2].type"), fault.Blank("relationships.categories[0].id")
	is.Equal(request.JoinFaults(last, fault.Join(fault.Blank("name"), first)), fault.List{fault.Blank("name"), first, last})
}
