package storetest

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/query"
	"lyceum/domain/webhook"
	"lyceum/ports"
)

var (
	webhookCase = &listCase[webhook.Endpoint]{
		name:   "Webhooks",
		schema: webhook.Schema.With("link", "https://lyceum.test/webhooks/", "url", ".html"),
		of:     func(r ports.Reader) ports.Lister[webhook.Endpoint] { return r.Webhooks },
		ids:    func(row webhook.Endpoint) []uuid.UUID { return []uuid.UUID{row.ID.UUID} },
		write:  writeWebhooks,
	}
	webhookDeliveryCase = &listCase[webhook.Delivery]{
		name:    "WebhookDeliveries",
		schema:  webhook.DeliverySchema.With("link", "https://lyceum.test/deliveries/", "status", ".html"),
		of:      func(r ports.Reader) ports.Lister[webhook.Delivery] { return r.WebhookDeliveries },
		outside: true,
		ids:     func(row webhook.Delivery) []uuid.UUID { return []uuid.UUID{row.ID.UUID, row.Endpoint.UUID} },
		words:   []string{"PEND", "failed"},
		write:   writeWebhookDeliveries,
	}
)

// newEndpoint returns an endpoint without saving it.
func (s tenant) newEndpoint(url string) webhook.Endpoint {
	at := s.nextTime()
	return webhook.Endpoint{
		ID: webhook.ID{UUID: s.ids.New()}, URL: url, Types: []string{"courses", "people"}, Description: "About " + url, Enabled: true,
		Disabled: "none", Secret: webhook.Secret{Current: "new", Old: "old", OldUntil: &at},
		Health:    webhook.Health{FailingSince: &at, Unanswered: 3, PausedUntil: &at},
		CreatedAt: at, UpdatedAt: at,
	}
}

// newMessage returns a pending delivery without saving it.
func (s tenant) newMessage(to webhook.ID, position int64) webhook.Delivery {
	return webhook.NewDelivery(webhook.DeliveryID{UUID: s.ids.New()}, to, position, s.nextTime())
}

// addMessages saves the deliveries.
func (s tenant) addMessages(ds ...webhook.Delivery) {
	s.t.Helper()
	s.do(func(ctx context.Context, tx ports.Tx) error { return tx.Webhooks.Queue(ctx, ds) })
}

// claim claims deliveries for a minute.
func (s tenant) claim(to webhook.ID, n int, now time.Time) []webhook.Delivery {
	s.t.Helper()
	claimed, err := inTx(s, func(ctx context.Context, tx ports.Tx) ([]webhook.Delivery, error) {
		return tx.Webhooks.Claim(ctx, to, n, now, now.Add(time.Minute))
	})
	s.must(err)
	return claimed
}

// finish saves the results of deliveries.
func (s tenant) finish(to webhook.ID, ds ...webhook.Delivery) *time.Time {
	s.t.Helper()
	next, err := inTx(s, func(ctx context.Context, tx ports.Tx) (*time.Time, error) { return tx.Webhooks.Finish(ctx, to, ds) })
	s.must(err)
	return next
}

// messages returns all deliveries, in the order of their positions.
func (s tenant) messages() []webhook.Delivery {
	s.t.Helper()
	found, err := s.read().WebhookDeliveries.List(s.ctx(), query.Query{
		Sort: []query.Order{{Attr: webhook.DeliverySchema.Attr("change.id")}}, Page: query.AllRows(),
	})
	s.must(err)
	return found.Items
}

// webhooks tests ports.WebhookReader and ports.WebhookRepo.
func webhooks(t *testing.T, b Backend) {
	t.Run("Get returns the endpoint, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		e := w.newEndpoint("https://one.test")
		w.save(e)
		got, err := w.read().Webhooks.Get(w.ctx(), e.ID)
		is.NoErr(err)
		is.Equal(diff(got, e), "")
		_, err = w.read().Webhooks.Get(w.ctx(), webhook.ID{UUID: w.ids.New()})
		is.True(isNotFound(err))
		is.True(w.try(func(ctx context.Context, tx ports.Tx) error { return tx.Webhooks.Add(ctx, e) }) != nil)
	})

	t.Run("CountPending counts the pending deliveries of an endpoint, up to most", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		one, two := w.newEndpoint("https://one.test"), w.newEndpoint("https://two.test")
		w.save(one)
		w.save(two)
		sent := w.newMessage(one.ID, 1)
		sent.Record(webhook.Result{Status: 200}, 0, sent.CreatedAt)
		w.addMessages(sent, w.newMessage(one.ID, 2), w.newMessage(one.ID, 0), w.newMessage(one.ID, 3), w.newMessage(two.ID, 1))
		for most, want := range map[int]int{1: 1, 2: 2, 3: 3, 9: 3} {
			got, err := w.read().Webhooks.CountPending(w.ctx(), one.ID, most)
			is.NoErr(err)
			is.Equal(got, want)
		}
		got, err := w.read().Webhooks.CountPending(w.ctx(), webhook.ID{UUID: w.ids.New()}, 9)
		is.NoErr(err)
		is.Equal(got, 0)
	})

	t.Run("Save updates the endpoint, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		e, other := w.newEndpoint("https://one.test"), w.newEndpoint("https://two.test")
		w.save(e, other)
		changed := webhook.Endpoint{ID: e.ID, URL: "https://three.test", Types: []string{"*"}, CreatedAt: e.CreatedAt, UpdatedAt: w.nextTime()}
		w.do(func(ctx context.Context, tx ports.Tx) error {
			got, err := tx.Webhooks.GetForUpdate(ctx, e.ID)
			if err != nil || diff(got, e) != "" {
				t.Error(diff(got, e), err)
			}
			return tx.Webhooks.Save(ctx, changed)
		})
		is.Equal(diff(w.all().Webhooks, []webhook.Endpoint{other, changed}), "")
		unknown := w.newEndpoint("https://four.test")
		is.True(isNotFound(w.try(func(ctx context.Context, tx ports.Tx) error { return tx.Webhooks.Save(ctx, unknown) })))
	})

	t.Run("Delete deletes the deliveries and then the endpoint, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		e, other := w.newEndpoint("https://one.test"), w.newEndpoint("https://two.test")
		w.save(e, other)
		kept := w.newMessage(other.ID, 1)
		w.addMessages(w.newMessage(e.ID, 1), w.newMessage(e.ID, 2), w.newMessage(e.ID, 0), kept)
		for calls := 0; ; calls++ {
			gone, err := inTx(w.tenant, func(ctx context.Context, tx ports.Tx) (bool, error) { return tx.Webhooks.Delete(ctx, e.ID, 2) })
			is.NoErr(err)
			is.True(calls < 3)
			if gone {
				break
			}
		}
		is.Equal(diff(w.all().Webhooks, []webhook.Endpoint{other}), "")
		is.Equal(diff(w.messages(), []webhook.Delivery{kept}), "")
		_, err := inTx(w.tenant, func(ctx context.Context, tx ports.Tx) (bool, error) { return tx.Webhooks.Delete(ctx, e.ID, 2) })
		is.True(isNotFound(err))
	})

	t.Run("Delete blocks on deliveries that are queued concurrently, and deletes them", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		e := w.newEndpoint("https://one.test")
		w.save(e)
		queue := func(ctx context.Context, tx ports.Tx) error {
			return tx.Webhooks.Queue(ctx, []webhook.Delivery{w.newMessage(e.ID, 1)})
		}
		is.NoErr(w.checkBlocks(queue, func() error {
			return w.try(func(ctx context.Context, tx ports.Tx) error { return second(tx.Webhooks.Delete(ctx, e.ID, 2)) })
		}))
		is.Equal(len(w.all().Webhooks), 0)
		is.Equal(len(w.messages()), 0)
	})

	t.Run("Queue inserts deliveries and queues those of the same change again", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		e, other := w.newEndpoint("https://one.test"), w.newEndpoint("https://two.test")
		w.save(e, other)
		ping, one, two := w.newMessage(e.ID, 0), w.newMessage(e.ID, 1), w.newMessage(e.ID, 2)
		w.addMessages(one, two)
		one.Record(webhook.Result{Status: 204, Duration: time.Second}, 0, w.nextTime())
		w.finish(e.ID, one)
		elsewhere, again, second := w.newMessage(other.ID, 3), w.newMessage(e.ID, 1), w.newMessage(e.ID, 0)
		w.addMessages(ping, again, elsewhere, second)
		one.Status, one.Attempts, one.QueuedAt, one.NextAttemptAt = webhook.Pending, 0, again.QueuedAt, again.NextAttemptAt
		is.Equal(diff(w.messages()[2:], []webhook.Delivery{one, two, elsewhere}), "")
		is.Equal(len(w.messages()), 5) // both pings
		is.True(w.try(func(ctx context.Context, tx ports.Tx) error {
			return tx.Webhooks.Queue(ctx, []webhook.Delivery{w.newMessage(webhook.ID{UUID: w.ids.New()}, 1)})
		}) != nil)
	})

	t.Run("Claim returns the deliveries that have been due longest, in the order of their positions, once", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		e, other := w.newEndpoint("https://one.test"), w.newEndpoint("https://two.test")
		w.save(e, other)
		third, first, second := w.newMessage(e.ID, 3), w.newMessage(e.ID, 1), w.newMessage(e.ID, 2)
		second.CreatedAt, first.NextAttemptAt, third.NextAttemptAt = first.CreatedAt, third.NextAttemptAt, first.NextAttemptAt
		now := *second.NextAttemptAt
		w.addMessages(third, first, second, w.newMessage(e.ID, 4), w.newMessage(other.ID, 1)) // the last two are not due
		claimed := w.claim(e.ID, 2, now)
		until := now.Add(time.Minute)
		first.NextAttemptAt, third.NextAttemptAt = &until, &until
		is.Equal(diff(claimed, []webhook.Delivery{first, third}), "")
		second.NextAttemptAt = &until
		is.Equal(diff(w.claim(e.ID, 9, now), []webhook.Delivery{second}), "")
		is.Equal(len(w.claim(e.ID, 9, now)), 0)
		is.Equal(len(w.claim(e.ID, 9, until)), 4)
	})

	t.Run("Finish updates deliveries and returns the earliest next attempt", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		e := w.newEndpoint("https://one.test")
		w.save(e)
		one, two := w.newMessage(e.ID, 1), w.newMessage(e.ID, 2)
		w.addMessages(one, two)
		one.Record(webhook.Result{Error: "No response", Duration: 1500 * time.Millisecond}, 0, w.nextTime())
		is.Equal(w.finish(e.ID, one), two.NextAttemptAt)
		is.Equal(diff(w.messages(), []webhook.Delivery{one, two}), "")
		two.GiveUp("expired")
		is.Equal(w.finish(e.ID, two), one.NextAttemptAt)
		one.Record(webhook.Result{Status: 200}, 0, w.nextTime())
		is.True(w.finish(e.ID, one) == nil)
		is.Equal(diff(w.messages(), []webhook.Delivery{one, two}), "")
	})

	t.Run("Finish ignores a delivery that was queued again", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		e := w.newEndpoint("https://one.test")
		w.save(e)
		one := w.newMessage(e.ID, 1)
		w.addMessages(one)
		again := w.newMessage(e.ID, 1)
		w.addMessages(again)
		one.Record(webhook.Result{Status: 200}, 0, w.nextTime())
		is.Equal(w.finish(e.ID, one), again.NextAttemptAt)
		is.Equal(w.messages()[0].Status, webhook.Pending)
	})
}

// writeWebhooks adds an endpoint for each text.
func writeWebhooks(s tenant, rnd *rand.Rand, texts []string) []webhook.Endpoint {
	s.t.Helper()
	var rows []webhook.Endpoint
	for _, text := range texts {
		e := s.newEndpoint(text)
		e.ID.UUID, e.Description, e.Enabled, e.Disabled = randomID(rnd), pick(rnd, texts), rnd.IntN(2) == 0, pick(rnd, append(texts, ""))
		e.CreatedAt, e.UpdatedAt = pick(rnd, moments), pick(rnd, moments)
		rows = append(rows, e)
		s.save(e)
	}
	return rows
}

// writeWebhookDeliveries adds an endpoint with some deliveries for each text.
func writeWebhookDeliveries(s tenant, rnd *rand.Rand, texts []string) []webhook.Delivery {
	s.t.Helper()
	var rows []webhook.Delivery
	for _, text := range texts {
		e := s.newEndpoint("https://one.test")
		e.ID.UUID = randomID(rnd)
		s.save(e)
		for position := range int64(3) {
			d := s.newMessage(e.ID, position)
			d.ID.UUID, d.CreatedAt, d.LastError = randomID(rnd), pick(rnd, moments), text
			d.Status = pick(rnd, []webhook.Status{webhook.Pending, webhook.Succeeded, webhook.Failed})
			d.Attempts, d.LastStatus = rnd.IntN(4), pick(rnd, []int{0, 200, 500})
			d.LastAttemptAt, d.NextAttemptAt = maybe(rnd, moments), maybe(rnd, moments)
			rows = append(rows, d)
			s.addMessages(d)
		}
	}
	return rows
}

// webhookMethods contains the methods of ports.WebhookReader and ports.WebhookRepo.
var webhookMethods = []portMethod{
	{port: "Webhooks", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return listed(ctx, r.Webhooks, func(e webhook.Endpoint) bool { return e.ID == theirs.endpoint.ID })
	}},
	{port: "Webhooks", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		_, err := r.Webhooks.Get(ctx, theirs.endpoint.ID)
		return nil, err
	}},
	{port: "Webhooks", method: "CountPending", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return result(r.Webhooks.CountPending(ctx, theirs.endpoint.ID, 9))
	}},
	{port: "WebhookDeliveries", method: "List", foreign: empty, outside: true, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return listed(ctx, r.WebhookDeliveries, func(d webhook.Delivery) bool { return d.ID == theirs.message.ID })
	}},
	{port: "Webhooks", method: "GetForUpdate", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		_, err := tx.Webhooks.GetForUpdate(ctx, theirs.endpoint.ID)
		return nil, err
	}},
	{port: "Webhooks", method: "Add", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		e := theirs.endpoint
		e.ID.UUID = theirs.ids.New()
		return nil, tx.Webhooks.Add(ctx, e)
	}},
	{port: "Webhooks", method: "Save", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		e := theirs.endpoint
		e.URL = "https://changed.test"
		return nil, tx.Webhooks.Save(ctx, e)
	}},
	{port: "Webhooks", method: "Delete", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, second(tx.Webhooks.Delete(ctx, theirs.endpoint.ID, 9))
	}},
	{port: "Webhooks", method: "Queue", foreign: refused, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		d := theirs.message
		d.ID.UUID = theirs.ids.New()
		return nil, tx.Webhooks.Queue(ctx, []webhook.Delivery{d})
	}},
	{port: "Webhooks", method: "Claim", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		claimed, err := tx.Webhooks.Claim(ctx, theirs.endpoint.ID, 9, *theirs.message.NextAttemptAt, theirs.message.NextAttemptAt.Add(time.Minute))
		return len(claimed), err
	}},
	{port: "Webhooks", method: "Finish", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		d := theirs.message
		d.GiveUp("changed")
		next, err := tx.Webhooks.Finish(ctx, theirs.endpoint.ID, []webhook.Delivery{d})
		if next == nil {
			return nil, err
		}
		return next, err
	}},
}
