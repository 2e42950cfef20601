package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/ports"
)

// Provision is the operator's work: schools and the keys that open them. It is
// for the command line, never for a request.
type Provision struct {
	deps usecase.Deps
}

// CreateSchool adds a school. When ownerEmail is not blank, its first person is
// the owner with that address.
func (u *Provision) CreateSchool(ctx context.Context, name string, auth school.AuthMethod, ownerEmail string) (school.State, error) {
	now := u.deps.Clock.Now()
	made, errSchool := school.New(school.ID{UUID: u.deps.IDs.New()}, name, auth, now)
	var b ports.Batch
	var errOwner error
	if ownerEmail != "" {
		var owner person.Person
		owner, errOwner = person.New(person.ID{UUID: u.deps.IDs.New()}, person.Profile{Email: ownerEmail}, now)
		owner.Activate(now)
		b.People = []person.Person{owner}
		b.Partnerships = []person.Partnership{{
			ID: person.PartnershipID{UUID: u.deps.IDs.New()}, Person: owner.State().ID, Role: person.Owner, CreatedAt: now,
		}}
	}
	if err := fault.Join(fault.Within("school", errSchool), fault.At("owner", errOwner)); err != nil {
		return school.State{}, err
	}
	err := u.deps.Store.LoadNew(ctx, made, func(ctx context.Context, l ports.Load) error { return l.Add(ctx, b) })
	return made.State(), err
}

// Schools returns all schools.
func (u *Provision) Schools(ctx context.Context) ([]school.School, error) {
	return u.deps.Schools.List(ctx)
}

// School returns the school that ref names: its UUID, or its exact name when
// only one school has it.
func (u *Provision) School(ctx context.Context, ref string) (school.School, error) {
	all, err := u.deps.Schools.List(ctx)
	if err != nil {
		return school.School{}, err
	}
	var found []school.School
	for _, s := range all {
		if s.State().ID.String() == ref || s.State().Name == ref {
			found = append(found, s)
		}
	}
	switch len(found) {
	case 0:
		return school.School{}, fault.Invalidf("school", "there is no school %q", ref)
	case 1:
		return found[0], nil
	}
	return school.School{}, fault.Invalidf("school", "%d schools are called %q; give the id", len(found), ref)
}

// CreateKey adds a key on those terms to the school and returns its secret,
// which cannot be had again.
func (u *Provision) CreateKey(ctx context.Context, id school.ID, terms school.KeyTerms) (school.Key, string, error) {
	k, secret, err := school.NewKey(
		school.KeyID{UUID: u.deps.IDs.New()}, id, terms, u.deps.IDs.Random(school.SecretBytes), u.deps.Clock.Now())
	if err != nil {
		return school.Key{}, "", err
	}
	return k, secret, u.deps.Schools.AddKey(ctx, k)
}

// Keys returns the school's keys, revoked ones too, oldest first.
func (u *Provision) Keys(ctx context.Context, id school.ID) ([]school.Key, error) {
	return u.deps.Schools.Keys(ctx, id)
}

// RevokeKey closes the key for good; every instance obeys within 5 seconds.
func (u *Provision) RevokeKey(ctx context.Context, id school.KeyID) error {
	return u.deps.Schools.RevokeKey(ctx, id, u.deps.Clock.Now())
}
