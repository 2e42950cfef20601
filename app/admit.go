package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/text"
	"lyceum/ports"
)

// admit adds a person of the given profile to the actor's school and invites
// them, unless the school gets its learners by URL authentication.
func admit(ctx context.Context, d usecase.Deps, a Actor, profile person.Profile) (person.Summary, error) {
	// Drawn once: a second run is about the same person, so that it meets what the
	// first may have kept.
	id, now := person.ID{UUID: d.IDs.New()}, d.Clock.Now()
	var made person.Summary
	err := d.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		room, err := roomForPeople(ctx, d, tx)
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
			return fault.Join(err, emailTaken(ctx, tx, profile.Email, id))
		}
		if err := tx.People.Add(ctx, p); err != nil {
			return err
		}
		if room == 0 {
			return noRoomForPerson(d, "data")
		}
		made = person.Summary{State: p.State()}
		return invite(ctx, d, tx, s, p, now)
	})
	return made, err
}

// emailTaken returns the fault that another person than id has the e-mail address,
// so that a response with other faults names it too; nil for an address that is
// none.
func emailTaken(ctx context.Context, tx ports.Tx, email string, id person.ID) error {
	address, _ := text.Email("email", email) // blank, which nobody has, if it is none
	found, err := tx.People.ByEmail(ctx, []string{address})
	if err != nil {
		return err
	}
	if holder, ok := found[text.Key(address)]; ok && holder.State().ID != id {
		return fault.Taken("email", person.Type, holder.State().ID.UUID)
	}
	return nil
}
