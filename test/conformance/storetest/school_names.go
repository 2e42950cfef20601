package storetest

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
)

// schoolNames tests that two schools cannot take the same name.
func schoolNames(t *testing.T, b Backend) {
	t.Run("Save changes the name; the name of another school is Taken", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		unique := uuid.NewString() // schools of other tests have other names
		is.NoErr(w.tenant.tryRename("École " + unique))
		for _, same := range []string{"École " + unique, "ÉCOLE  " + unique} {
			err := w.otherTenant.tryRename(same)
			is.True(err != nil)
			is.Equal(err.Error(), "invalid: name: A record with the given name has already been taken")
		}
		is.NoErr(w.tenant.tryRename("éCOLE " + unique)) // its own name
		is.NoErr(w.otherTenant.tryRename("Ecole " + unique))
		is.NoErr(w.tenant.tryRename("Other " + unique))
		is.NoErr(w.otherTenant.tryRename("École " + unique)) // no school has the name any longer

		twin := newSchool("Other " + unique) // stores do not refuse it
		is.NoErr(addSchool(w.ctx(), w.loader, school.Restore(twin)))
		is.NoErr(w.tenant.tryRename("Other " + unique)) // unchanged, so it is not compared
	})

	t.Run("Save and LoadNewSchool that take the same name at once run one after another", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		twins := []tenant{w.tenant, w.otherTenant}
		for round := range 10 {
			name := "race " + strconv.Itoa(round) + uuid.NewString()
			errs := atOnce(func(i int) error {
				if i == goroutines-1 {
					s := newSchool(strings.ToUpper(name))
					return w.loader.LoadNewSchool(w.ctx(), school.Restore(s), func(ctx context.Context, _ ports.LoadTx) error {
						all, err := w.schools.List(ctx)
						if slices.ContainsFunc(all, func(s school.School) bool { return school.SameName(s.State().Name, name) }) {
							return fault.Invalidf("name", "is taken")
						}
						time.Sleep(5 * time.Millisecond)
						return err
					})
				}
				return twins[i%2].try(func(ctx context.Context, tx ports.Tx) error {
					if err := renameSchool([]string{name, strings.ToTitle(name[:1]) + name[1:]}[i%2])(ctx, tx); err != nil {
						return err
					}
					time.Sleep(5 * time.Millisecond)
					return nil
				})
			})
			for _, err := range errs {
				is.True(err == nil || fault.Is(err, fault.Invalid))
			}
			all, err := w.schools.List(w.ctx())
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
