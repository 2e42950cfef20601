package jobs

import (
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/ports"
)

// invitationLease is twice the maximum duration of a delivery.
const invitationLease = 2 * time.Minute

// invitationRetry retries for about two days, so that emails survive shorter outages of the mail
// server.
var invitationRetry = job.RetryPolicy{MaxAttempts: 16, InitialDelay: 30 * time.Second, MaxDelay: 6 * time.Hour}

// InvitationDelivery sends invitation emails, each at least once.
type InvitationDelivery struct {
	deps     usecase.Deps
	queue    ports.Queue
	sender   ports.InvitationSender
	lifetime time.Duration // lifetime of links
	limits   invitation.Limits
}

// NewInvitationDelivery returns an InvitationDelivery with the default lifetime of links and the
// default limits.
func NewInvitationDelivery(d usecase.Deps, queue ports.Queue, sender ports.InvitationSender) *InvitationDelivery {
	return &InvitationDelivery{
		deps: d, queue: queue, sender: sender,
		lifetime: invitation.LinkLifetime, limits: invitation.Limits{PerDay: invitation.MessagesPerDay},
	}
}

// SetLinkLifetime sets the lifetime of new invitation links. It must be called before the first
// delivery.
func (u *InvitationDelivery) SetLinkLifetime(lifetime time.Duration) { u.lifetime = lifetime }

// Limit sets the limits of each school. It must be called before the first delivery.
func (u *InvitationDelivery) Limit(l invitation.Limits) { u.limits = l }

// DeliverNext sends the invitation email whose job has been due longest. It reports whether there
// was a job, like Handler.RunNext.
func (u *InvitationDelivery) DeliverNext(ctx context.Context) (bool, error) {
	return Handler{
		Queue: u.queue, Kind: invitation.Kind, Lease: invitationLease, Retry: invitationRetry,
		Handle: u.deliver, IsPermanent: isInvalid,
	}.RunNext(ctx, u.deps)
}

func (u *InvitationDelivery) deliver(ctx context.Context, j job.Job) error {
	id, err := uuid.Parse(j.Payload)
	if err != nil {
		return fault.Invalidf("payload", "is not the id of a person")
	}
	m, needed, err := u.write(ctx, j, person.ID{UUID: id})
	if err != nil || !needed {
		return err
	}
	return u.sender.Send(ctx, m)
}

// write returns the invitation email of j to a person, with a new link, and reports whether it is
// still needed. Only the hash of the link's token is stored.
func (u *InvitationDelivery) write(
	ctx context.Context, j job.Job, to person.ID,
) (m invitation.Message, needed bool, err error) {
	token, now := u.deps.NewToken(), u.deps.Clock.Now()
	var held *HeldError
	err = u.deps.InTx(ctx, usecase.SystemActor(j.School), func(ctx context.Context, tx ports.Tx) error {
		needed, held = false, nil
		p, err := tx.People.GetForUpdate(ctx, to)
		if fault.Is(err, fault.NotFound) || err == nil && !invitation.StillNeeded(p.State()) {
			return nil
		}
		if err != nil {
			return err
		}
		i, err := tx.Invitations.Get(ctx, to)
		if err != nil || i.MessageID != j.ID { // a later email has replaced this one
			return err
		}
		s, err := tx.School.Get(ctx)
		if err != nil {
			return err
		}
		if held, err = u.claim(ctx, tx, s, u.limits, invitation.Delivery{
			Address: invitation.HashAddress(j.School, p.State().Email), MessageID: j.ID, At: now,
		}); err != nil || held != nil {
			return err
		}
		m, needed = invitation.NewMessage(j.ID, s, p.State(), token, now.Add(u.lifetime)), true
		return tx.Invitations.AddLink(ctx, invitation.Link{
			School: j.School, Hash: invitation.HashToken(token), Person: to, MessageID: j.ID,
			CreatedAt: now, ExpiresAt: now.Add(u.lifetime),
		})
	})
	if err == nil && held != nil {
		return invitation.Message{}, false, held
	}
	return m, needed, err
}

// suspensionPause is how long emails of a suspended school are held back before the school is
// checked again.
const suspensionPause = 10 * time.Minute

// claim counts the delivery d against limits of the school s, or returns why it is held back. It
// locks the school's counter, so that deliveries of one school run one after another on all
// servers.
func (u *InvitationDelivery) claim(
	ctx context.Context, tx ports.Tx, s school.School, limits invitation.Limits, d invitation.Delivery,
) (*HeldError, error) {
	if s.CheckActive() != nil {
		return &HeldError{job.Hold{Until: d.At.Add(suspensionPause), Cause: "held: the school is suspended"}}, nil
	}
	day, err := tx.Deliveries.GetDayForUpdate(ctx)
	if err != nil {
		return nil, err
	}
	last, err := tx.Deliveries.Last(ctx, d.Address)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return nil, err
	}
	if d.Retries(last) {
		return nil, nil
	}
	day, hold := limits.Claim(d, last, day)
	if hold != nil {
		return &HeldError{*hold}, nil
	}
	return nil, tx.Deliveries.Save(ctx, day, d)
}

const sweepBatch = 1000

// Sweep deletes the oldest expired deliveries of all schools and reports whether there may be more.
func (u *InvitationDelivery) Sweep(ctx context.Context) (bool, error) {
	n, err := u.deps.Schools.DeleteExpiredDeliveries(ctx, u.deps.Clock.Now().Add(-invitation.DeliveryLifetime), sweepBatch)
	return n == sweepBatch, err
}
