package app_test

import (
	"context"
	"slices"
	"testing"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/domain/property"
	"lyceum/test/kit/intercept"
)

// Sign-ins wait for the lock on the school, so the deletion of a property takes it only if the school
// may have a value.
func TestDeletionOfPropertyLocksSchoolOnlyForItsOwn(t *testing.T) {
	for _, of := range property.Resources() {
		t.Run(of.String(), func(t *testing.T) {
			is, c := is.New(t), newClassroom(t)
			d, err := c.Properties.Create(c.ctx, c.actor, property.Params{Resource: of, Name: "team", Kind: property.Text})
			is.NoErr(err)
			var calls []string
			store := intercept.Store(c.store, func(_ context.Context, call string) error {
				calls = append(calls, call)
				return nil
			})
			a := app.New(store, c.schools, c.queue, c.files, c.emails, c.clock, c.ids)
			_, err = a.Properties.DeleteAll(c.ctx, c.actor, d.ID)
			is.NoErr(err)
			is.Equal(slices.Contains(calls, "Tx.School.GetForUpdate"), of == property.School)
			is.True(slices.Contains(calls, "Tx.Properties.RemoveValues"))
		})
	}
}
