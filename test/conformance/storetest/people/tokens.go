package people

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/person"
	"lyceum/domain/token"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// hasTokens reports for each token whether it exists.
func hasTokens(s fixture.Tenant, all ...token.Token) []bool {
	s.T.Helper()
	has := make([]bool, len(all))
	for i, t := range all {
		_, _, err := s.Read().Tokens.ByHash(s.Context(), t.Hash)
		if has[i] = err == nil; err != nil && !fixture.IsNotFound(err) {
			s.T.Fatal(err)
		}
	}
	return has
}

// Tokens tests ports.TokenReader and ports.TokenRepo.
func Tokens(t *testing.T, b fixture.Backend) {
	t.Run("ByHash returns the token and the school, NotFound for an unknown hash and in another school", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		want := w.NewToken(w.AddPerson("ada@example.test").ID)
		w.AddTokens(want)
		got, owner, err := w.Read().Tokens.ByHash(w.Context(), want.Hash)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, want), "")
		is.Equal(owner.State().ID, w.ID)
		_, _, err = w.Read().Tokens.ByHash(w.Context(), token.HashSecret("other"))
		is.True(fixture.IsNotFound(err))
		_, _, err = w.OtherTenant.Read().Tokens.ByHash(w.Context(), want.Hash)
		is.True(fixture.IsNotFound(err))
	})

	t.Run("Add returns an error for an unknown person, another school and a hash that is used", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada := w.AddPerson("ada@example.test")
		used := w.NewToken(ada.ID)
		w.AddTokens(used)
		again, elsewhere := w.NewToken(ada.ID), w.NewToken(ada.ID)
		again.Hash, elsewhere.School = used.Hash, w.OtherTenant.ID
		for _, wrong := range []token.Token{w.NewToken(person.ID{UUID: w.IDs.New()}), again, elsewhere} {
			is.True(w.Try(func(ctx context.Context, tx ports.Tx) error { return tx.Tokens.Add(ctx, wrong) }) != nil)
		}
	})

	t.Run("Prune deletes expired tokens and all but the newest others of the person", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, grace := w.AddPerson("ada@example.test"), w.AddPerson("grace@example.test")
		all := []token.Token{w.NewToken(ada.ID), w.NewToken(ada.ID), w.NewToken(ada.ID), w.NewToken(ada.ID), w.NewToken(grace.ID)}
		now := all[3].CreatedAt
		all[3].ExpiresAt = now
		w.AddTokens(all...)
		w.Do(func(ctx context.Context, tx ports.Tx) error { return tx.Tokens.Prune(ctx, ada.ID, now, 2) })
		is.Equal(hasTokens(w.Tenant, all...), []bool{false, true, true, false, true})
	})

	t.Run("People.Delete returns an error while a person has tokens", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada := w.AddPerson("ada@example.test")
		w.AddTokens(w.NewToken(ada.ID))
		is.True(w.TryDeletePerson(ada.ID) != nil)
		w.Do(func(ctx context.Context, tx ports.Tx) error { return tx.Tokens.DeleteByPerson(ctx, ada.ID) })
		is.NoErr(w.TryDeletePerson(ada.ID))
	})

	t.Run("DeleteByPerson deletes all tokens of the person", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, grace := w.AddPerson("ada@example.test"), w.AddPerson("grace@example.test")
		all := []token.Token{w.NewToken(ada.ID), w.NewToken(ada.ID), w.NewToken(grace.ID)}
		w.AddTokens(all...)
		w.Do(func(ctx context.Context, tx ports.Tx) error { return tx.Tokens.DeleteByPerson(ctx, ada.ID) })
		is.Equal(hasTokens(w.Tenant, all...), []bool{false, false, true})
	})
}
