package lists

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"lyceum/domain/query"
	"lyceum/test/conformance/storetest/fixture"
)

// CheckCopies tests that a list returns copies of its rows.
func (c *Case[T]) CheckCopies(t *testing.T, b fixture.Backend) {
	t.Run("Rows of the list "+c.name+" are copies", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		texts := slices.Clone(HostileTexts[:20]) // rows can contain a part of it, which is overwritten
		written := c.write(w.Tenant, rand.New(rand.NewPCG(3, 4)), texts)
		rows := c.ExpectedRows(fixture.DeepCopy(reflect.ValueOf(written)).Interface().([]T)) // copied before the arguments are overwritten
		fixture.Overwrite(reflect.ValueOf(written))
		c.Check(w.Tenant, rows, query.Query{Page: query.AllRows()})
		for _, q := range []query.Query{{Page: query.AllRows()}, {Where: c.commonCond(), Page: query.NewPage(1, 3)}} {
			got, err := c.of(w.Read()).List(w.Context(), q)
			w.Must(err)
			fixture.Overwrite(reflect.ValueOf(got.Items))
			c.Check(w.Tenant, rows, query.Query{Page: query.AllRows()})
		}
	})
}
