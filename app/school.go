package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/audit"
	"lyceum/domain/fault"
	"lyceum/domain/property"
	"lyceum/domain/school"
	"lyceum/ports"
)

// School gets and updates the actor's school.
type School struct{ deps usecase.Deps }

// Get returns the school.
func (u *School) Get(ctx context.Context, a Actor) (school.Summary, error) {
	return u.deps.Read(a).School.Summary(ctx)
}

// Update changes the school and returns the updated school. It returns a Taken fault if another
// school has the name or the slug.
func (u *School) Update(ctx context.Context, a Actor, e school.Changes) (school.Summary, error) {
	now := u.deps.Clock.Now()
	var after school.Summary
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		s, err := tx.School.GetForUpdate(ctx)
		if err != nil {
			return err
		}
		e := e
		if err := usecase.DefineProperties(ctx, tx.Properties, property.School, &e.Properties); err != nil {
			return err
		}
		errSecret := u.deps.SealSecrets(s.State(), &e)
		changed, err := s.Update(e, now)
		err = fault.Join(errSecret, err)
		if err == nil && changed {
			err = tx.School.Save(ctx, s)
		}
		if err == nil && changed && e.EntrySecret != nil {
			err = tx.Audit.Add(ctx, audit.Rotated, usecase.SchoolRecord(a.School()))
		}
		if err != nil {
			return err
		}
		if after, err = tx.School.Summary(ctx); err != nil {
			return err
		}
		return u.deps.CheckOwnKey(ctx, tx, a)
	})
	return after, err
}
