package memory

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"lyceum/adapters/memory/ordered"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/domain/token"
	"lyceum/ports"
)

var (
	_ ports.TokenReader = tokenReader{}
	_ ports.TokenRepo   = tokens{}
)

func compareLearnerTokens(a, b token.Hash) int { return bytes.Compare(a[:], b[:]) }

type tokenReader struct{ view view }

// ByHash implements ports.TokenReader.
func (r tokenReader) ByHash(ctx context.Context, h token.Hash) (token.Token, school.School, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return token.Token{}, school.School{}, err
	}
	t, ok := s.tokens.table.Get(h)
	if !ok {
		return token.Token{}, school.School{}, fault.RecordNotFound()
	}
	return t, s.school, nil
}

type tokens struct {
	tokenReader
	tx *tx
}

// Add implements ports.TokenRepo.
func (r tokens) Add(ctx context.Context, t token.Token) error {
	s, err := r.tx.current(ctx)
	switch {
	case err != nil:
		return err
	case t.School != s.school.State().ID:
		return fmt.Errorf("memory: token %s belongs to a different school than the transaction", t.ID)
	case !s.people.table.Has(t.Person.UUID):
		return fmt.Errorf("memory: a token of the unknown person %s", t.Person)
	}
	if _, used := s.tokens.table.Get(t.Hash); used {
		return fmt.Errorf("memory: duplicate hash of a token")
	}
	of, _ := s.personTokens.table.Get(t.Person.UUID)
	s.tokens.writable(s.version).Set(t.Hash, t)
	s.personTokens.writable(s.version).Set(t.Person.UUID, append(slices.Clip(of), t.Hash))
	return nil
}

// Prune implements ports.TokenRepo.
func (r tokens) Prune(ctx context.Context, p person.ID, now time.Time, keep int) error {
	return r.keep(ctx, p, func(all []token.Token) []token.Token {
		all = slices.DeleteFunc(all, func(t token.Token) bool { return !t.Active(now) })
		slices.SortFunc(all, func(a, b token.Token) int {
			if c := a.CreatedAt.Compare(b.CreatedAt); c != 0 {
				return c
			}
			return ordered.CompareIDs(a.ID.UUID, b.ID.UUID)
		})
		return all[max(len(all)-keep, 0):]
	})
}

// DeleteByPerson implements ports.TokenRepo.
func (r tokens) DeleteByPerson(ctx context.Context, p person.ID) error {
	return r.keep(ctx, p, func([]token.Token) []token.Token { return nil })
}

// keep calls kept with all tokens of p and deletes the tokens that kept does not return.
func (r tokens) keep(ctx context.Context, p person.ID, kept func(all []token.Token) []token.Token) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	hashes, ok := s.personTokens.table.Get(p.UUID)
	if !ok {
		return nil
	}
	table := s.tokens.writable(s.version)
	var all []token.Token
	for _, h := range hashes {
		t, _ := table.Get(h)
		all = append(all, t)
		table.Remove(h)
	}
	var left []token.Hash
	for _, t := range kept(all) {
		table.Set(t.Hash, t)
		left = append(left, t.Hash)
	}
	if left == nil {
		s.personTokens.writable(s.version).Remove(p.UUID)
	} else {
		s.personTokens.writable(s.version).Set(p.UUID, left)
	}
	return nil
}
