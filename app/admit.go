package app

import (
	"context"

	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/ports"
)

// admit adds a person of the given profile to the actor's school and invites
// them, unless the school gets its learners by URL authentication.
func (d deps) admit(ctx context.Context, a Actor, profile person.Profile) (person.Summary, error) {
	// Drawn once: a second run is about the same person, so that it meets what the
	// first may have kept.
	id, now := person.ID{UUID: d.ids.New()}, d.clock.Now()
	var made person.Summary
	err := d.inTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		room, err := d.roomForPeople(ctx, tx)
		if err != nil {
			return err
		}
		s, err := tx.School.Get(ctx)
		if err != nil {
			return err
		}
		if err := s.CheckLearnerCreation(); err != nil {
			return err
		}
		p, err := person.New(id, profile, now)
		if err != nil {
			// Whether somebody has the address is told in the same answer.
			if bare, errEmail := person.New(id, person.Profile{Email: profile.Email}, now); errEmail == nil {
				err = fault.Join(err, tx.People.Add(ctx, bare))
			}
			return err
		}
		if err := tx.People.Add(ctx, p); err != nil {
			return err
		}
		if room == 0 {
			return d.noRoomForPerson("data")
		}
		made = person.Summary{State: p.State()}
		return d.invite(ctx, tx, s, p, now)
	})
	return made, err
}
