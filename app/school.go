package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/school"
	"lyceum/ports"
)

// School gets and updates the actor's school.
type School struct{ deps usecase.Deps }

// Get returns the school.
func (u *School) Get(ctx context.Context, a Actor) (school.State, error) {
	s, err := u.deps.Store.Read(a.School()).School.Get(ctx)
	return s.State(), err
}

// Update changes the school and returns the updated one.
func (u *School) Update(ctx context.Context, a Actor, e school.Changes) (school.State, error) {
	now := u.deps.Clock.Now()
	var after school.State
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		s, err := tx.School.GetForUpdate(ctx)
		if err != nil {
			return err
		}
		changed, err := s.Update(e, now)
		if err != nil {
			return err
		}
		after = s.State()
		if !changed {
			return nil
		}
		return tx.School.Save(ctx, s)
	})
	return after, err
}
