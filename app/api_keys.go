package app

import (
	"context"
	"time"

	"lyceum/app/auth"
	"lyceum/app/usecase"
	"lyceum/domain/audit"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/ports"
)

// Keys manages the API keys of the actor's school.
type Keys struct {
	deps usecase.Deps
	auth *auth.Authenticator
}

// List returns a page of keys, including revoked and expired ones.
func (u *Keys) List(ctx context.Context, a Actor, q query.Query) (query.Result[school.Key], error) {
	return u.deps.Read(a).Keys.List(ctx, q)
}

// Get returns the key with the given id, or NotFound if it does not exist.
func (u *Keys) Get(ctx context.Context, a Actor, id school.KeyID) (school.Key, error) {
	return u.deps.Read(a).Keys.Get(ctx, id)
}

// Create adds a key and returns it with its secret, which is not stored. A key cannot create a key
// with a wider scope than its own, and none after it was revoked.
func (u *Keys) Create(ctx context.Context, a Actor, params school.KeyParams) (school.Key, string, error) {
	now := u.deps.Clock.Now()
	k, secret, err := u.newKey(a, params, now)
	if err != nil {
		return school.Key{}, "", err
	}
	err = u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		if err := usecase.AddKey(ctx, tx, k); err != nil {
			return err
		}
		return u.deps.CheckOwnKey(ctx, tx, a)
	})
	return k, secret, err
}

// Revoke revokes a key permanently, on every server within 5 seconds. On this server, the next
// request with the key is refused. Revoking a revoked key changes nothing. The last active key with
// the scope admin cannot be revoked.
func (u *Keys) Revoke(ctx context.Context, a Actor, id school.KeyID) error {
	now := u.deps.Clock.Now()
	var revoked school.Hash
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		keys, k, err := usecase.LockKey(ctx, tx, id)
		if err != nil {
			return err
		}
		revoked = k.Hash
		if k.RevokedAt != nil {
			return nil
		}
		if err := k.CheckRevocation(keys, now); err != nil {
			return err
		}
		k.Revoke(now)
		return usecase.SaveKey(ctx, tx, k, audit.Revoked)
	})
	if err == nil {
		u.auth.Evict(revoked)
	}
	return err
}

// Rotate adds a key that replaces the key id, and returns it with its secret. The old key stays
// valid for the overlap.
func (u *Keys) Rotate(
	ctx context.Context, a Actor, id school.KeyID, overlap time.Duration,
) (next school.Key, secret string, err error) {
	now := u.deps.Clock.Now()
	var old school.Hash
	err = u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		_, k, err := usecase.LockKey(ctx, tx, id)
		if err != nil {
			return err
		}
		params, err := k.Rotate(overlap, now)
		if err != nil {
			return err
		}
		if next, secret, err = u.newKey(a, params, now); err != nil {
			return err
		}
		// Before the key is changed, because it can be the actor's own.
		if err := u.deps.CheckOwnKey(ctx, tx, a); err != nil {
			return err
		}
		if err := usecase.SaveKey(ctx, tx, k, audit.Rotated); err != nil {
			return err
		}
		old = k.Hash
		return usecase.AddKey(ctx, tx, next)
	})
	if err == nil {
		u.auth.Evict(old)
	}
	return next, secret, err
}

// newKey returns a new, unsaved key and its secret.
func (u *Keys) newKey(a Actor, params school.KeyParams, now time.Time) (school.Key, string, error) {
	k, secret, err := school.NewKey(
		school.KeyID{UUID: u.deps.IDs.New()}, a.School(), params, u.deps.IDs.Random(school.SecretBytes), now)
	if err == nil {
		err = a.Require(k.Scope)
	}
	return k, secret, err
}
