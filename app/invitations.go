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

// finishTime is how long the note that a job is done may take.
const finishTime = 2 * time.Second

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
	now := u.clock.Now()
	jobs, err := u.queue.Lease(ctx, invitation.Kind, 1, now, now.Add(invitationLease))
	if err != nil || len(jobs) == 0 {
		return false, err
	}
	j := jobs[0]
	if j.Attempts > invitationRetry.Attempts {
		// Nobody lived to tell how it went; perhaps it is the letter that kills.
		return true, given(u.queue.Bury(ctx, j, "every worker that took it has died"))
	}
	return true, u.settle(ctx, j, u.deliver(ctx, j))
}

func (u *Invitations) deliver(ctx context.Context, j job.Job) error {
	id, err := uuid.Parse(j.Payload)
	if err != nil {
		return fault.Invalidf("payload", "is not the id of a person")
	}
	ctx, cancel := context.WithTimeout(ctx, invitationLease/2)
	defer cancel()
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

// settle gives the job back to the queue according to how it went.
func (u *Invitations) settle(ctx context.Context, j job.Job, failure error) error {
	if failure == nil {
		return finish(ctx, u.queue, j) // the letter is out, and must not go twice
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	next, again := invitationRetry.After(j.Attempts, u.spread(), u.clock.Now())
	if again && !fault.Is(failure, fault.Invalid) {
		return given(u.queue.Postpone(ctx, j, next, failure.Error()))
	}
	return given(u.queue.Bury(ctx, j, failure.Error()))
}

// finish tells the queue that j is done, also when ctx has just ended.
func finish(ctx context.Context, queue ports.Queue, j job.Job) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishTime)
	defer cancel()
	return given(queue.Finish(ctx, j))
}

// given returns the error of giving a job back. A lease that was lost is
// somebody else's business.
func given(err error) error {
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}

// spread returns a random number from 0 to 1.
func (d deps) spread() float64 { return float64(d.ids.Random(1)[0]) / 255 }
