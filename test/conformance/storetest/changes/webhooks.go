package changes

import (
	"context"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/query"
	"lyceum/domain/webhook"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// claim claims deliveries for a minute.
func claim(s fixture.Tenant, to webhook.ID, n int, now time.Time) []webhook.Delivery {
	s.T.Helper()
	claimed, err := fixture.InTx(s, func(ctx context.Context, tx ports.Tx) ([]webhook.Delivery, error) {
		return tx.Webhooks.Claim(ctx, to, n, now, now.Add(time.Minute))
	})
	s.Must(err)
	return claimed
}

// finish saves the results of deliveries.
func finish(s fixture.Tenant, to webhook.ID, ds ...webhook.Delivery) *time.Time {
	s.T.Helper()
	next, err := fixture.InTx(s, func(ctx context.Context, tx ports.Tx) (*time.Time, error) { return tx.Webhooks.Finish(ctx, to, ds) })
	s.Must(err)
	return next
}

// messages returns all deliveries, in the order of their positions.
func messages(s fixture.Tenant) []webhook.Delivery {
	s.T.Helper()
	found, err := s.Read().WebhookDeliveries.List(s.Context(), query.Query{
		Sort: []query.Order{{Attr: webhook.DeliverySchema.Attr("change.id")}}, Page: query.AllRows(),
	})
	s.Must(err)
	return found.Items
}

// Webhooks tests ports.WebhookReader and ports.WebhookRepo.
func Webhooks(t *testing.T, b fixture.Backend) {
	t.Run("Get returns the endpoint, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		e := w.NewEndpoint("https://one.test")
		w.Save(e)
		got, err := w.Read().Webhooks.Get(w.Context(), e.ID)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, e), "")
		_, err = w.Read().Webhooks.Get(w.Context(), webhook.ID{UUID: w.IDs.New()})
		is.True(fixture.IsNotFound(err))
		is.True(w.Try(func(ctx context.Context, tx ports.Tx) error { return tx.Webhooks.Add(ctx, e) }) != nil)
	})

	t.Run("CountDue counts the pending deliveries of an endpoint whose next attempt is not after now, up to most", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		one, two := w.NewEndpoint("https://one.test"), w.NewEndpoint("https://two.test")
		w.Save(one)
		w.Save(two)
		sent := w.NewMessage(one.ID, 1)
		sent.Record(webhook.Result{Status: 200}, 0, sent.CreatedAt)
		refused := w.NewMessage(one.ID, 4)
		w.AddMessages(sent, w.NewMessage(one.ID, 2), w.NewMessage(one.ID, 0), w.NewMessage(two.ID, 1))
		last := w.NewMessage(one.ID, 3)
		w.AddMessages(last)
		refused.Record(webhook.Result{Status: 500}, 0, last.CreatedAt)
		w.AddMessages(refused)
		for most, want := range map[int]int{1: 1, 2: 2, 3: 3, 9: 3} {
			got, err := w.Read().Webhooks.CountDue(w.Context(), one.ID, *last.NextAttemptAt, most)
			is.NoErr(err)
			is.Equal(got, want)
		}
		got, err := w.Read().Webhooks.CountDue(w.Context(), one.ID, *refused.NextAttemptAt, 9)
		is.NoErr(err)
		is.Equal(got, 4)
		got, err = w.Read().Webhooks.CountDue(w.Context(), webhook.ID{UUID: w.IDs.New()}, *refused.NextAttemptAt, 9)
		is.NoErr(err)
		is.Equal(got, 0)
	})

	t.Run("Save updates the endpoint, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		e, other := w.NewEndpoint("https://one.test"), w.NewEndpoint("https://two.test")
		w.Save(e, other)
		changed := webhook.Endpoint{ID: e.ID, URL: "https://three.test", Types: []string{"*"}, CreatedAt: e.CreatedAt, UpdatedAt: w.NextTime()}
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			got, err := tx.Webhooks.GetForUpdate(ctx, e.ID)
			if err != nil || fixture.Diff(got, e) != "" {
				t.Error(fixture.Diff(got, e), err)
			}
			return tx.Webhooks.Save(ctx, changed)
		})
		is.Equal(fixture.Diff(w.All().Webhooks, []webhook.Endpoint{other, changed}), "")
		unknown := w.NewEndpoint("https://four.test")
		is.True(fixture.IsNotFound(w.Try(func(ctx context.Context, tx ports.Tx) error { return tx.Webhooks.Save(ctx, unknown) })))
	})

	t.Run("Delete deletes the deliveries and then the endpoint, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		e, other := w.NewEndpoint("https://one.test"), w.NewEndpoint("https://two.test")
		w.Save(e, other)
		kept := w.NewMessage(other.ID, 1)
		w.AddMessages(w.NewMessage(e.ID, 1), w.NewMessage(e.ID, 2), w.NewMessage(e.ID, 0), kept)
		for calls := 0; ; calls++ {
			gone, err := fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) (bool, error) { return tx.Webhooks.Delete(ctx, e.ID, 2) })
			is.NoErr(err)
			is.True(calls < 3)
			if gone {
				break
			}
		}
		is.Equal(fixture.Diff(w.All().Webhooks, []webhook.Endpoint{other}), "")
		is.Equal(fixture.Diff(messages(w.Tenant), []webhook.Delivery{kept}), "")
		_, err := fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) (bool, error) { return tx.Webhooks.Delete(ctx, e.ID, 2) })
		is.True(fixture.IsNotFound(err))
	})

	t.Run("Delete blocks on deliveries that are queued concurrently, and deletes them", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		e := w.NewEndpoint("https://one.test")
		w.Save(e)
		queue := func(ctx context.Context, tx ports.Tx) error {
			return tx.Webhooks.Queue(ctx, []webhook.Delivery{w.NewMessage(e.ID, 1)})
		}
		is.NoErr(w.CheckBlocks(queue, func() error {
			return w.Try(func(ctx context.Context, tx ports.Tx) error { return fixture.Second(tx.Webhooks.Delete(ctx, e.ID, 2)) })
		}))
		is.Equal(len(w.All().Webhooks), 0)
		is.Equal(len(messages(w.Tenant)), 0)
	})

	t.Run("Queue inserts deliveries and queues those of the same change again", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		e, other := w.NewEndpoint("https://one.test"), w.NewEndpoint("https://two.test")
		w.Save(e, other)
		ping, one, two := w.NewMessage(e.ID, 0), w.NewMessage(e.ID, 1), w.NewMessage(e.ID, 2)
		w.AddMessages(one, two)
		one.Record(webhook.Result{Status: 204, Duration: time.Second}, 0, w.NextTime())
		finish(w.Tenant, e.ID, one)
		elsewhere, again, second := w.NewMessage(other.ID, 3), w.NewMessage(e.ID, 1), w.NewMessage(e.ID, 0)
		w.AddMessages(ping, again, elsewhere, second)
		one.Status, one.Attempts, one.QueuedAt, one.NextAttemptAt = webhook.Pending, 0, again.QueuedAt, again.NextAttemptAt
		is.Equal(fixture.Diff(messages(w.Tenant)[2:], []webhook.Delivery{one, two, elsewhere}), "")
		is.Equal(len(messages(w.Tenant)), 5) // both pings
		is.True(w.Try(func(ctx context.Context, tx ports.Tx) error {
			return tx.Webhooks.Queue(ctx, []webhook.Delivery{w.NewMessage(webhook.ID{UUID: w.IDs.New()}, 1)})
		}) != nil)
	})

	t.Run("Claim returns the deliveries that have been due longest, in the order of their positions, once", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		e, other := w.NewEndpoint("https://one.test"), w.NewEndpoint("https://two.test")
		w.Save(e, other)
		third, first, second := w.NewMessage(e.ID, 3), w.NewMessage(e.ID, 1), w.NewMessage(e.ID, 2)
		second.CreatedAt, first.NextAttemptAt, third.NextAttemptAt = first.CreatedAt, third.NextAttemptAt, first.NextAttemptAt
		now := *second.NextAttemptAt
		w.AddMessages(third, first, second, w.NewMessage(e.ID, 4), w.NewMessage(other.ID, 1)) // the last two are not due
		claimed := claim(w.Tenant, e.ID, 2, now)
		until := now.Add(time.Minute)
		first.NextAttemptAt, third.NextAttemptAt = &until, &until
		is.Equal(fixture.Diff(claimed, []webhook.Delivery{first, third}), "")
		second.NextAttemptAt = &until
		is.Equal(fixture.Diff(claim(w.Tenant, e.ID, 9, now), []webhook.Delivery{second}), "")
		is.Equal(len(claim(w.Tenant, e.ID, 9, now)), 0)
		is.Equal(len(claim(w.Tenant, e.ID, 9, until)), 4)
	})

	t.Run("Finish updates deliveries and returns the earliest next attempt", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		e := w.NewEndpoint("https://one.test")
		w.Save(e)
		one, two := w.NewMessage(e.ID, 1), w.NewMessage(e.ID, 2)
		w.AddMessages(one, two)
		one.Record(webhook.Result{Error: "No response", Duration: 1500 * time.Millisecond}, 0, w.NextTime())
		is.Equal(finish(w.Tenant, e.ID, one), two.NextAttemptAt)
		is.Equal(fixture.Diff(messages(w.Tenant), []webhook.Delivery{one, two}), "")
		two.GiveUp("expired")
		is.Equal(finish(w.Tenant, e.ID, two), one.NextAttemptAt)
		one.Record(webhook.Result{Status: 200}, 0, w.NextTime())
		is.True(finish(w.Tenant, e.ID, one) == nil)
		is.Equal(fixture.Diff(messages(w.Tenant), []webhook.Delivery{one, two}), "")
	})

	t.Run("Trim deletes the oldest deliveries before the newest kept ones, but no pending ones", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		e, other := w.NewEndpoint("https://one.test"), w.NewEndpoint("https://two.test")
		w.Save(e, other)
		var all []webhook.Delivery
		for position := range int64(7) {
			d := w.NewMessage(e.ID, position)
			if position != 1 {
				d.GiveUp("failed")
			}
			all = append(all, d)
		}
		all[4].CreatedAt = all[5].CreatedAt
		elsewhere := w.NewMessage(other.ID, 9)
		elsewhere.CreatedAt = all[0].CreatedAt
		elsewhere.GiveUp("failed")
		all = append(all, elsewhere)
		w.AddMessages(all...)
		for _, step := range []struct {
			kept, most int
			want       []int // positions
		}{
			{7, 9, []int{0, 1, 2, 3, 4, 5, 6, 9}},
			{5, 1, []int{1, 2, 3, 4, 5, 6, 9}},
			{5, 9, []int{1, 2, 3, 4, 5, 6, 9}},
			{4, 9, []int{1, 3, 4, 5, 6, 9}},
			{2, 9, []int{1, 4, 5, 6, 9}}, // 4 was created at the same time as 5
			{1, 9, []int{1, 6, 9}},
		} {
			w.Do(func(ctx context.Context, tx ports.Tx) error { return tx.Webhooks.Trim(ctx, e.ID, step.kept, step.most) })
			var left []int
			for _, d := range messages(w.Tenant) {
				left = append(left, int(d.Position))
			}
			is.Equal(left, step.want)
		}
	})

	t.Run("Finish ignores a delivery that was queued again", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		e := w.NewEndpoint("https://one.test")
		w.Save(e)
		one := w.NewMessage(e.ID, 1)
		w.AddMessages(one)
		again := w.NewMessage(e.ID, 1)
		w.AddMessages(again)
		one.Record(webhook.Result{Status: 200}, 0, w.NextTime())
		is.Equal(finish(w.Tenant, e.ID, one), again.NextAttemptAt)
		is.Equal(messages(w.Tenant)[0].Status, webhook.Pending)
	})
}
