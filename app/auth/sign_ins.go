package auth

import (
	"context"
	"encoding/hex"
	"time"

	"lyceum/app/usecase"
	"lyceum/domain/audit"
	"lyceum/domain/change"
	"lyceum/domain/fault"
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/domain/signin"
	"lyceum/domain/text"
	"lyceum/ports"
)

// sessionTokenBytes is the number of random bytes in the token of a session.
const sessionTokenBytes = 32

// SignIns signs people in to the academy of their school, and manages their sessions.
type SignIns struct {
	deps      usecase.Deps
	providers ports.IdentityProviders // nil: no person can sign in at a provider
}

// NewSignIns returns the use cases with d.
func NewSignIns(d usecase.Deps) *SignIns { return &SignIns{deps: d} }

// Visitor is a person who is signed in.
type Visitor struct {
	School  school.State
	Person  person.Summary
	Session signin.Session
	Actor   usecase.Actor
}

// SignedIn is the result of a sign-in.
type SignedIn struct {
	Token  string // of the new session, for the cookie
	Return string // path in the academy to which the person returns; blank: the start page
}

// School returns the school with the given slug, NotFound if there is none, and Forbidden if it is
// suspended.
func (u *SignIns) School(ctx context.Context, slug string) (school.State, error) {
	if !school.IsSlug(slug) {
		return school.State{}, fault.RecordNotFound()
	}
	s, err := u.deps.Schools.BySlug(ctx, slug)
	if err == nil {
		err = s.CheckActive()
	}
	return s.State(), err
}

// OnlySchool returns the school if the server has exactly one, otherwise NotFound.
func (u *SignIns) OnlySchool(ctx context.Context) (school.State, error) {
	s, err := u.deps.Schools.Only(ctx)
	return s.State(), err
}

// Request enqueues an email with a sign-in link to an address. The result does not reveal whether
// the address belongs to a person: a job checks that later. Requests for the same address have no
// effect if they exceed the limits of signin.MayRequest. If forKnown is true, no email is sent unless
// a person has the address, even if the school is open to everyone; such a request has no effect on
// the limits of others, because it may send nothing. Request returns Forbidden if the people of the
// school do not sign in by email.
func (u *SignIns) Request(ctx context.Context, s school.State, email, returnTo string, forKnown bool) error {
	if !s.Auth.SignsInByEmail() {
		return fault.Forbiddenf("People of this school do not sign in by email")
	}
	now := u.deps.Clock.Now()
	l, err := signin.NewLink(signin.LinkID{UUID: u.deps.IDs.New()}, s.ID, email, returnTo, now)
	if err != nil {
		return err
	}
	l.Mailed, l.ForKnown = true, forKnown
	delivery := job.New(job.ID{UUID: u.deps.IDs.New()}, s.ID, signin.Kind, l.ID.String(), now)
	return u.deps.InTx(ctx, usecase.SystemActor(s.ID), func(ctx context.Context, tx ports.Tx) error {
		// Concurrent requests wait for each other here, so that each counts the ones before it.
		if _, err := tx.Deliveries.GetDayForUpdate(ctx); err != nil {
			return err
		}
		lately, last, err := tx.SignIns.Requests(ctx, l.Address, now.Add(-time.Hour), forKnown)
		if err != nil || !signin.MayRequest(lately, last, now) {
			return err
		}
		if err := tx.SignIns.AddLink(ctx, l); err != nil {
			return err
		}
		return tx.Jobs.Add(ctx, delivery)
	})
}

// CreateLink returns the token of a new sign-in link for the person with the given address, for the
// operator. It sends no email.
func (u *SignIns) CreateLink(ctx context.Context, s school.ID, email string) (string, error) {
	return u.createLink(ctx, usecase.SystemActor(s), email, func(context.Context, ports.Tx, person.ID) error { return nil })
}

// CreateLinkBy is like CreateLink, for an actor. It returns the error of a check that refuses the
// partnerships of the person. A role that the person gets at the same time either is among them or
// ends the link.
func (u *SignIns) CreateLinkBy(
	ctx context.Context, a usecase.Actor, email string, check func([]person.Partnership) error,
) (string, error) {
	return u.createLink(ctx, a, email, func(ctx context.Context, tx ports.Tx, id person.ID) error {
		held, err := tx.Partnerships.ByPerson(ctx, id)
		if err != nil {
			return err
		}
		return check(held)
	})
}

// createLink adds a link, unless check refuses the person who has the address.
func (u *SignIns) createLink(
	ctx context.Context, a usecase.Actor, email string, check func(context.Context, ports.Tx, person.ID) error,
) (string, error) {
	now, token := u.deps.Clock.Now(), u.deps.NewToken()
	l, err := signin.NewLink(signin.LinkID{UUID: u.deps.IDs.New()}, a.School(), email, "", now)
	if err != nil {
		return "", fault.OnField("person", err)
	}
	l.Send(token, now)
	return token, u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		p, known, err := usecase.LockPerson(ctx, tx, email)
		if err == nil && !known {
			err = fault.Invalidf("person", "no person has the address %q", email)
		}
		if err != nil {
			return err
		}
		if err := check(ctx, tx, p.ID); err != nil {
			return err
		}
		l.Email = p.Email
		if err := tx.SignIns.AddLink(ctx, l); err != nil {
			return err
		}
		return tx.Audit.Add(ctx, audit.Created, change.Record{Type: signin.LinkType, ID: l.ID.String()})
	})
}

// CreateLinkOfInvited is like CreateLink, but for a person who has just accepted an invitation, on
// whose behalf the audit trail records the link. It returns Forbidden if the people of the school do
// not sign in by email: they sign in at another system.
func (u *SignIns) CreateLinkOfInvited(ctx context.Context, s school.ID, p person.Summary) (string, error) {
	found, err := u.deps.Store.Read(s).School.Get(ctx)
	if err != nil {
		return "", err
	}
	if !found.State().Auth.SignsInByEmail() {
		return "", fault.Forbiddenf("People of this school do not sign in by email")
	}
	o := ports.OriginOf(ctx)
	o.Actor = audit.Actor{Type: audit.Invitation, Person: p.ID}
	isSame := func(_ context.Context, _ ports.Tx, id person.ID) error {
		if id != p.ID { // who got the address since
			return fault.RecordNotFound()
		}
		return nil
	}
	return u.createLink(ports.WithOrigin(ctx, o), usecase.SystemActor(s), p.Email, isSame)
}

// Link returns the link with the token. It returns NotFound for an unknown token and Gone for a
// link that can no longer be used. It changes nothing, because mail programs open links before
// people do.
func (u *SignIns) Link(ctx context.Context, s school.State, token string) (signin.Link, error) {
	if text.Token("", token) != nil {
		return signin.Link{}, fault.RecordNotFound()
	}
	l, err := u.deps.Store.Read(s.ID).SignIns.Link(ctx, signin.HashToken(token))
	if err == nil {
		err = l.CheckUsable(u.deps.Clock.Now())
	}
	return l, err
}

// UseLink uses the link with the token and begins a session of its person. In a school with open
// authentication it adds a person if none has the link's address. A person who was invited is
// activated, because the link proves the address like an invitation. UseLink returns the errors of
// Link, Forbidden if the school is suspended, and faults of rules. Of concurrent calls with one
// token, one succeeds.
func (u *SignIns) UseLink(ctx context.Context, s school.State, token, device string) (SignedIn, error) {
	found, err := u.Link(ctx, s, token)
	if err != nil {
		return SignedIn{}, err
	}
	now, made := u.deps.Clock.Now(), u.newSession()
	err = u.deps.InTx(ctx, usecase.SystemActor(s.ID), func(ctx context.Context, tx ports.Tx) error {
		s, err := u.lockSchool(ctx, tx, found.Email)
		if err != nil {
			return err
		}
		l, err := tx.SignIns.LinkForUpdate(ctx, found.ID)
		if err == nil {
			err = l.CheckUsable(now)
		}
		if err == nil && l.Mailed && !s.Auth.SignsInByEmail() { // the school has changed its authentication since
			err = signin.Unusable()
		}
		if err != nil {
			return err
		}
		id, err := u.admit(ctx, tx, s, person.Profile{Email: l.Email}, s.Auth == school.Open, made, now)
		if err != nil {
			return err
		}
		l.Use(now)
		if err := tx.SignIns.SaveLink(ctx, l); err != nil {
			return err
		}
		return made.begin(ctx, tx, id, device, now)
	})
	return SignedIn{Token: made.token, Return: found.Return}, err
}

// newSession contains the ID and the token of a session that is not saved yet. They are generated
// outside the transaction, which may run more than once.
type newSession struct {
	id    signin.SessionID
	token string
}

func (u *SignIns) newSession() newSession {
	return newSession{signin.SessionID{UUID: u.deps.IDs.New()}, hex.EncodeToString(u.deps.IDs.Random(sessionTokenBytes))}
}

// actor returns the person of the session, for the audit trail.
func (n newSession) actor(id person.ID) audit.Actor {
	return audit.Actor{Type: audit.Session, ID: n.id.UUID, Person: id}
}

// begin saves the session.
func (n newSession) begin(ctx context.Context, tx ports.Tx, id person.ID, device string, now time.Time) error {
	if err := tx.SignIns.AddSession(ctx, signin.NewSession(n.id, n.token, id, device, now), signin.MaxSessions); err != nil {
		return err
	}
	return tx.Audit.Add(ctx, audit.SignedIn, sessionRecord(n.id))
}

func sessionRecord(id signin.SessionID) change.Record {
	return change.Record{Type: signin.SessionType, ID: id.String()}
}
