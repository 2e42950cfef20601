package storetest

import (
	"context"
	"math/rand/v2"

	"github.com/google/uuid"
	"lyceum/domain/replay"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit/fake"
)

// keyVerbs is the methods that keys and answers are kept with.
var keyVerbs = []verb{
	{port: "Keys", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs exhibit) (any, error) {
		return listed(ctx, r.Keys, func(k school.Key) bool { return k.ID == theirs.key.ID })
	}},
	{port: "Keys", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs exhibit) (any, error) {
		_, err := r.Keys.Get(ctx, theirs.key.ID)
		return nil, err
	}},
	{port: "Keys", method: "All", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs exhibit) (any, error) {
		all, err := tx.Keys.All(ctx)
		n := 0
		for _, k := range all {
			if k.ID == theirs.key.ID {
				n++
			}
		}
		return n, err
	}},
	{port: "Keys", method: "Add", foreign: refused, write: func(ctx context.Context, tx ports.Tx, _, theirs exhibit) (any, error) {
		k := theirs.key
		k.ID, k.Hash = school.KeyID{UUID: uuid.New()}, school.HashSecret(uuid.NewString())
		return nil, tx.Keys.Add(ctx, k)
	}},
	{port: "Keys", method: "Save", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs exhibit) (any, error) {
		k := theirs.key
		k.Name = "Changed"
		return nil, tx.Keys.Save(ctx, k)
	}},
	{port: "Replays", method: "Claim", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs exhibit) (any, error) {
		_, found, err := tx.Replays.Claim(ctx, theirs.claim)
		if !found {
			return nil, err
		}
		return found, err
	}},
	{port: "Replays", method: "Keep", foreign: refused, write: func(ctx context.Context, tx ports.Tx, _, theirs exhibit) (any, error) {
		return nil, tx.Replays.Keep(ctx, theirs.claim.ID, replay.Answer{Status: 200})
	}},
	{port: "Replays", method: "EraseOfPerson", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs exhibit) (any, error) {
		return nil, tx.Replays.EraseOfPerson(ctx, theirs.learner.ID)
	}},
	{port: "Replays", method: "Forget", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, _ exhibit) (any, error) {
		return result(tx.Replays.Forget(ctx, fake.Start, 10)) // nobody's is older
	}},
}

// writeKeys makes a key of each text. Ids and hashes are unique in the whole
// store, so chance has no part in them.
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
