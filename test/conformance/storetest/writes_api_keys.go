package storetest

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/google/uuid"
	"lyceum/domain/idempotency"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit/fake"
)

// keyMethods contains the methods of ports.KeyReader, ports.KeyRepo and ports.IdempotencyRepo.
var keyMethods = []portMethod{
	{port: "Keys", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return listed(ctx, r.Keys, func(k school.Key) bool { return k.ID == theirs.key.ID })
	}},
	{port: "Keys", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		_, err := r.Keys.Get(ctx, theirs.key.ID)
		return nil, err
	}},
	{port: "Keys", method: "GetAllForUpdate", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		all, err := tx.Keys.GetAllForUpdate(ctx)
		n := 0
		for _, k := range all {
			if k.ID == theirs.key.ID {
				n++
			}
		}
		return n, err
	}},
	{port: "Keys", method: "GetForShare", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, second(tx.Keys.GetForShare(ctx, theirs.key.ID))
	}},
	{port: "Keys", method: "Add", foreign: refused, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		k := theirs.key
		k.ID, k.Hash = school.KeyID{UUID: uuid.New()}, school.HashSecret(uuid.NewString())
		return nil, tx.Keys.Add(ctx, k)
	}},
	{port: "Keys", method: "Save", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		k := theirs.key
		k.Name = "Changed"
		return nil, tx.Keys.Save(ctx, k)
	}},
	{port: "Idempotency", method: "Claim", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		_, found, err := tx.Idempotency.Claim(ctx, theirs.claim, expiry(theirs.claim))
		if !found {
			return nil, err
		}
		return found, err
	}},
	{port: "Idempotency", method: "SaveResponse", foreign: refused, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, tx.Idempotency.SaveResponse(ctx, theirs.claim.ID, idempotency.Response{Status: 200})
	}},
	{port: "Idempotency", method: "EraseByPerson", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, second(tx.Idempotency.EraseByPerson(ctx, theirs.learner.ID, math.MaxInt32))
	}},
	{port: "Idempotency", method: "DeleteExpired", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, _ fixture) (any, error) {
		return result(tx.Idempotency.DeleteExpired(ctx, fake.Start, 10)) // no response is older
	}},
}

// writeKeys adds a key for each text. IDs and hashes are not derived from rnd, because they must be
// unique in the whole store.
func writeKeys(s tenant, rnd *rand.Rand, texts []string) []school.Key {
	s.t.Helper()
	var rows []school.Key
	for _, name := range texts {
		k := s.newKey(0)
		k.Name, k.Scope, k.CreatedAt = name, pick(rnd, school.Scopes()), pick(rnd, moments)
		k.LastUsed, k.ExpiresAt, k.RevokedAt = maybe(rnd, moments), maybe(rnd, moments), maybe(rnd, moments)
		rows = append(rows, k)
	}
	s.do(func(ctx context.Context, tx ports.Tx) error {
		for _, k := range rows {
			if err := tx.Keys.Add(ctx, k); err != nil {
				return err
			}
		}
		return nil
	})
	return rows
}
