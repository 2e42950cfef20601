package auth

import (
	"context"
	"time"

	"lyceum/app/admission"
	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/school"
	"lyceum/domain/signin"
	"lyceum/domain/text"
	"lyceum/ports"
)

// lockSchool returns the current school, and locks it: a suspension, a new entry secret and other
// changes of the school wait until the sign-in ends. The school of the request was read before the
// transaction and may have changed since. lockSchool returns Forbidden if the school is suspended.
// email is the address of the person who signs in. Call lockSchool before any other lock is taken.
func (u *SignIns) lockSchool(ctx context.Context, tx ports.Tx, email string) (school.State, error) {
	get := tx.School.GetForShare
	if u.deps.Policies.Living.CreatePerson.Needs().Has(policy.Count) {
		found, err := tx.People.ByEmail(ctx, []string{email})
		if err != nil {
			return school.State{}, err
		}
		if len(found) == 0 {
			get = tx.School.GetForUpdate // as admit does when it adds the person
		}
	}
	s, err := get(ctx)
	if err == nil {
		err = s.CheckActive()
	}
	return s.State(), err
}

// admit returns the person with the address in the profile, who has proved that the address is
// theirs. The addresses must not differ in more than the case of ASCII letters: for mail servers,
// straße.example is another address than strasse.example, although no school can have a person for
// each. admit activates a person who was invited. If there is no such person, it adds an activated
// one if adds is true, and otherwise returns Gone. The audit trail records that the person did so
// in the session by.
func (u *SignIns) admit(
	ctx context.Context, tx ports.Tx, s school.State, profile person.Profile, adds bool, by newSession, now time.Time,
) (person.ID, error) {
	found, err := tx.People.ByEmail(ctx, []string{profile.Email})
	if err != nil {
		return person.ID{}, err
	}
	known, ok := found[text.UniqueKey(profile.Email)]
	switch {
	case ok && !signin.SameAddress(known.State().Email, profile.Email):
		return person.ID{}, fault.Forbiddenf("The school has a person with a similar, but not the same, email address")
	case ok:
		id := known.State().ID
		if err := usecase.ActAs(ctx, tx, by.actor(id)); err != nil {
			return person.ID{}, err
		}
		return id, u.activate(ctx, tx, s, id, profile.Email, now)
	case !adds:
		return person.ID{}, signin.Unusable()
	}
	creations, err := admission.NewCreations(ctx, u.deps, u.deps.Policies.Living, tx.School, usecase.SystemActor(s.ID), now, false)
	if err != nil {
		return person.ID{}, err
	}
	p, err := person.New(person.ID{UUID: u.deps.IDs.New()}, profile, now)
	if err != nil {
		return person.ID{}, err
	}
	if effect, err := policy.Effect(creations.Decide(p.State())); !effect {
		if err == nil {
			err = fault.Forbiddenf("This school does not currently admit new people")
		}
		return person.ID{}, err
	}
	if err := u.checkAccepting(ctx, tx, s, &p, now); err != nil {
		return person.ID{}, err
	}
	if err := usecase.ActAs(ctx, tx, by.actor(p.State().ID)); err != nil {
		return person.ID{}, err
	}
	return p.State().ID, tx.People.Add(ctx, p)
}

// activate locks the person id, and activates them unless they are active. It returns ErrChanged if
// the person has been deleted since admit found them, or no longer has the given email address.
func (u *SignIns) activate(ctx context.Context, tx ports.Tx, s school.State, id person.ID, email string, now time.Time) error {
	p, err := tx.People.GetForUpdate(ctx, id)
	if fault.Is(err, fault.NotFound) {
		return ports.ErrChanged
	}
	if err != nil {
		return err
	}
	if !signin.SameAddress(p.State().Email, email) {
		return ports.ErrChanged
	}
	if p.State().ActivatedAt != nil {
		return nil
	}
	if err := u.checkAccepting(ctx, tx, s, &p, now); err != nil {
		return err
	}
	if err := tx.Invitations.ExpireLinks(ctx, id, now); err != nil {
		return err
	}
	return tx.People.Save(ctx, p)
}

// checkAccepting activates p, or returns the fault of the rule that forbids it.
func (u *SignIns) checkAccepting(ctx context.Context, tx ports.Tx, s school.State, p *person.Person, now time.Time) error {
	by, err := u.deps.Request(ctx, tx.School, usecase.SystemActor(s.ID), now)
	if err != nil {
		return err
	}
	before := p.State()
	p.Activate(now)
	effect, err := policy.Effect(admission.CheckAccepting(u.deps.Policies.Living, by, before, p.State()))
	if err == nil && !effect {
		err = fault.Forbiddenf("This school does not currently admit new people")
	}
	return usecase.AtData(err)
}
