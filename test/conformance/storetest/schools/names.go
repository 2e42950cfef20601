package schools

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// Names tests that two schools cannot take the same name.
func Names(t *testing.T, b fixture.Backend) {
	t.Run("Save changes the name; the name of another school is Taken", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		unique := uuid.NewString() // schools of other tests have other names
		is.NoErr(w.Tenant.TryRename("École " + unique))
		for _, same := range []string{"École " + unique, "ÉCOLE  " + unique} {
			err := w.OtherTenant.TryRename(same)
			is.True(err != nil)
			is.Equal(err.Error(), "invalid: name: A record with the given name has already been taken")
		}
		is.NoErr(w.Tenant.TryRename("éCOLE " + unique)) // its own name
		is.NoErr(w.OtherTenant.TryRename("Ecole " + unique))
		is.NoErr(w.Tenant.TryRename("Other " + unique))
		is.NoErr(w.OtherTenant.TryRename("École " + unique)) // no school has the name any longer

		twin := fixture.NewSchool("Other " + unique) // stores do not refuse it
		is.NoErr(fixture.AddSchool(w.Context(), w.Loader, school.Restore(twin)))
		is.NoErr(w.Tenant.TryRename("Other " + unique)) // unchanged, so it is not compared
	})

	t.Run("Save and LoadNewSchool that take the same name at once run one after another", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		twins := []fixture.Tenant{w.Tenant, w.OtherTenant}
		for round := range 10 {
			name := "race " + strconv.Itoa(round) + uuid.NewString()
			errs := fixture.AtOnce(func(i int) error {
				if i == fixture.Goroutines-1 {
					s := fixture.NewSchool(strings.ToUpper(name))
					return w.Loader.LoadNewSchool(w.Context(), school.Restore(s), func(ctx context.Context, _ ports.LoadTx) error {
						all, err := w.Schools.List(ctx)
						if slices.ContainsFunc(all, func(s school.School) bool { return school.SameName(s.State().Name, name) }) {
							return fault.Invalidf("name", "is taken")
						}
						time.Sleep(5 * time.Millisecond)
						return err
					})
				}
				return twins[i%2].Try(func(ctx context.Context, tx ports.Tx) error {
					if err := fixture.RenameSchool([]string{name, strings.ToTitle(name[:1]) + name[1:]}[i%2])(ctx, tx); err != nil {
						return err
					}
					time.Sleep(5 * time.Millisecond)
					return nil
				})
			})
			for _, err := range errs {
				is.True(err == nil || fault.Is(err, fault.Invalid))
			}
			all, err := w.Schools.List(w.Context())
			is.NoErr(err)
			holders := 0
			for _, s := range all {
				if school.SameName(s.State().Name, name) {
					holders++
				}
			}
			is.Equal(holders, 1)
		}
	})
}
