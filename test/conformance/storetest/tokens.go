package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/person"
	"lyceum/domain/token"
	"lyceum/ports"
)

// newToken returns a token of the person without saving it. It expires an hour after its creation.
func (s tenant) newToken(p person.ID) token.Token {
	id, at := s.ids.New(), s.nextTime()
	return token.Token{
		ID: token.ID{UUID: id}, School: s.id, Person: p, Hash: token.HashSecret(s.id.String() + id.String()),
		CreatedAt: at, ExpiresAt: at.Add(time.Hour),
	}
}

// addTokens adds the tokens, each in its own transaction.
func (s tenant) addTokens(all ...token.Token) {
	s.t.Helper()
	for _, t := range all {
		s.do(func(ctx context.Context, tx ports.Tx) error { return tx.Tokens.Add(ctx, t) })
	}
}

// hasTokens reports for each token whether it exists.
func (s tenant) hasTokens(all ...token.Token) []bool {
	s.t.Helper()
	has := make([]bool, len(all))
	for i, t := range all {
		_, _, err := s.read().Tokens.ByHash(s.ctx(), t.Hash)
		if has[i] = err == nil; err != nil && !isNotFound(err) {
			s.t.Fatal(err)
		}
	}
	return has
}

// tokens tests ports.TokenReader and ports.TokenRepo.
func tokens(t *testing.T, b Backend) {
	t.Run("ByHash returns the token and the school, NotFound for an unknown hash and in another school", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		want := w.newToken(w.addPerson("ada@example.test").ID)
		w.addTokens(want)
		got, owner, err := w.read().Tokens.ByHash(w.ctx(), want.Hash)
		is.NoErr(err)
		is.Equal(diff(got, want), "")
		is.Equal(owner.State().ID, w.id)
		_, _, err = w.read().Tokens.ByHash(w.ctx(), token.HashSecret("other"))
		is.True(isNotFound(err))
		_, _, err = w.otherTenant.read().Tokens.ByHash(w.ctx(), want.Hash)
		is.True(isNotFound(err))
	})

	t.Run("Add returns an error for an unknown person, another school and a hash that is used", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada := w.addPerson("ada@example.test")
		used := w.newToken(ada.ID)
		w.addTokens(used)
		again, elsewhere := w.newToken(ada.ID), w.newToken(ada.ID)
		again.Hash, elsewhere.School = used.Hash, w.otherTenant.id
		for _, wrong := range []token.Token{w.newToken(person.ID{UUID: w.ids.New()}), again, elsewhere} {
			is.True(w.try(func(ctx context.Context, tx ports.Tx) error { return tx.Tokens.Add(ctx, wrong) }) != nil)
		}
	})

	t.Run("Prune deletes expired tokens and all but the newest others of the person", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, grace := w.addPerson("ada@example.test"), w.addPerson("grace@example.test")
		all := []token.Token{w.newToken(ada.ID), w.newToken(ada.ID), w.newToken(ada.ID), w.newToken(ada.ID), w.newToken(grace.ID)}
		now := all[3].CreatedAt
		all[3].ExpiresAt = now
		w.addTokens(all...)
		w.do(func(ctx context.Context, tx ports.Tx) error { return tx.Tokens.Prune(ctx, ada.ID, now, 2) })
		is.Equal(w.hasTokens(all...), []bool{false, true, true, false, true})
	})

	t.Run("People.Delete returns an error while a person has tokens", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada := w.addPerson("ada@example.test")
		w.addTokens(w.newToken(ada.ID))
		is.True(w.tryDeletePerson(ada.ID) != nil)
		w.do(func(ctx context.Context, tx ports.Tx) error { return tx.Tokens.DeleteByPerson(ctx, ada.ID) })
		is.NoErr(w.tryDeletePerson(ada.ID))
	})

	t.Run("DeleteByPerson deletes all tokens of the person", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, grace := w.addPerson("ada@example.test"), w.addPerson("grace@example.test")
		all := []token.Token{w.newToken(ada.ID), w.newToken(ada.ID), w.newToken(grace.ID)}
		w.addTokens(all...)
		w.do(func(ctx context.Context, tx ports.Tx) error { return tx.Tokens.DeleteByPerson(ctx, ada.ID) })
		is.Equal(w.hasTokens(all...), []bool{false, false, true})
	})
}

// tokenMethods contains the methods of ports.TokenReader and ports.TokenRepo.
var tokenMethods = []portMethod{
	{port: "Tokens", method: "ByHash", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		_, _, err := r.Tokens.ByHash(ctx, theirs.token.Hash)
		return nil, err
	}},
	{port: "Tokens", method: "Add", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		t := theirs.token
		t.School, t.Hash = ours.school, token.HashSecret(ours.school.String()+theirs.ids.New().String())
		return nil, tx.Tokens.Add(ctx, t)
	}},
	{port: "Tokens", method: "Prune", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, tx.Tokens.Prune(ctx, theirs.token.Person, theirs.token.CreatedAt, 0)
	}},
	{port: "Tokens", method: "DeleteByPerson", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, tx.Tokens.DeleteByPerson(ctx, theirs.token.Person)
	}},
}
