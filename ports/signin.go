package ports

import (
	"context"
	"time"

	"lyceum/domain/invitation"
	"lyceum/domain/person"
	"lyceum/domain/signin"
)

// SignInReader reads sessions and sign-in links.
type SignInReader interface {
	// Session returns the session with the given hash, which may have expired, or NotFound if there
	// is none.
	Session(ctx context.Context, h signin.Hash) (signin.Session, error)

	// Sessions returns the sessions of a person, including expired ones, newest first, then by id.
	Sessions(ctx context.Context, id person.ID) ([]signin.Session, error)

	// Link returns the link with the given hash, which may have been used or have expired, or
	// NotFound if there is none.
	Link(ctx context.Context, h signin.Hash) (signin.Link, error)
}

// SignInRepo reads and writes sessions and sign-in links.
type SignInRepo interface {
	SignInReader

	// AddSession inserts a new session, and deletes the oldest other sessions of the person if
	// there are more than max. It does not wait for a session that another transaction deletes. It
	// returns an error if the person does not exist or if a session of the school has the same
	// hash.
	AddSession(ctx context.Context, s signin.Session, max int) error

	// SaveSession updates the use and the expiry of a session. It returns NotFound if the session
	// does not exist.
	SaveSession(ctx context.Context, s signin.Session) error

	// DeleteSession deletes a session of a person. It ignores a session that does not exist.
	DeleteSession(ctx context.Context, p person.ID, id signin.SessionID) error

	// DeleteSessions deletes all sessions of a person.
	DeleteSessions(ctx context.Context, p person.ID) error

	// AddLink inserts a new link. It returns ErrExists if a link of the school has the same hash.
	AddLink(ctx context.Context, l signin.Link) error

	// LinkForUpdate returns the link with the given id and locks it for update, or returns NotFound
	// if there is none.
	LinkForUpdate(ctx context.Context, id signin.LinkID) (signin.Link, error)

	// SaveLink updates the email address, the return path, the hash, the expiry and the use of a
	// link. It returns NotFound if the link does not exist.
	SaveLink(ctx context.Context, l signin.Link) error

	// Requests returns how many mailed links to an address were requested at the time since or
	// later, and when the latest of all mailed links to the address was requested; zero if there is
	// none. It counts links with ForKnown only if forKnown is true.
	Requests(ctx context.Context, a invitation.Address, since time.Time, forKnown bool) (n int, last time.Time, err error)

	// RevokeLinks revokes all links to an address at the given time (signin.Link.Revoke), so that
	// none of them is found or sent. Requests still counts them.
	RevokeLinks(ctx context.Context, a invitation.Address, at time.Time) error
}

// SignInSender delivers emails with sign-in links.
type SignInSender interface {
	// SendSignIn submits the message for delivery. It returns the same errors as
	// InvitationSender.Send.
	SendSignIn(ctx context.Context, m signin.Message) error
}
