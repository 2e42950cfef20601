package methods

import (
	"context"
	"time"

	"lyceum/domain/invitation"
	"lyceum/domain/signin"
	"lyceum/domain/token"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// invitationMethods contains the methods of ports.InvitationReader and ports.InvitationRepo.
var invitationMethods = []portMethod{
	{port: "Invitations", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return result(r.Invitations.Get(ctx, theirs.Invitation.Person))
	}},
	{port: "Invitations", method: "Upsert", foreign: refused, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.Invitations.Upsert(ctx, []invitation.Invitation{theirs.Invitation})
	}},
	{port: "Invitations", method: "AddLink", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		l := theirs.Link
		l.School, l.Hash = ours.School, invitation.HashToken(ours.School.String()+theirs.IDs.New().String())
		return nil, tx.Invitations.AddLink(ctx, l)
	}},
	{port: "Invitations", method: "Link", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return result(tx.Invitations.Link(ctx, theirs.Link.Hash))
	}},
	{port: "Invitations", method: "ExpireLinks", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.Invitations.ExpireLinks(ctx, theirs.Invitation.Person, theirs.Link.ExpiresAt.Add(-time.Second))
	}},
	{port: "Invitations", method: "DeleteByPerson", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.Invitations.DeleteByPerson(ctx, theirs.Invitation.Person)
	}},
}

// numberOf returns the number of elements of v.
func numberOf[T any](v []T, err error) (any, error) { return len(v), err }

// signInMethods contains the methods of ports.SignInReader and ports.SignInRepo.
var signInMethods = []portMethod{
	{port: "SignIns", method: "Session", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return result(r.SignIns.Session(ctx, theirs.Session.Hash))
	}},
	{port: "SignIns", method: "Sessions", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return numberOf(r.SignIns.Sessions(ctx, theirs.Session.Person))
	}},
	{port: "SignIns", method: "Link", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return result(r.SignIns.Link(ctx, theirs.SignInLink.Hash))
	}},
	{port: "SignIns", method: "AddSession", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		s := theirs.Session
		s.ID, s.Hash = signin.SessionID{UUID: theirs.IDs.New()}, signin.HashToken(ours.School.String()+theirs.IDs.New().String())
		return nil, tx.SignIns.AddSession(ctx, s, signin.MaxSessions)
	}},
	{port: "SignIns", method: "SaveSession", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		s := theirs.Session
		s.UsedAt = s.UsedAt.Add(time.Hour)
		return nil, tx.SignIns.SaveSession(ctx, s)
	}},
	{port: "SignIns", method: "DeleteSession", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.SignIns.DeleteSession(ctx, theirs.Session.Person, theirs.Session.ID)
	}},
	{port: "SignIns", method: "DeleteSessions", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.SignIns.DeleteSessions(ctx, theirs.Session.Person)
	}},
	// A link does not refer to a person, so this school can add a link to the same address.
	{port: "SignIns", method: "AddLink", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		l := theirs.SignInLink
		l.ID, l.Address, l.Hash = signin.LinkID{UUID: theirs.IDs.New()}, invitation.HashAddress(ours.School, l.Email), signin.Hash{}
		return nil, tx.SignIns.AddLink(ctx, l)
	}},
	{port: "SignIns", method: "LinkForUpdate", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return result(tx.SignIns.LinkForUpdate(ctx, theirs.SignInLink.ID))
	}},
	{port: "SignIns", method: "SaveLink", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		l := theirs.SignInLink
		l.Use(l.CreatedAt)
		return nil, tx.SignIns.SaveLink(ctx, l)
	}},
	{port: "SignIns", method: "Requests", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		n, at, err := tx.SignIns.Requests(ctx, theirs.SignInLink.Address, time.Time{}, true)
		if n == 0 && at.IsZero() {
			return nil, err
		}
		return at, err
	}},
	{port: "SignIns", method: "RevokeLinks", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.SignIns.RevokeLinks(ctx, theirs.SignInLink.Address, theirs.SignInLink.CreatedAt)
	}},
}

// tokenMethods contains the methods of ports.TokenReader and ports.TokenRepo.
var tokenMethods = []portMethod{
	{port: "Tokens", method: "ByHash", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		_, _, err := r.Tokens.ByHash(ctx, theirs.Token.Hash)
		return nil, err
	}},
	{port: "Tokens", method: "Add", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		t := theirs.Token
		t.School, t.Hash = ours.School, token.HashSecret(ours.School.String()+theirs.IDs.New().String())
		return nil, tx.Tokens.Add(ctx, t)
	}},
	{port: "Tokens", method: "Prune", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.Tokens.Prune(ctx, theirs.Token.Person, theirs.Token.CreatedAt, 0)
	}},
	{port: "Tokens", method: "DeleteByPerson", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.Tokens.DeleteByPerson(ctx, theirs.Token.Person)
	}},
}
