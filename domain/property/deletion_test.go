package property_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/property"
)

func TestMaxSizeOfOthers(t *testing.T) {
	texts := func(n int) []property.State {
		var all []property.State
		for range n {
			all = append(all, property.State{ID: property.ID{UUID: uuid.New()}, Kind: property.Text})
		}
		return all
	}
	number := property.State{ID: property.ID{UUID: uuid.New()}, Kind: property.Number}
	two, fifty := texts(2), texts(50)
	for name, tc := range map[string]struct {
		defined []property.State
		deleted property.ID
		want    int
	}{
		"no other":              {two[:1], two[0].ID, 0},
		"a text":                {two, two[0].ID, 4_000},
		"texts besides another": {append(two, number), number.ID, 8_000},
		"a number":              {append(two[:1:1], number), two[0].ID, 0},
		"more than a record":    {fifty, fifty[0].ID, property.MaxBytes},
	} {
		t.Run(name, func(t *testing.T) {
			is.New(t).Equal(property.MaxSizeOfOthers(tc.defined, tc.deleted), tc.want)
		})
	}
}
