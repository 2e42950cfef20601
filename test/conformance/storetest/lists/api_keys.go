package lists

import (
	"context"
	"math/rand/v2"

	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// writeKeys adds a key for each text. IDs and hashes are not derived from rnd, because they must be
// unique in the whole store.
func writeKeys(s fixture.Tenant, rnd *rand.Rand, texts []string) []school.Key {
	s.T.Helper()
	var rows []school.Key
	for _, name := range texts {
		k := s.NewKey(0)
		k.Name, k.Scope, k.CreatedAt = name, fixture.Pick(rnd, school.Scopes()), fixture.Pick(rnd, moments)
		k.LastUsed, k.ExpiresAt, k.RevokedAt = maybe(rnd, moments), maybe(rnd, moments), maybe(rnd, moments)
		rows = append(rows, k)
	}
	s.Do(func(ctx context.Context, tx ports.Tx) error {
		for _, k := range rows {
			if err := tx.Keys.Add(ctx, k); err != nil {
				return err
			}
		}
		return nil
	})
	return rows
}
