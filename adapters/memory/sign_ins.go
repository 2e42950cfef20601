package memory

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/person"
	"lyceum/domain/signin"
	"lyceum/domain/token"
	"lyceum/ports"
)

var _ ports.SignInRepo = signIns{}

// signInTable contains the sessions and the sign-in links of a school.
type signInTable struct {
	sessions   ordered.Dict[signin.Hash, signin.Session]
	byPerson   ordered.Dict[uuid.UUID, []signin.Hash] // hashes of the sessions of a person; immutable
	links      ordered.Dict[uuid.UUID, signin.Link]
	linkHashes ordered.Dict[signin.Hash, uuid.UUID]
	byAddress  ordered.Dict[invitation.Address, []uuid.UUID] // links to an address; immutable
}

func compareTokens(a, b signin.Hash) int { return bytes.Compare(a[:], b[:]) }

func newSignInTable() *signInTable {
	return &signInTable{
		sessions:   ordered.NewDict[signin.Hash, signin.Session](compareTokens),
		byPerson:   ordered.NewDict[uuid.UUID, []signin.Hash](ordered.CompareIDs),
		links:      ordered.NewDict[uuid.UUID, signin.Link](ordered.CompareIDs),
		linkHashes: ordered.NewDict[signin.Hash, uuid.UUID](compareTokens),
		byAddress:  ordered.NewDict[invitation.Address, []uuid.UUID](compareAddresses),
	}
}

// Copy returns a copy of t that shares its records.
func (t *signInTable) Copy() *signInTable {
	return &signInTable{t.sessions.Copy(), t.byPerson.Copy(), t.links.Copy(), t.linkHashes.Copy(), t.byAddress.Copy()}
}

// sessionsOf returns the sessions of a person, newest first, then by id.
func (t *signInTable) sessionsOf(id uuid.UUID) (found []signin.Session) {
	hashes, _ := t.byPerson.Get(id)
	for _, h := range hashes {
		s, _ := t.sessions.Get(h)
		found = append(found, s)
	}
	slices.SortFunc(found, func(a, b signin.Session) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), ordered.CompareIDs(a.ID.UUID, b.ID.UUID))
	})
	return found
}

func (t *signInTable) removeSession(s signin.Session) {
	t.sessions.Remove(s.Hash)
	hashes, _ := t.byPerson.Get(s.Person.UUID)
	if hashes = without(hashes, s.Hash); len(hashes) > 0 {
		t.byPerson.Set(s.Person.UUID, hashes)
	} else {
		t.byPerson.Remove(s.Person.UUID)
	}
}

type signInReader struct{ view view }

// Session implements ports.SignInReader.
func (r signInReader) Session(ctx context.Context, h signin.Hash) (signin.Session, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return signin.Session{}, err
	}
	found, ok := s.signIns.table.sessions.Get(h)
	if !ok {
		return signin.Session{}, fault.RecordNotFound()
	}
	return found, nil
}

// Sessions implements ports.SignInReader.
func (r signInReader) Sessions(ctx context.Context, id person.ID) ([]signin.Session, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return nil, err
	}
	return s.signIns.table.sessionsOf(id.UUID), nil
}

type signIns struct {
	signInReader
	tx *tx
}

// AddSession implements ports.SignInRepo.
func (r signIns) AddSession(ctx context.Context, added signin.Session, max int) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	if !s.people.table.Has(added.Person.UUID) {
		return fmt.Errorf("memory: a session of the unknown person %s", added.Person)
	}
	if _, ok := s.signIns.table.sessions.Get(added.Hash); ok {
		return fmt.Errorf("memory: sessions: %w", ports.ErrExists)
	}
	t := s.signIns.writable(s.version)
	others := t.sessionsOf(added.Person.UUID)
	for _, old := range others[min(max-1, len(others)):] {
		t.removeSession(old)
	}
	hashes, _ := t.byPerson.Get(added.Person.UUID)
	t.byPerson.Set(added.Person.UUID, append(slices.Clip(hashes), added.Hash))
	t.sessions.Set(added.Hash, added)
	return nil
}

// SaveSession implements ports.SignInRepo.
func (r signIns) SaveSession(ctx context.Context, changed signin.Session) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	before, ok := s.signIns.table.sessions.Get(changed.Hash)
	if !ok || before.ID != changed.ID {
		return fault.RecordNotFound()
	}
	before.UsedAt, before.ExpiresAt = changed.UsedAt, changed.ExpiresAt
	s.signIns.writable(s.version).sessions.Set(changed.Hash, before)
	return nil
}

// DeleteSession implements ports.SignInRepo.
func (r signIns) DeleteSession(ctx context.Context, p person.ID, id signin.SessionID) error {
	return r.deleteSessions(ctx, p, func(s signin.Session) bool { return s.ID == id })
}

// DeleteSessions implements ports.SignInRepo.
func (r signIns) DeleteSessions(ctx context.Context, p person.ID) error {
	return r.deleteSessions(ctx, p, func(signin.Session) bool { return true })
}

func (r signIns) deleteSessions(ctx context.Context, p person.ID, chosen func(signin.Session) bool) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	for _, one := range s.signIns.table.sessionsOf(p.UUID) {
		if chosen(one) {
			s.signIns.writable(s.version).removeSession(one)
		}
	}
	return nil
}

// DeleteExpiredSignIns implements ports.Schools. It processes one school after another.
func (r schools) DeleteExpiredSignIns(ctx context.Context, before time.Time, limit int) (int, error) {
	sessions, links, expired := 0, 0, 0
	for t := range r.store.registry.Load().tenants.From(0) {
		oldSessions, oldLinks := t.state.Load().expiredSignIns(before, limit-sessions, limit-links)
		oldTokens := t.state.Load().expiredTokens(before, limit-expired)
		if len(oldSessions)+len(oldLinks)+len(oldTokens) == 0 {
			continue
		}
		err := r.store.inTenant(ctx, t, func(ctx context.Context, w *tx) error {
			s, err := w.current(ctx)
			if err != nil {
				return err
			}
			oldSessions, oldLinks = s.expiredSignIns(before, limit-sessions, limit-links)
			table := s.signIns.writable(s.version)
			for _, one := range oldSessions {
				table.removeSession(one)
			}
			for _, l := range oldLinks {
				table.removeLink(l)
			}
			oldTokens = s.expiredTokens(before, limit-expired)
			for _, old := range oldTokens {
				err := tokens{tx: w}.keep(ctx, old.Person, func(all []token.Token) []token.Token {
					return slices.DeleteFunc(all, func(t token.Token) bool { return t.ID == old.ID })
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return max(sessions, links, expired), err
		}
		sessions, links, expired = sessions+len(oldSessions), links+len(oldLinks), expired+len(oldTokens)
	}
	return max(sessions, links, expired), ordered.CheckContext(ctx)
}

// expiredTokens returns at most n tokens of learners that expired at or before the given time. It
// visits all tokens.
func (s *state) expiredTokens(before time.Time, n int) (expired []token.Token) {
	for t := range s.tokens.table.From(0) {
		if len(expired) < n && !t.ExpiresAt.After(before) {
			expired = append(expired, t)
		}
	}
	return expired
}

// expiredSignIns returns the sessions and links that expired at or before the given time, at most
// maxSessions and maxLinks. It visits all sessions and links.
func (s *state) expiredSignIns(before time.Time, maxSessions, maxLinks int) (sessions []signin.Session, links []signin.Link) {
	for one := range s.signIns.table.sessions.From(0) {
		if len(sessions) < maxSessions && !one.ExpiresAt.After(before) {
			sessions = append(sessions, one)
		}
	}
	for l := range s.signIns.table.links.From(0) {
		if len(links) < maxLinks && !l.ExpiresAt.After(before) {
			links = append(links, l)
		}
	}
	return sessions, links
}
