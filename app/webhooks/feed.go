package webhooks

import (
	"context"
	"slices"

	"lyceum/app/follow"
	"lyceum/app/usecase"
	"lyceum/domain/change"
	"lyceum/domain/query"
	"lyceum/domain/webhook"
	"lyceum/ports"
)

// maxDue is the number of due messages from which an endpoint has no room. Changes would otherwise
// be queued for each endpoint of a school much faster than they are sent.
const maxDue = 1000

// receivers are the endpoints that receive changes of a page.
type receivers struct {
	*Webhooks
	follower change.Follower
	page     []change.Change
	all      []webhook.Endpoint
	full     map[webhook.ID]bool // endpoints without room
}

// queueChanges is the follow.Handler that queues the deliveries of changes: of webhook.Feed to all
// endpoints, otherwise to one.
func (u *Webhooks) queueChanges(
	ctx context.Context, f change.Follower, page []change.Change,
) (func(ctx context.Context, tx ports.Tx) error, error) {
	r := receivers{Webhooks: u, follower: f, page: page, full: map[webhook.ID]bool{}}
	reader := u.deps.Read(usecase.SystemActor(f.School))
	endpoints, err := reader.Webhooks.List(ctx, query.Query{Page: query.AllRows()})
	if err != nil {
		return nil, err
	}
	for _, e := range endpoints.Items {
		if !r.receives(e) {
			continue
		}
		due, err := reader.Webhooks.CountDue(ctx, e.ID, u.deps.Clock.Now(), maxDue)
		if err != nil {
			return nil, err
		}
		r.full[e.ID] = due == maxDue
		if r.full[e.ID] && f.Name != webhook.Feed {
			return nil, follow.ErrFull
		}
		r.all = append(r.all, e)
	}
	if len(r.all) == 0 {
		return nil, nil
	}
	return r.queue, nil
}

// receives reports whether the follower queues a delivery of at least one change to e.
func (r *receivers) receives(e webhook.Endpoint) bool {
	if !slices.Contains([]string{webhook.Feed, webhook.ReplayOf(e.ID), webhook.BacklogOf(e.ID)}, r.follower.Name) {
		return false
	}
	return slices.ContainsFunc(r.page, func(c change.Change) bool { return e.Wants(c.Record.Type) })
}

// queue queues the deliveries to the endpoints that have room, and leaves those to the other
// endpoints to a backlog.
func (r *receivers) queue(ctx context.Context, tx ports.Tx) error {
	waiting, err := r.leave(ctx, tx)
	if err != nil {
		return err
	}
	now := r.deps.Clock.Now()
	var added []webhook.Delivery
	var takers []webhook.Endpoint // in the same order in all transactions
	for _, e := range r.all {
		if waiting[e.ID] {
			continue
		}
		takers = append(takers, e)
		for _, c := range r.page {
			if e.Wants(c.Record.Type) {
				added = append(added, webhook.NewDelivery(webhook.DeliveryID{UUID: r.deps.IDs.New()}, e.ID, c.Position, now))
			}
		}
	}
	if len(added) == 0 {
		return nil
	}
	if err := tx.Webhooks.Queue(ctx, added); err != nil {
		return err
	}
	for _, e := range takers {
		if err := r.schedule(ctx, tx, usecase.SystemActor(r.follower.School), e.ID, e.Health.Resume(now)); err != nil {
			return err
		}
	}
	return nil
}

// leave adds the page to the backlogs of the endpoints that have one or have no room, and returns
// these endpoints. A backlog that has ended at the same time begins again with this page.
func (r *receivers) leave(ctx context.Context, tx ports.Tx) (waiting map[webhook.ID]bool, err error) {
	if r.follower.Name != webhook.Feed {
		return nil, nil
	}
	names := make([]string, len(r.all))
	for i, e := range r.all {
		names[i] = webhook.BacklogOf(e.ID)
	}
	end := r.page[len(r.page)-1].Position
	extended, err := tx.Followers.Extend(ctx, names, end)
	if err != nil {
		return nil, err
	}
	waiting = map[webhook.ID]bool{}
	for i, e := range r.all {
		has := slices.Contains(extended, names[i])
		waiting[e.ID] = has || r.full[e.ID]
		if has || !r.full[e.ID] {
			continue
		}
		f := change.Follower{School: r.follower.School, Name: names[i], Position: r.follower.Position, Until: end}
		if err := tx.Followers.Add(ctx, f); err != nil {
			return nil, err
		}
	}
	return waiting, nil
}
