package auth

import (
	"context"
	"slices"
	"time"

	"lyceum/app/usecase"
	"lyceum/domain/audit"
	"lyceum/domain/change"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/domain/signin"
	"lyceum/ports"
)

// Visitor returns the person of the session with the token, or Unauthenticated if there is no such
// session or it has expired. It extends the session.
func (u *SignIns) Visitor(ctx context.Context, s school.State, token string) (Visitor, error) {
	r, now := u.deps.Store.Read(s.ID), u.deps.Clock.Now()
	session, err := r.SignIns.Session(ctx, signin.HashToken(token))
	if fault.Is(err, fault.NotFound) || err == nil && !session.Active(now) {
		return Visitor{}, fault.BadCredentials()
	}
	if err != nil {
		return Visitor{}, err
	}
	p, err := r.People.Get(ctx, session.Person)
	if fault.Is(err, fault.NotFound) { // deleted since the session was read
		return Visitor{}, fault.BadCredentials()
	}
	if err != nil {
		return Visitor{}, err
	}
	u.recordUse(ctx, s.ID, &session, now)
	return Visitor{School: s, Person: p, Session: session, Actor: usecase.BySession(s.ID, session).WithSlug(s.Slug)}, nil
}

// recordUse extends a session. It ignores errors, because reads must work while the database is
// read-only. A session that was ended concurrently stays ended.
func (u *SignIns) recordUse(ctx context.Context, s school.ID, session *signin.Session, now time.Time) {
	if !session.Use(now) {
		return
	}
	limited, cancel := context.WithTimeout(ctx, touchTimeout)
	defer cancel()
	_ = u.deps.InTx(limited, usecase.SystemActor(s), func(ctx context.Context, tx ports.Tx) error {
		return tx.SignIns.SaveSession(ctx, *session)
	})
}

// Sessions returns the active sessions of a person, newest first.
func (u *SignIns) Sessions(ctx context.Context, s school.ID, id person.ID) ([]signin.Session, error) {
	all, err := u.deps.Store.Read(s).SignIns.Sessions(ctx, id)
	var active []signin.Session
	for _, one := range all {
		if one.Active(u.deps.Clock.Now()) {
			active = append(active, one)
		}
	}
	return active, err
}

// End ends a session of the visitor. It ignores a session that does not exist.
func (u *SignIns) End(ctx context.Context, v Visitor, id signin.SessionID) error {
	return u.deps.InTx(ctx, v.Actor.Permit(), func(ctx context.Context, tx ports.Tx) error {
		all, err := tx.SignIns.Sessions(ctx, v.Person.ID)
		if err != nil || !slices.ContainsFunc(all, func(s signin.Session) bool { return s.ID == id }) {
			return err
		}
		if err := tx.SignIns.DeleteSession(ctx, v.Person.ID, id); err != nil {
			return err
		}
		return tx.Audit.Add(ctx, audit.SignedOut, sessionRecord(id))
	})
}

// EndAll ends all sessions of the visitor.
func (u *SignIns) EndAll(ctx context.Context, v Visitor) error {
	return u.deps.InTx(ctx, v.Actor.Permit(), func(ctx context.Context, tx ports.Tx) error {
		if err := tx.SignIns.DeleteSessions(ctx, v.Person.ID); err != nil {
			return err
		}
		return tx.Audit.Add(ctx, audit.SignedOut, change.Record{Type: person.Type, ID: v.Person.ID.String()})
	})
}

// signInRetention is how long expired sessions and links are kept. A server whose clock is slow
// must still recognize an entry link that was already used.
const signInRetention = time.Hour

// Sweep deletes the oldest expired sessions, links and learner tokens of all schools and reports
// whether there may be more.
func (u *SignIns) Sweep(ctx context.Context) (bool, error) {
	const batch = 1000
	n, err := u.deps.Schools.DeleteExpiredSignIns(ctx, u.deps.Clock.Now().Add(-signInRetention), batch)
	return n == batch, err
}
