package lists

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/property"
	"lyceum/domain/query"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// propertyAttrs contains the attributes by which lists are filtered and sorted by properties, one
// for each type of value.
var propertyAttrs = []query.Attr{
	query.PropertyAttr("city", query.Text), query.PropertyAttr("rating", query.Number),
	query.PropertyAttr("remote", query.Boolean), query.PropertyAttr("hired", query.Date),
}

// randomProperties returns values for some of propertyAttrs. The value of the text property is an
// element of all.
func randomProperties(rnd *rand.Rand, all []string) property.Values {
	rating, _ := property.ExactNumber(big.NewRat(rnd.Int64N(5)-2, 4))
	return property.NewValues(Sample(rnd, []property.Property{
		{Name: "city", Value: property.TextValue(fixture.Pick(rnd, all))},
		{Name: "rating", Value: rating},
		{Name: "remote", Value: property.BooleanValue(rnd.IntN(2) == 0)},
		{Name: "hired", Value: property.TextValue(fixture.Pick(rnd, moments).Format(time.DateOnly))},
	})...)
}

var propertyCase = &Case[property.State]{
	name:   "Properties",
	Schema: property.Schema.With("link", "https://lyceum.test/properties/", "name", ".html"),
	of:     func(r ports.Reader) ports.Lister[property.State] { return r.Properties },
	ids:    func(row property.State) []uuid.UUID { return []uuid.UUID{row.ID.UUID} },
	words:  []string{"people", "GROUP", "one_of", "property_1"},
	write:  writeProperties,
}

// writeProperties adds as many definitions as there are texts. Their names do not depend on the
// texts.
func writeProperties(s fixture.Tenant, rnd *rand.Rand, texts []string) []property.State {
	s.T.Helper()
	var rows []property.State
	var records []any
	for i := range texts {
		d := s.NewProperty(fixture.Pick(rnd, property.Resources()), fmt.Sprintf("property_%d", i), fixture.Pick(rnd, property.Kinds()))
		d.ID, d.Filterable = property.ID{UUID: randomID(rnd)}, rnd.IntN(2) == 0
		d.CreatedAt, d.UpdatedAt = fixture.Pick(rnd, moments), fixture.Pick(rnd, moments)
		rows, records = append(rows, d), append(records, d)
	}
	s.Save(records...)
	return rows
}
