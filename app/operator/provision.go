package operator

import (
	"context"
	"strings"

	"lyceum/app/usecase"
	"lyceum/domain/audit"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/domain/text"
	"lyceum/ports"
)

// Provision manages schools and their API keys for the operator. Only the command line uses it;
// requests do not.
type Provision struct {
	deps  usecase.Deps
	files ports.Files
}

// NewProvision returns the use cases with d. files stores the submitted files of all schools;
// DeleteSchool needs it.
func NewProvision(d usecase.Deps, files ports.Files) *Provision {
	return &Provision{deps: d, files: files}
}

// CreateSchool adds a school. It returns a fault if another school has the name. If ownerEmail is
// not blank, it also adds a person with that address as the owner.
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
	if err := fault.Join(fault.InPath("school", errSchool), fault.OnField("owner", errOwner)); err != nil {
		return school.State{}, err
	}
	if err := u.deps.SetFreeSlug(ctx, &made, ""); err != nil {
		return school.State{}, err
	}
	err := u.deps.Store.LoadNewSchool(ctx, made, func(ctx context.Context, l ports.LoadTx) error {
		// LoadNewSchool runs calls for the same name one after another, so the name stays free.
		if err := u.checkNameIsFree(ctx, made.State().Name, made.State().ID); err != nil {
			return err
		}
		if err := l.Tx().Audit.Add(ctx, audit.Created, usecase.SchoolRecord(made.State().ID)); err != nil {
			return err
		}
		return l.Add(ctx, b)
	})
	return made.State(), err
}

// Schools returns all schools.
func (u *Provision) Schools(ctx context.Context) ([]school.School, error) {
	return u.deps.Schools.List(ctx)
}

// School returns the school ref, which is an ID or an exact name. It returns Invalid if no school
// or several schools match. A UUID is always an ID, never a name.
func (u *Provision) School(ctx context.Context, ref string) (school.School, error) {
	all, err := u.deps.Schools.List(ctx)
	if err != nil {
		return school.School{}, err
	}
	id, isID := text.UUID(ref)
	var found []school.School
	var ids []string
	for _, s := range all {
		st := s.State()
		if isID && st.ID.UUID == id || !isID && st.Name == ref {
			found, ids = append(found, s), append(ids, st.ID.String())
		}
	}
	switch len(found) {
	case 0:
		return school.School{}, fault.Invalidf("school", "no school matches %q", ref)
	case 1:
		return found[0], nil
	}
	return school.School{}, fault.Invalidf("school", "%d schools are named %q; use the id: %s",
		len(found), ref, strings.Join(ids, ", "))
}

// CreateKey adds a key to the school and returns it with its secret, which is not stored.
func (u *Provision) CreateKey(ctx context.Context, id school.ID, params school.KeyParams) (school.Key, string, error) {
	k, secret, err := school.NewKey(
		school.KeyID{UUID: u.deps.IDs.New()}, id, params, u.deps.IDs.Random(school.SecretBytes), u.deps.Clock.Now())
	if err != nil {
		return school.Key{}, "", err
	}
	err = u.deps.InTx(ctx, usecase.SystemActor(id), func(ctx context.Context, tx ports.Tx) error { return usecase.AddKey(ctx, tx, k) })
	if err != nil {
		return school.Key{}, "", err
	}
	return k, secret, nil
}

// Keys returns the school's keys, including revoked ones, oldest first.
func (u *Provision) Keys(ctx context.Context, id school.ID) ([]school.Key, error) {
	return u.deps.Schools.ListKeys(ctx, id)
}

// RevokeKey revokes a key permanently, on every server within 5 seconds.
func (u *Provision) RevokeKey(ctx context.Context, id school.KeyID) error {
	owner, err := u.deps.Schools.OwnerOfKey(ctx, id)
	if err != nil {
		return err
	}
	now := u.deps.Clock.Now()
	return u.deps.InTx(ctx, usecase.SystemActor(owner), func(ctx context.Context, tx ports.Tx) error {
		_, k, err := usecase.LockKey(ctx, tx, id)
		if err != nil || k.RevokedAt != nil {
			return err
		}
		k.Revoke(now)
		return usecase.SaveKey(ctx, tx, k, audit.Revoked)
	})
}
