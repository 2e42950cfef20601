package app_test

import (
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/school"
)

// A request that waited while its key was revoked creates no key, and rotates none.
func TestRevokedKeyCreatesNoKey(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	leaked, _, err := w.Provision.CreateKey(w.ctx, w.school, school.KeyParams{Name: "leaked", Scope: school.Admin})
	is.NoErr(err)
	by := usecase.ByKey(leaked)
	made, _, err := w.Keys.Create(w.ctx, by, school.KeyParams{Name: "made", Scope: school.Admin})
	is.NoErr(err)
	is.NoErr(w.Keys.Revoke(w.ctx, w.actor, leaked.ID))
	_, _, err = w.Keys.Create(w.ctx, by, school.KeyParams{Name: "later", Scope: school.Admin})
	is.True(fault.Is(err, fault.Unauthenticated))
	_, _, err = w.Keys.Rotate(w.ctx, by, made.ID, time.Hour)
	is.True(fault.Is(err, fault.Unauthenticated))
}
