package teaching

import (
	"context"
	"time"

	"lyceum/app/usecase"
	"lyceum/domain/query"
	"lyceum/domain/school"
)

// Keys returns a page of the API keys, including revoked and expired ones.
func (t *Teaching) Keys(ctx context.Context, s Staff, q query.Query) (query.Result[school.Key], error) {
	a, err := s.owner()
	if err != nil {
		return query.Result[school.Key]{}, err
	}
	return t.app.Keys.List(ctx, a, q)
}

// Key returns the API key with the given ID.
func (t *Teaching) Key(ctx context.Context, s Staff, id school.KeyID) (school.Key, error) {
	a, err := s.owner()
	if err != nil {
		return school.Key{}, err
	}
	return t.app.Keys.Get(ctx, a, id)
}

// CreateKey adds an API key and returns it with its secret. It returns Conflict if the form was
// processed before.
func (t *Teaching) CreateKey(ctx context.Context, s Staff, f Form, p school.KeyParams) (made school.Key, secret string, err error) {
	a, err := s.owner()
	if err != nil {
		return school.Key{}, "", err
	}
	err = t.onlyOnce(ctx, a, f, func(ctx context.Context, a usecase.Actor) (err error) {
		made, secret, err = t.app.Keys.Create(ctx, a, p)
		return err
	})
	return made, secret, err
}

// RotateKey replaces an API key and returns the new one with its secret. It returns Conflict if the
// form was processed before.
func (t *Teaching) RotateKey(
	ctx context.Context, s Staff, f Form, id school.KeyID, overlap time.Duration,
) (made school.Key, secret string, err error) {
	a, err := s.owner()
	if err != nil {
		return school.Key{}, "", err
	}
	err = t.onlyOnce(ctx, a, f, func(ctx context.Context, a usecase.Actor) (err error) {
		made, secret, err = t.app.Keys.Rotate(ctx, a, id, overlap)
		return err
	})
	return made, secret, err
}

// RevokeKey revokes an API key.
func (t *Teaching) RevokeKey(ctx context.Context, s Staff, id school.KeyID) error {
	a, err := s.owner()
	if err != nil {
		return err
	}
	return t.app.Keys.Revoke(ctx, a, id)
}
