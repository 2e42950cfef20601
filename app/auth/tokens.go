package auth

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/audit"
	"lyceum/domain/change"
	"lyceum/domain/person"
	"lyceum/domain/token"
	"lyceum/ports"
)

// Tokens creates and deletes the tokens with which people act as learners.
type Tokens struct{ deps usecase.Deps }

// NewTokens returns the use cases with d.
func NewTokens(d usecase.Deps) *Tokens { return &Tokens{deps: d} }

// Create adds a token of the person p and returns it with its secret, which is not stored. It
// deletes the person's expired tokens, and the oldest ones if there would be more than
// token.MaxPerPerson.
func (u *Tokens) Create(ctx context.Context, a usecase.Actor, p person.ID, expiry token.Expiry) (token.Token, string, error) {
	now := u.deps.Clock.Now()
	made, secret, errToken := token.New(
		token.ID{UUID: u.deps.IDs.New()}, a.School(), p, expiry, u.deps.IDs.Random(token.SecretBytes), now)
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.People.GetForUpdate(ctx, p); err != nil {
			return err
		}
		if errToken != nil { // only now, because an unknown person is reported first
			return errToken
		}
		if err := tx.Tokens.Prune(ctx, p, now, token.MaxPerPerson-1); err != nil {
			return err
		}
		if err := tx.Tokens.Add(ctx, made); err != nil {
			return err
		}
		if err := tx.Audit.Add(ctx, audit.Created, change.Record{Type: token.Type, ID: made.ID.String()}); err != nil {
			return err
		}
		return u.deps.CheckOwnKey(ctx, tx, a)
	})
	return made, secret, err
}

// DeleteAll deletes all tokens of the person p. Every server rejects them at once.
func (u *Tokens) DeleteAll(ctx context.Context, a usecase.Actor, p person.ID) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.People.GetForUpdate(ctx, p); err != nil {
			return err
		}
		if err := tx.Tokens.DeleteByPerson(ctx, p); err != nil {
			return err
		}
		return tx.Audit.Add(ctx, audit.Revoked, change.Record{Type: person.Type, ID: p.String()})
	})
}
