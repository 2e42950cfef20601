package app

import (
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/ports"
)

// invitationLease is how long one delivery may take before another worker may
// take the letter over.
const invitationLease = 2 * time.Minute

// invitationRetry gives a mail server that is out of order about two days.
var invitationRetry = job.Retry{Attempts: 16, First: 30 * time.Second, Longest: 6 * time.Hour}

// Invitations delivers the letters that wait in the queue, at least once each.
type Invitations struct {
	deps
	queue   ports.Queue
	inviter ports.Inviter
}

// invite puts the letter to p into the queue, in the transaction that adds p.
func (d deps) invite(ctx context.Context, tx ports.Tx, s school.School, p person.Person, now time.Time) error {
	return d.inviteAll(ctx, tx, s, []person.ID{p.State().ID}, now)
}

// inviteAll is invite for many.
func (d deps) inviteAll(ctx context.Context, tx ports.Tx, s school.School, people []person.ID, now time.Time) error {
	if !invitation.Wanted(s) {
		return nil
	}
	letters := make([]job.Job, len(people))
	for i, id := range people {
		letters[i] = job.New(job.ID{UUID: d.ids.New()}, s.State().ID, invitation.Kind, id.String(), now)
	}
	return tx.Jobs.Add(ctx, letters...)
}

// DeliverNext sends the letter that is due longest and tells whether there was
// one. A letter that cannot be delivered is put off, or is dead when it never can
// be or was tried too often. An error says that the queue itself failed; the
// letter comes back when its lease ends.
func (u *Invitations) DeliverNext(ctx context.Context) (bool, error) {
	return u.next(ctx, trade{
		queue: u.queue, kind: invitation.Kind, lease: invitationLease, retry: invitationRetry,
		do: u.deliver, hopeless: refused,
	})
}

func (u *Invitations) deliver(ctx context.Context, j job.Job) error {
	id, err := uuid.Parse(j.Payload)
	if err != nil {
		return fault.Invalidf("payload", "is not the id of a person")
	}
	r := u.store.Read(j.School)
	s, err := r.School.Get(ctx)
	if err != nil {
		return err
	}
	p, err := r.People.Get(ctx, person.ID{UUID: id})
	if fault.Is(err, fault.NotFound) || err == nil && !invitation.Due(p.State) {
		return nil
	}
	if err != nil {
		return err
	}
	return u.inviter.Invite(ctx, invitation.Write(j.ID, s, p.State))
}
