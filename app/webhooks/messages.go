package webhooks

import (
	"context"
	"sync"

	"lyceum/app/usecase"
	"lyceum/domain/change"
	"lyceum/domain/query"
	"lyceum/domain/webhook"
	"lyceum/ports"
)

// messages are the messages that one job sends to an endpoint.
type messages struct {
	*Webhooks
	actor    usecase.Actor
	endpoint webhook.Endpoint
	secrets  []string
	claimed  []webhook.Delivery

	mu      sync.Mutex       // guards results and the elements of claimed
	results []webhook.Result // in the order of the responses
}

// send sends the claimed messages. After a message without a response it starts no other, so that
// an endpoint that does not respond occupies a worker only for a short time. It also starts no other
// after the endpoint was deleted or disabled or its address was changed.
func (b *messages) send(ctx context.Context) {
	changes, err := b.changes(ctx)
	var senders sync.WaitGroup
	slots := make(chan struct{}, parallel)
	until := b.deps.Clock.Now().Add(batchTime)
	for i := range b.claimed {
		slots <- struct{}{}
		if err != nil || ctx.Err() != nil || b.unanswered() || !b.deps.Clock.Now().Before(until) || !b.isWanted(ctx) {
			b.release(i)
			<-slots
			continue
		}
		senders.Go(func() {
			defer func() { <-slots }()
			b.sendOne(ctx, i, changes)
		})
	}
	senders.Wait()
}

// changes returns the changes of the claimed deliveries by position.
func (b *messages) changes(ctx context.Context) (map[int64]change.Change, error) {
	var positions []query.Value
	for _, d := range b.claimed {
		positions = append(positions, query.Value{Int: d.Position})
	}
	if len(positions) == 0 {
		return nil, nil
	}
	found, err := b.deps.Read(b.actor).Changes.Page(ctx, query.Query{
		Where: query.Cond{Attr: change.Schema.Attr("uuid"), Op: query.Eq, Values: positions}, Page: query.AllRows(),
	})
	byPosition := map[int64]change.Change{}
	for _, c := range found.Items {
		byPosition[c.Position] = c
	}
	return byPosition, err
}

// sendOne sends the i-th message and updates its delivery.
func (b *messages) sendOne(ctx context.Context, i int, changes map[int64]change.Change) {
	d := b.claimed[i]
	body := ping
	if d.Position > 0 {
		c, ok := changes[d.Position]
		if !ok {
			d.GiveUp("The change is no longer kept")
			b.claimed[i] = d
			return
		}
		var err error
		if body, err = b.documents(ctx, b.actor, c); err != nil {
			d.Record(webhook.Result{Error: "The record could not be read"}, b.deps.Jitter(), b.deps.Clock.Now())
			b.claimed[i] = d
			return
		}
	}
	r := b.sender.Send(ctx, ports.WebhookMessage{
		School: b.actor.School(), ID: d.ID.String(), URL: b.endpoint.URL, Secrets: b.secrets, At: b.deps.Clock.Now(), Body: body,
	})
	if ctx.Err() != nil && !r.Succeeded() { // the server stops
		b.release(i)
		return
	}
	d.Record(r, b.deps.Jitter(), b.deps.Clock.Now())
	b.mu.Lock()
	defer b.mu.Unlock()
	b.claimed[i], b.results = d, append(b.results, r)
}

// isWanted reports whether the endpoint still wants messages at the same address.
func (b *messages) isWanted(ctx context.Context) bool {
	e, err := b.deps.Read(b.actor).Webhooks.Get(ctx, b.endpoint.ID)
	return err == nil && e.Enabled && e.URL == b.endpoint.URL
}

// unanswered reports whether a message got no response.
func (b *messages) unanswered() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, r := range b.results {
		if r.Status == 0 {
			return true
		}
	}
	return false
}

// release ends the claim of the i-th message.
func (b *messages) release(i int) {
	now := b.deps.Clock.Now()
	b.claimed[i].NextAttemptAt = &now
}
