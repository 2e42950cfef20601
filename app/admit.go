package app

import (
	"context"
	"slices"

	"lyceum/app/admission"
	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/domain/text"
	"lyceum/ports"
)

// What the rules say about the authentication methods of schools.
var (
	admitting = methodsWhere(func(m school.AuthMethod) bool { return m.CheckLearnerCreation() == nil })
	inviting  = methodsWhere(invitation.Wanted)
)

func methodsWhere(holds func(school.AuthMethod) bool) []school.AuthMethod {
	return slices.DeleteFunc(school.AuthMethods(), func(m school.AuthMethod) bool { return !holds(m) })
}

// admit adds a person of the given profile to the actor's school and invites
// them, unless the school gets its learners by URL authentication.
func admit(ctx context.Context, d usecase.Deps, a Actor, profile person.Profile) (person.Summary, error) {
	// Drawn once: a second run is about the same person, so that it meets what the
	// first may have kept.
	id, now := person.ID{UUID: d.IDs.New()}, d.Clock.Now()
	if p, err := person.New(id, profile, now); err == nil && !a.Dependent() && len(d.Policies.Living.Create)+len(d.Policies.Living.Invite) == 0 {
		i, letter := admission.NewInvitation(d, a.School(), id, now)
		// Nearly every request ends here if no rule is to be asked. What is refused goes on,
		// to learn why.
		added, err := d.Store.AddPerson(ctx, a.School(), ports.NewPerson{
			Person: p, Admitting: admitting, Inviting: inviting, Invitation: i, Job: letter,
		})
		if added || err != nil {
			return person.Summary{State: p.State()}, err
		}
	}
	var made person.Summary
	err := d.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		creations, err := admission.NewCreations(ctx, d.Policies.Living, tx.School, true)
		if err != nil {
			return err
		}
		s := creations.School()
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
		if err := creations.Decide(p.State()); err != nil {
			return fault.AtBlank("data", err)
		}
		made = person.Summary{State: p.State()}
		return admission.Invite(ctx, d, tx, s, p, now)
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
