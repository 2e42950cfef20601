package app

import (
	"context"
	"slices"
	"time"

	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/ports"
)

// Keys is what can be done with the keys that open the actor's own school.
type Keys struct{ deps usecase.Deps }

// List returns a page of keys, revoked and expired ones too.
func (u *Keys) List(ctx context.Context, a Actor, q query.Query) (query.Result[school.Key], error) {
	return u.deps.Store.Read(a.School()).Keys.List(ctx, q)
}

// Get returns one key.
func (u *Keys) Get(ctx context.Context, a Actor, id school.KeyID) (school.Key, error) {
	return u.deps.Store.Read(a.School()).Keys.Get(ctx, id)
}

// Create adds a key on those terms and returns its secret, which cannot be had
// again. Nobody makes a key that may do more than they.
func (u *Keys) Create(ctx context.Context, a Actor, terms school.KeyTerms) (school.Key, string, error) {
	k, secret, err := u.draft(a, terms, u.deps.Clock.Now())
	if err != nil {
		return school.Key{}, "", err
	}
	err = u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error { return tx.Keys.Add(ctx, k) })
	return k, secret, err
}

// Revoke closes the school to the key for good; every instance obeys within 5
// seconds. A second time changes nothing. The last key that may administer the
// school stays.
func (u *Keys) Revoke(ctx context.Context, a Actor, id school.KeyID) error {
	now := u.deps.Clock.Now()
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		keys, k, err := pick(ctx, tx, id)
		if err != nil {
			return err
		}
		if k.RevokedAt != nil {
			return nil
		}
		if err := k.CheckRevocation(keys, now); err != nil {
			return err
		}
		k.Revoke(now)
		return tx.Keys.Save(ctx, k)
	})
}

// Rotate makes a key that takes the place of another, which opens the school for
// the overlap still, and returns it with its secret.
func (u *Keys) Rotate(
	ctx context.Context, a Actor, id school.KeyID, overlap time.Duration,
) (next school.Key, secret string, err error) {
	now := u.deps.Clock.Now()
	err = u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		_, k, err := pick(ctx, tx, id)
		if err != nil {
			return err
		}
		terms, err := k.Succeed(overlap, now)
		if err != nil {
			return err
		}
		if next, secret, err = u.draft(a, terms, now); err != nil {
			return err
		}
		if err := tx.Keys.Save(ctx, k); err != nil {
			return err
		}
		return tx.Keys.Add(ctx, next)
	})
	return next, secret, err
}

// draft returns a new key that nobody has kept yet, and its secret.
func (u *Keys) draft(a Actor, terms school.KeyTerms, now time.Time) (school.Key, string, error) {
	k, secret, err := school.NewKey(
		school.KeyID{UUID: u.deps.IDs.New()}, a.School(), terms, u.deps.IDs.Random(school.SecretBytes), now)
	if err == nil {
		err = a.Require(k.Scope)
	}
	return k, secret, err
}

// pick locks the school's keys and returns all, and one of them.
func pick(ctx context.Context, tx ports.Tx, id school.KeyID) ([]school.Key, school.Key, error) {
	keys, err := tx.Keys.All(ctx)
	if err != nil {
		return nil, school.Key{}, err
	}
	i := slices.IndexFunc(keys, func(k school.Key) bool { return k.ID == id })
	if i < 0 {
		return nil, school.Key{}, fault.Missing()
	}
	return keys, keys[i], nil
}
