package app

import (
	"context"
	"slices"

	"lyceum/app/admission"
	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/property"
	"lyceum/domain/school"
	"lyceum/domain/text"
	"lyceum/ports"
)

// The authentication methods of schools in which people can be created, and of schools that invite
// new people.
var (
	creationMethods = methodsWhere(func(m school.AuthMethod) bool { return m.CheckLearnerCreation() == nil })
	invitingMethods = methodsWhere(invitation.Required)
)

func methodsWhere(holds func(school.AuthMethod) bool) []school.AuthMethod {
	return slices.DeleteFunc(school.AuthMethods(), func(m school.AuthMethod) bool { return !holds(m) })
}

// createPerson adds a person to the actor's school, and an invitation unless the school uses single
// sign-on.
func createPerson(ctx context.Context, d usecase.Deps, a Actor, profile person.Profile) (person.Summary, error) {
	// The id is generated outside the transaction, so that a retry inserts the same id.
	id, now := person.ID{UUID: d.IDs.New()}, d.Clock.Now()
	if p, err := person.New(id, profile, now); err == nil && !a.Dependent() && !a.IsLearner() && len(profile.Properties.Sent) == 0 && len(d.Policies.Living.CreatePerson)+len(d.Policies.Living.Invite) == 0 {
		made := person.Summary{State: p.State()}
		if err := markDeletable(ctx, d, a, d.Read(a).School, &made); err != nil {
			return person.Summary{}, err
		}
		i, delivery := admission.NewInvitation(d, a.School(), id, now)
		// Without rules and properties to check, a single call of the store adds the person. If it
		// adds no person, the transaction below finds the reason and returns the fault.
		added, err := d.AddPerson(ctx, a, ports.NewPerson{
			Person: p, Admitting: creationMethods, Inviting: invitingMethods, Invitation: i, Job: delivery,
		})
		if err != nil {
			return person.Summary{}, err
		}
		if added != nil {
			made.Defined = added.Defined
			return made, nil
		}
	}
	var made person.Summary
	err := d.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		creations, err := admission.NewCreations(ctx, d, d.Policies.Living, tx.School, a, now, true)
		if err != nil {
			return err
		}
		if err := creations.School().CheckLearnerCreation(); err != nil {
			return err
		}
		profile := profile
		if err := usecase.DefineProperties(ctx, tx.Properties, property.People, &profile.Properties); err != nil {
			return err
		}
		p, err := person.New(id, profile, now)
		if err != nil {
			return fault.Join(err, emailTaken(ctx, tx, profile.Email, id))
		}
		made = person.Summary{State: p.State()}
		if made.Defined, err = usecase.PropertyNames(ctx, tx.Properties, property.People); err != nil {
			return err
		}
		if err := markDeletable(ctx, d, a, tx.School, &made); err != nil {
			return err
		}
		if effect, err := policy.Effect(creations.Decide(p.State())); !effect {
			return fault.Join(usecase.AtData(err), emailTaken(ctx, tx, profile.Email, id))
		}
		if err := tx.People.Add(ctx, p); err != nil {
			return err
		}
		return creations.Invite(ctx, d, tx, []person.ID{id}, now)
	})
	return made, err
}

// emailTaken returns a fault if a person other than id has the email address, and nil if the
// address is invalid. A use case that has already found other faults calls it to report all of them
// together.
func emailTaken(ctx context.Context, tx ports.Tx, email string, id person.ID) error {
	// The address is blank if email is invalid. No person has a blank address.
	address, _ := text.Email("email", email)
	found, err := tx.People.ByEmail(ctx, []string{address})
	if err != nil {
		return err
	}
	if holder, ok := found[text.UniqueKey(address)]; ok && holder.State().ID != id {
		return fault.Taken("email", person.Type, holder.State().ID.UUID)
	}
	return nil
}
