package webhooks

import (
	"context"
	"reflect"
	"time"

	"lyceum/app/jobs"
	"lyceum/app/usecase"
	"lyceum/domain/audit"
	"lyceum/domain/fault"
	"lyceum/domain/job"
	"lyceum/domain/text"
	"lyceum/domain/webhook"
	"lyceum/ports"
)

const (
	// Kind is the kind of the jobs that send the due messages of an endpoint; the payload is the ID
	// of the endpoint.
	Kind job.Kind = "webhook"

	// lease is twice the maximum duration of a batch. It is also the duration of a claim.
	lease = time.Minute
	// batch is the maximum number of messages that a job sends, and parallel how many of them it
	// sends at the same time. A batch that gets no response takes lease/2 at most.
	batch    = 32
	parallel = 8
	// batchTime is the time after which a job begins no further message, so that a receiver that
	// responds slowly does not hold a worker for long.
	batchTime = 2 * time.Second
	// saveTimeout is the maximum duration of the transaction that saves results. It also runs after
	// the server was asked to stop, so that messages are not sent again.
	saveTimeout = 5 * time.Second

	// trimBatch is how many deliveries of an endpoint are deleted at a time if it has more than
	// webhook.MaxKept. That happens after one of 256 batches, because finding the oldest one to keep
	// reads as many index entries. It is more than 256 batches can send.
	trimBatch = 300 * batch

	// sweepBatch is how many expired deliveries are deleted at a time.
	sweepBatch = 1000
)

// retry is the policy after an outage of the store. Failed deliveries are no failures of a job.
var retry = job.RetryPolicy{MaxAttempts: 1 << 30, InitialDelay: time.Second, MaxDelay: time.Minute}

// ping is the body of a message without a change.
var ping = []byte(`{"meta":{"ping":true}}`)

// DeliverNext sends the due messages of the endpoint whose job has been due longest. It reports
// whether there was a job, like jobs.Handler.RunNext.
func (u *Webhooks) DeliverNext(ctx context.Context) (bool, error) {
	return jobs.Handler{Queue: u.queue, Kind: Kind, Lease: lease, Retry: retry, Handle: u.deliver}.RunNext(ctx, u.deps)
}

// deliver sends the due messages of the endpoint of a job, each at least once: if the server crashes
// before it has saved the results, the messages are sent again when the claim ends.
func (u *Webhooks) deliver(ctx context.Context, j job.Job) error {
	id, _ := text.UUID(j.Payload)
	b, err := u.claim(ctx, usecase.SystemActor(j.School), webhook.ID{UUID: id})
	if fault.Is(err, fault.NotFound) { // the endpoint was deleted
		return nil
	}
	if err != nil {
		return err
	}
	if b.endpoint.Enabled {
		b.send(ctx)
	} else {
		for i := range b.claimed {
			b.claimed[i].GiveUp("The endpoint is disabled")
		}
	}
	ctx, cancel := context.WithTimeout(ports.WithLockTimeout(context.WithoutCancel(ctx), saveTimeout), saveTimeout)
	defer cancel()
	return u.save(ctx, b)
}

// claim claims the due deliveries of an endpoint or, if it is disabled, all.
func (u *Webhooks) claim(ctx context.Context, a usecase.Actor, id webhook.ID) (*messages, error) {
	s, err := u.deps.Read(a).School.Get(ctx)
	if err != nil {
		return nil, err
	}
	now := u.deps.Clock.Now()
	b := &messages{Webhooks: u, actor: a.WithSlug(s.State().Slug)}
	err = u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		if b.endpoint, err = tx.Webhooks.GetForUpdate(ctx, id); err != nil {
			return err
		}
		due := now
		if !b.endpoint.Enabled {
			due = now.Add(2 * webhook.Period)
		} else if b.secrets, err = u.secrets(a.School(), b.endpoint, now); err != nil {
			return err
		}
		b.claimed, err = tx.Webhooks.Claim(ctx, id, batch, due, now.Add(lease))
		return err
	})
	return b, err
}

// save saves the results of a batch and schedules the next one.
func (u *Webhooks) save(ctx context.Context, b *messages) error {
	id, now := b.endpoint.ID, u.deps.Clock.Now()
	return u.deps.InTx(ctx, b.actor, func(ctx context.Context, tx ports.Tx) error {
		e, err := tx.Webhooks.GetForUpdate(ctx, id)
		if fault.Is(err, fault.NotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		before := e
		e.Secret.DropOld(now)
		for _, r := range b.results {
			if e.Enabled {
				e.Record(r, u.deps.Jitter(), now)
			}
		}
		switch {
		case before.Enabled && !e.Enabled:
			err = save(ctx, tx, e, audit.Updated)
		case !reflect.DeepEqual(before, e):
			err = tx.Webhooks.Save(ctx, e)
		}
		if err != nil {
			return err
		}
		next, err := tx.Webhooks.Finish(ctx, id, b.claimed)
		if err == nil && u.deps.IDs.Random(1)[0] == 0 {
			err = tx.Webhooks.Trim(ctx, id, webhook.MaxKept, trimBatch)
		}
		if err != nil || next == nil {
			return err
		}
		at := e.Health.Resume(*next)
		if !e.Enabled {
			at = now
		}
		return u.schedule(ctx, tx, b.actor, id, at)
	})
}

// Retention is how long deliveries are kept if the operator configures no other time.
const Retention = 30 * 24 * time.Hour

// KeepFor sets how long deliveries are kept; 0: until their endpoint is deleted. It must be called
// before Sweep.
func (u *Webhooks) KeepFor(d time.Duration) { u.retention = d }

// Sweep deletes the oldest deliveries of all schools whose retention is over, and reports whether
// there may be more.
func (u *Webhooks) Sweep(ctx context.Context) (bool, error) {
	if u.retention == 0 {
		return false, nil
	}
	n, err := u.deps.Schools.DeleteExpiredWebhookDeliveries(ctx, u.deps.Clock.Now().Add(-u.retention), sweepBatch)
	return n == sweepBatch, err
}
