package webhooks

import (
	"context"
	"time"

	"lyceum/app/usecase"
	"lyceum/domain/change"
	"lyceum/domain/fault"
	"lyceum/domain/job"
	"lyceum/domain/query"
	"lyceum/domain/webhook"
	"lyceum/ports"
)

// Deliveries returns a page of the deliveries, newest first unless q has a sort.
func (u *Webhooks) Deliveries(ctx context.Context, a usecase.Actor, q query.Query) (query.Result[webhook.Delivery], error) {
	return u.deps.Read(a).WebhookDeliveries.List(ctx, q)
}

// Delivery returns the delivery with the given id, or NotFound if it does not exist.
func (u *Webhooks) Delivery(ctx context.Context, a usecase.Actor, id webhook.DeliveryID) (webhook.Delivery, error) {
	found, err := u.Deliveries(ctx, a, query.Query{
		Where: query.HasID(webhook.DeliverySchema.Attr("uuid"), id.UUID),
		Page:  query.NewPage(1, 1),
	})
	if err == nil && len(found.Items) == 0 {
		err = fault.RecordNotFound()
	}
	if err != nil {
		return webhook.Delivery{}, err
	}
	return found.Items[0], nil
}

// Ping queues a message without a change.
func (u *Webhooks) Ping(ctx context.Context, a usecase.Actor, id webhook.ID) (webhook.Delivery, error) {
	return u.queueOne(ctx, a, id, 0)
}

// ReplayDelivery queues the message of a delivery again.
func (u *Webhooks) ReplayDelivery(ctx context.Context, a usecase.Actor, id webhook.DeliveryID) error {
	d, err := u.Delivery(ctx, a, id)
	if err == nil {
		_, err = u.queueOne(ctx, a, d.Endpoint, d.Position)
	}
	return err
}

// queueOne queues a message about the change at a position, or a ping if it is 0.
func (u *Webhooks) queueOne(ctx context.Context, a usecase.Actor, id webhook.ID, position int64) (d webhook.Delivery, err error) {
	now := u.deps.Clock.Now()
	d = webhook.NewDelivery(webhook.DeliveryID{UUID: u.deps.IDs.New()}, id, position, now)
	err = u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		if err := mustBeEnabled(ctx, tx, id); err != nil {
			return err
		}
		if err := tx.Webhooks.Queue(ctx, []webhook.Delivery{d}); err != nil {
			return err
		}
		return u.schedule(ctx, tx, a, id, now)
	})
	return d, err
}

// Replay queues the messages about all changes after a position again, in the background. The
// position is the ID of a change, or a position of change.ParsePosition.
func (u *Webhooks) Replay(ctx context.Context, a usecase.Actor, id webhook.ID, after string) error {
	if _, err := u.Get(ctx, a, id); err != nil {
		return err
	}
	feed, err := u.deps.Read(a).Changes.Feed(ctx)
	if err != nil {
		return err
	}
	from, ok := feed.Parse(after)
	switch {
	case after == "":
		return fault.Blank("after")
	case !ok:
		return fault.Invalidf("after", "must be the id of a change, or a position of the change feed of this server")
	case from > feed.End:
		return fault.Invalidf("after", "is after the last change")
	case !feed.Holds(from):
		return fault.Invalidf("after", "is older than the changes that are kept")
	}
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		f := change.Follower{School: a.School(), Name: webhook.ReplayOf(id), Position: from, Until: max(feed.End, 1)}
		if err := tx.Followers.Add(ctx, f); err != nil {
			return err
		}
		return mustBeEnabled(ctx, tx, id)
	})
}

// mustBeEnabled returns a fault if the endpoint does not exist or is disabled.
func mustBeEnabled(ctx context.Context, tx ports.Tx, id webhook.ID) error {
	e, err := tx.Webhooks.GetForUpdate(ctx, id)
	if err == nil && !e.Enabled {
		err = fault.Forbiddenf("The endpoint is disabled")
	}
	return err
}

// schedule replaces the job of an endpoint with one that runs at the given time. A worker that runs
// the old job continues: it has claimed its deliveries.
func (u *Webhooks) schedule(ctx context.Context, tx ports.Tx, a usecase.Actor, id webhook.ID, at time.Time) error {
	if err := tx.Jobs.Delete(ctx, Kind, id.String()); err != nil {
		return err
	}
	j := job.New(job.ID{UUID: u.deps.IDs.New()}, a.School(), Kind, id.String(), u.deps.Clock.Now())
	j.RunAt = at
	return tx.Jobs.Add(ctx, j)
}
