package app

import (
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/fault"
	"lyceum/domain/school"
)

// Load builds the school of b and returns it with the secrets of its keys, in
// their order. A blueprint with a fault is refused before anything is kept. The
// keys come last: a school that an outage left unfinished cannot be entered.
func (u *Provision) Load(ctx context.Context, b Blueprint) (school.State, []string, error) {
	now := u.clock.Now()
	s, errSchool := school.New(school.ID{UUID: u.id(b.School.ID)}, b.School.Name, b.School.Auth, at(b.School.CreatedAt, now))
	keys, secrets, errKeys := u.draftKeys(s.State().ID, b.Keys, now)
	errTokens := u.checkTokens(ctx, b)
	if errTokens != nil && !fault.IsRefusal(errTokens) {
		return school.State{}, nil, errTokens
	}
	d, errParts := u.draft(b, now)
	if err := fault.Join(fault.Within("school", errSchool), errKeys, errTokens, errParts); err != nil {
		return school.State{}, nil, err
	}
	if err := u.schools.Add(ctx, s); err != nil {
		return school.State{}, nil, err
	}
	if err := u.keep(ctx, s.State().ID, d); err != nil {
		return school.State{}, nil, err
	}
	for _, k := range keys {
		if err := u.schools.AddKey(ctx, k); err != nil {
			return school.State{}, nil, err
		}
	}
	return s.State(), secrets, nil
}

func (u *Provision) draftKeys(id school.ID, plans []KeyPlan, now time.Time) ([]school.Key, []string, error) {
	keys, secrets, errs := make([]school.Key, len(plans)), make([]string, len(plans)), make([]error, len(plans))
	for i, p := range plans {
		secrets[i] = p.Secret
		if p.Secret == "" {
			secrets[i] = school.Secret(u.ids.Random(school.SecretBytes))
		}
		terms := school.KeyTerms{Name: p.Name, Scope: p.Scope}
		if terms.Scope.IsZero() {
			terms.Scope = school.Admin
		}
		k, err := school.RestoreKey(school.KeyID{UUID: u.id(p.ID)}, id, terms, secrets[i], now)
		keys[i], errs[i] = k, fault.Within(element("keys", i), err)
	}
	return keys, secrets, fault.Join(errs...)
}

// id returns the planned id, or a new one where the plan has none.
func (u *Provision) id(planned uuid.UUID) uuid.UUID {
	if planned == uuid.Nil {
		return u.ids.New()
	}
	return planned
}

// at returns the planned time, or now where the plan has none.
func at(planned, now time.Time) time.Time {
	if planned.IsZero() {
		return now
	}
	return planned.UTC().Truncate(time.Millisecond)
}
