package app

import (
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/ports"
)

// invitationLease is how long one delivery may take before another worker may
// take the letter over.
const invitationLease = 2 * time.Minute

// invitationRetry gives a mail server that is out of order about two days.
var invitationRetry = job.Retry{Attempts: 16, First: 30 * time.Second, Longest: 6 * time.Hour}

// Invitations delivers the letters that wait in the queue, at least once each,
// and lets people accept what they say.
type Invitations struct {
	deps     usecase.Deps
	queue    ports.Queue
	inviter  ports.Inviter
	lifetime time.Duration // of links
	limits   invitation.Limits
}

// HoldFor says how long links hold that are sent from now on. It is called before
// anything is delivered.
func (u *Invitations) HoldFor(lifetime time.Duration) { u.lifetime = lifetime }

// Limit sets the limits for the messages that are sent from now on. It is called
// before anything is delivered.
func (u *Invitations) Limit(l invitation.Limits) { u.limits = l }

// DeliverNext sends the letter that is due longest and tells whether there was
// one. A letter that cannot be delivered is put off, or is dead when it never can
// be or was tried too often. An error says that the queue itself failed; the
// letter comes back when its lease ends.
func (u *Invitations) DeliverNext(ctx context.Context) (bool, error) {
	return next(ctx, u.deps, trade{
		queue: u.queue, kind: invitation.Kind, lease: invitationLease, retry: invitationRetry,
		do: u.deliver, hopeless: refused,
	})
}

func (u *Invitations) deliver(ctx context.Context, j job.Job) error {
	id, err := uuid.Parse(j.Payload)
	if err != nil {
		return fault.Invalidf("payload", "is not the id of a person")
	}
	l, due, err := u.write(ctx, j, person.ID{UUID: id})
	if err != nil || !due {
		return err
	}
	return u.inviter.Invite(ctx, l)
}

// write returns the letter of j to a person, whose link holds from now on, unless
// nobody waits for it any more. The token is in no store, only its hash is.
func (u *Invitations) write(ctx context.Context, j job.Job, to person.ID) (l invitation.Letter, due bool, err error) {
	token, now := u.deps.NewToken(), u.deps.Clock.Now()
	var held *heldError
	err = u.deps.InTx(ctx, System(j.School), func(ctx context.Context, tx ports.Tx) error {
		due, held = false, nil
		p, err := tx.People.Find(ctx, to)
		if fault.Is(err, fault.NotFound) || err == nil && !invitation.Due(p.State()) {
			return nil
		}
		if err != nil {
			return err
		}
		i, err := invitationOf(ctx, tx, j, to)
		if err != nil || i.Letter != j.ID { // a later letter has taken its place
			return err
		}
		s, err := tx.School.Get(ctx)
		if err != nil {
			return err
		}
		if held, err = u.claim(ctx, tx, invitation.Delivery{
			Address: invitation.HashAddress(j.School, p.State().Email), Letter: j.ID, At: now,
		}); err != nil || held != nil {
			return err
		}
		l, due = invitation.Write(j.ID, s, p.State(), token), true
		return tx.Invitations.AddLink(ctx, invitation.Link{
			School: j.School, Hash: invitation.HashToken(token), Person: to, Letter: j.ID,
			CreatedAt: now, ExpiresAt: now.Add(u.lifetime),
		})
	})
	if err == nil && held != nil {
		return invitation.Letter{}, false, held
	}
	return l, due, err
}

// invitationOf returns the invitation of a person. A letter that was written
// before invitations were kept is put in its place.
func invitationOf(ctx context.Context, tx ports.Tx, j job.Job, of person.ID) (invitation.Invitation, error) {
	i, err := tx.Invitations.Get(ctx, of)
	if !fault.Is(err, fault.NotFound) {
		return i, err
	}
	i = invitation.Invitation{Person: of, Letter: j.ID, AskedAt: j.CreatedAt}
	return i, tx.Invitations.Put(ctx, []invitation.Invitation{i})
}
