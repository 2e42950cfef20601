package app_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/bulk"
	"lyceum/domain/fault"
	"lyceum/domain/property"
)

// The deletion of a property makes the store save all other properties of the records that have a
// value, so it counts toward the allowance of the school, with the size that they may have. If few
// records have a value, the school need not wait.
func TestDeletedPropertiesBeyondTheAllowance(t *testing.T) {
	is := is.New(t)
	c := newCrowded(t, 1_000, 200)
	ids := c.addProperties(t, map[string]int{"first": 11, "second": 11, "few": 10})
	for i := range 2 { // 100,000 each, which is the whole allowance
		is.NoErr(c.Groups.AddCourses(t.Context(), c.actor, c.groups["Large"], c.courses[100*i:100*(i+1)]))
	}
	remove := func(name string) error {
		_, err := c.Properties.DeleteAll(t.Context(), c.actor, ids[name])
		return err
	}
	is.NoErr(remove("first")) // 11 people with two other texts of at most 3.9 KB: 11 * (1 + 7) records
	is.True(fault.Is(remove("second"), fault.Unavailable))
	is.NoErr(remove("few"))                // 10 * (1 + 3) records
	c.clock.Advance(25 * time.Millisecond) // 125 of 128 records
	is.True(fault.Is(remove("second"), fault.Unavailable))
	c.clock.Advance(time.Millisecond)
	is.NoErr(remove("second"))
}

// A deletion counts even if its transaction is rolled back, for example because the client went away:
// the store has saved the records by then.
func TestAbandonedDeletionsOfPropertiesCount(t *testing.T) {
	is := is.New(t)
	c := newCrowded(t, 1_000, 200)
	id := c.addProperties(t, map[string]int{"first": 11, "second": 11, "few": 10})["first"]
	for i := range 2 { // the whole allowance
		is.NoErr(c.Groups.AddCourses(t.Context(), c.actor, c.groups["Large"], c.courses[100*i:100*(i+1)]))
	}
	remove := func() error {
		_, err := c.Properties.DeleteAll(t.Context(), c.actor, id)
		return err
	}
	c.hook = func(_ context.Context, call string) error {
		if call == "Tx.Properties.Delete" {
			return context.Canceled
		}
		return nil
	}
	is.True(errors.Is(remove(), context.Canceled))
	c.hook = nil
	is.True(fault.Is(remove(), fault.Unavailable)) // 11 * (1 + 7) records
	c.clock.Advance(17 * time.Millisecond)         // 85 of 88 records
	is.True(fault.Is(remove(), fault.Unavailable))
	c.clock.Advance(time.Millisecond)
	is.NoErr(remove())
}

// addProperties defines properties of people, and sets each of them for that many people. Their
// additions no longer count toward the allowance when it returns.
func (c *crowded) addProperties(t *testing.T, people map[string]int) map[string]property.ID {
	t.Helper()
	is := is.New(t)
	ids := map[string]property.ID{}
	rows := make([]bulk.Row, 11)
	for i := range rows {
		rows[i] = bulk.People.NewRow(i, fmt.Sprintf("p%d@example.test", i), nil, map[string]property.Raw{}, nil)
	}
	for name, n := range people {
		d, err := c.Properties.Create(t.Context(), c.actor, property.Params{Resource: property.People, Name: name, Kind: property.Text})
		is.NoErr(err)
		ids[name] = d.ID
		for i := range n {
			rows[i].Properties[name] = property.RawText("x")
		}
	}
	accepted, err := c.Bulk.Accept(t.Context(), c.actor, bulk.People, rows)
	is.NoErr(err)
	_, err = c.Bulk.ApplyNext(t.Context())
	is.NoErr(err)
	job, err := c.Bulk.Get(t.Context(), c.actor, accepted.ID)
	is.NoErr(err)
	is.Equal([]any{job.Status(), job.RowsFailed}, []any{bulk.Completed, 0})
	c.clock.Advance(time.Second)
	return ids
}
