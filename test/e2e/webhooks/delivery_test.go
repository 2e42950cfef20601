package webhooks_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/app/webhooks"
	"lyceum/domain/change"
	"lyceum/domain/query"
	"lyceum/domain/webhook"
	"lyceum/ports"
	"lyceum/test/kit/stores"
)

// TestDelivery tests messages to a receiver that works.
func TestDelivery(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s, r := newSchool(t, open(t)), newReceiver(t)
		s.category("Before")
		id, secret := s.endpoint(r.url, "categories")
		s.category("A & B")
		s.category("Readers")
		s.work()
		got := r.take()
		is.Equal(len(got), 2)
		list := s.get("/v2/changes?include=record")
		for i, d := range s.deliveries() {
			is.Equal(d.Status, webhook.Succeeded)
			is.Equal(d.LastStatus, http.StatusOK)
			var m request
			for _, m = range got {
				if m.header.Get("webhook-id") == d.ID.String() {
					break
				}
			}
			is.True(verified(m, secret))
			is.True(!verified(m, webhook.EncodeSecret(make([]byte, webhook.SecretBytes))))
			is.Equal(m.header.Get("Content-Type"), "application/json")
			// The message consists of the same bytes as the feed.
			data, included, ok := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(m.body, `{"data":`), "]}"), `,"included":[`)
			is.True(ok)
			is.True(strings.Contains(list, data))
			is.True(strings.Contains(list, included))
			is.True(strings.Contains(included, []string{`"name":"A & B"`, `"name":"Readers"`}[i]))
		}

		_, err := s.Webhooks.Ping(t.Context(), s.actor, id)
		is.NoErr(err)
		s.work()
		got = r.take()
		is.Equal(len(got), 1)
		is.Equal(got[0].body, `{"meta":{"ping":true}}`)
		is.True(verified(got[0], secret))

		_, next, err := s.Webhooks.Rotate(t.Context(), s.actor, id)
		is.NoErr(err)
		s.category("Rotated")
		s.work()
		got = r.take()
		is.True(verified(got[0], secret) && verified(got[0], next))

		is.NoErr(s.Webhooks.Delete(t.Context(), s.actor, id))
		s.category("Deleted")
		s.work()
		is.Equal(len(r.take()), 0)
		is.Equal(len(s.deliveries()), 0)
	})
}

// TestReplay tests the replay of one message and from a position.
func TestReplay(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s, r, other := newSchool(t, open(t)), newReceiver(t), newReceiver(t)
		s.category("Before")
		id, _ := s.endpoint(r.url)
		s.endpoint(other.url)
		for _, name := range []string{"One", "Two", "Three"} {
			s.category(name)
		}
		s.work()
		first, all := r.take(), s.deliveries()
		is.Equal(len(first), 3)
		is.Equal(len(other.take()), 3)
		var of []webhook.Delivery
		for _, d := range all {
			if d.Endpoint == id {
				of = append(of, d)
			}
		}
		is.NoErr(s.Webhooks.ReplayDelivery(t.Context(), s.actor, of[1].ID))
		s.work()
		again := r.take()
		is.Equal(len(again), 1)
		is.Equal(again[0].header.Get("webhook-id"), of[1].ID.String())

		feed, err := s.Changes.Feed(t.Context(), s.actor)
		is.NoErr(err)
		for after, n := range map[string]int{
			"0": 4, // also the change before the endpoint was created
			change.Position{Store: feed.Store, Number: of[0].Position}.String(): 2,
			feed.Last().String(): 0,
		} {
			is.NoErr(s.Webhooks.Replay(t.Context(), s.actor, id, after))
			s.work()
			is.Equal(len(r.take()), n)
		}
		is.Equal(len(other.take()), 0)
		is.Equal(len(s.deliveries()), len(all)+1)
	})
}

// TestReplayWaitsForSlowReceivers tests that a replay queues no further messages while its endpoint
// has a thousand that are not sent.
func TestReplayWaitsForSlowReceivers(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s, r := newSchool(t, open(t)), newReceiver(t)
		s.category("One")
		id, _ := s.endpoint(r.url)
		s.work()
		r.take()
		const pings = 1000
		s.queuePings(id, pings)
		is.NoErr(s.Webhooks.Replay(t.Context(), s.actor, id, "0"))
		moved, err := s.Followers.Next(t.Context())
		is.NoErr(err)
		is.True(!moved)
		is.Equal(len(s.deliveries()), pings)
		_, err = s.Webhooks.Ping(t.Context(), s.actor, id) // schedules the job that sends them
		is.NoErr(err)
		s.work()
		s.clock.Advance(time.Second) // after which the replay is asked again
		s.work()
		is.Equal(len(r.take()), pings+2) // with the ping and the change
	})
}

// TestChangesWaitForSlowReceivers tests that no messages are queued for an endpoint that has a thousand
// due ones, that another endpoint gets its messages before they are sent, and that the first one gets
// each of its messages once.
func TestChangesWaitForSlowReceivers(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s, r, other := newSchool(t, open(t)), newReceiver(t), newReceiver(t)
		id, _ := s.endpoint(r.url)
		s.endpoint(other.url)
		const pings = 1000
		s.queuePings(id, pings)
		for i := range 150 {
			s.category(fmt.Sprintf("Early %d", i))
		}
		s.follow()
		is.Equal(len(s.deliveries()), pings+150)
		for i := range 10 {
			s.category(fmt.Sprintf("Late %d", i))
		}
		s.follow()
		is.Equal(len(s.deliveries()), pings+160)            // also the second page waits
		_, err := s.Webhooks.Ping(t.Context(), s.actor, id) // schedules the job that sends them
		is.NoErr(err)
		s.work()
		s.clock.Advance(time.Second) // after which the full endpoint is asked again
		s.work()
		is.Equal(len(other.take()), 160)
		is.Equal(len(r.take()), pings+1+160)

		s.category("Direct") // the backlog has ended
		moved, err := s.Followers.Next(t.Context())
		is.NoErr(err)
		is.True(moved)
		is.Equal(len(s.deliveries()), pings+1+2*161)
	})
}

// TestBacklogOnTwoInstances tests that no change is lost if two instances queue changes
// and send messages while an endpoint has about a thousand due ones, so that its backlog begins, grows
// and ends again and again.
func TestBacklogOnTwoInstances(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s, r := newSchool(t, open(t)), newReceiver(t)
		second := instance(t, s.backend, s.clock, s.ids)
		id, _ := s.endpoint(r.url)
		const pings, changes = 1000, 300
		s.queuePings(id, pings)
		_, err := s.Webhooks.Ping(t.Context(), s.actor, id) // schedules the job that sends them
		is.NoErr(err)
		var created atomic.Bool
		var instances sync.WaitGroup
		for _, one := range []school{s, second} {
			instances.Go(func() {
				for !created.Load() {
					_, _ = one.Followers.Next(t.Context())
					_, _ = one.Webhooks.DeliverNext(t.Context())
				}
			})
		}
		for i := range changes {
			s.category(fmt.Sprintf("Category %d", i))
			s.clock.Advance(200 * time.Millisecond)
			if i%50 == 0 {
				s.queuePings(id, pings/4)
			}
		}
		created.Store(true)
		instances.Wait()
		for range 2 {
			s.clock.Advance(2 * time.Minute) // after which also claims have ended
			s.work()
		}
		sent := map[string]bool{}
		for _, m := range r.take() {
			sent[m.header.Get("webhook-id")] = true
		}
		queued := s.deliveries()
		positions := map[int64]bool{}
		for _, d := range queued {
			is.True(sent[d.ID.String()])
			positions[d.Position] = true
		}
		is.Equal(len(positions), changes+1) // 0 is the position of pings
		is.Equal(len(queued), pings+6*pings/4+1+changes)
	})
}

// TestDeletedEndpointLeavesNoBacklog tests that the follower of waiting changes is deleted with its
// endpoint.
func TestDeletedEndpointLeavesNoBacklog(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s, r := newSchool(t, open(t)), newReceiver(t)
		id, _ := s.endpoint(r.url)
		ends := func() int {
			due, err := s.backend.Schools.FollowersBehind(t.Context(), nil, nil)
			is.NoErr(err)
			return len(due)
		}
		is.NoErr(s.backend.Store.InTx(t.Context(), s.actor.School(), func(ctx context.Context, tx ports.Tx) error {
			return tx.Followers.Add(ctx, change.Follower{School: s.actor.School(), Name: webhook.BacklogOf(id), Until: 1})
		}))
		is.Equal(ends(), 1)
		is.NoErr(s.Webhooks.Delete(t.Context(), s.actor, id))
		is.Equal(ends(), 0)
	})
}

// TestTwoInstances tests that each message is sent by one of two instances, and that a message whose
// result was not saved is sent again.
func TestTwoInstances(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s, r := newSchool(t, open(t)), newReceiver(t)
		second := instance(t, s.backend, s.clock, s.ids)
		id, _ := s.endpoint(r.url)
		const n = 150
		for i := range n {
			s.category("Category " + string(rune('a'+i%26)) + strings.Repeat("x", i/26))
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			for range 50 {
				_, _ = second.Followers.Next(t.Context())
				_, _ = second.Webhooks.DeliverNext(t.Context())
			}
		}()
		s.work()
		<-ended
		s.work()
		seen := map[string]int{}
		for _, m := range r.take() {
			seen[m.header.Get("webhook-id")]++
		}
		is.Equal(len(seen), n)
		for _, times := range seen {
			is.Equal(times, 1)
		}
		is.Equal(len(s.deliveries()), n)

		// An instance that stops while it sends lets another one send the message at once.
		r.respond(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		s.category("Stopped")
		_, err := s.Followers.Next(t.Context())
		is.NoErr(err)
		_, err = s.Webhooks.DeliverNext(canceled(t, 300*time.Millisecond))
		is.NoErr(err)
		r.respond(nil)
		is.Equal(len(r.take()), 1)
		second.work()
		is.Equal(len(r.take()), 1)

		// An instance that crashes saves nothing. The message is sent again when the lease ends.
		s.category("Crashed")
		_, err = s.Followers.Next(t.Context())
		is.NoErr(err)
		now := s.clock.Now()
		leased, err := s.backend.Queue.Lease(t.Context(), webhooks.Kind, 1, now, now.Add(time.Minute))
		is.NoErr(err)
		is.Equal(len(leased), 1)
		is.NoErr(s.backend.Store.InTx(t.Context(), s.actor.School(), func(ctx context.Context, tx ports.Tx) error {
			_, err := tx.Webhooks.Claim(ctx, id, 9, now, now.Add(time.Minute))
			return err
		}))
		second.work()
		is.Equal(len(r.take()), 0)
		s.clock.Advance(2 * time.Minute)
		second.work()
		is.Equal(len(r.take()), 1)
	})
}

// TestRetention tests that deliveries are deleted after the configured time.
func TestRetention(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s, r := newSchool(t, open(t)), newReceiver(t)
		s.endpoint(r.url, "categories")
		s.category("Old")
		s.work()
		sweep := func(kept, passed time.Duration) int {
			s.Webhooks.KeepFor(kept)
			s.clock.Advance(passed)
			_, err := s.Webhooks.Sweep(t.Context())
			is.NoErr(err)
			return len(s.deliveries())
		}
		const year = 365 * 24 * time.Hour
		is.Equal(sweep(0, year), 1) // forever
		is.Equal(sweep(2*year, 0), 1)
		is.Equal(sweep(2*year, year+time.Minute), 0)
	})
}

// TestOldDeliveriesAreDeleted tests that the number of deliveries that an endpoint keeps is limited.
func TestOldDeliveriesAreDeleted(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s, r := newSchool(t, open(t)), newReceiver(t)
		id, _ := s.endpoint(r.url)
		past := make([]webhook.Delivery, webhook.MaxKept+100)
		for i := range past {
			past[i] = webhook.NewDelivery(webhook.DeliveryID{UUID: uuid.New()}, id, 0, s.clock.Now().Add(time.Duration(i-len(past))*time.Second))
			past[i].GiveUp("No response")
		}
		is.NoErr(s.backend.Store.InTx(t.Context(), s.actor.School(), func(ctx context.Context, tx ports.Tx) error {
			return tx.Webhooks.Queue(ctx, past)
		}))
		count := func(status webhook.Status) int {
			of := query.Cond{Attr: webhook.DeliverySchema.Attr("status"), Op: query.Eq, Values: []query.Value{{Text: string(status), Fold: string(status)}}}
			found, err := s.Webhooks.Deliveries(t.Context(), s.actor, query.Query{Where: of, Page: query.NewPage(1, 1), Count: true})
			is.NoErr(err)
			return int(found.Total)
		}
		for sent := 1; count(webhook.Failed) == len(past); sent++ { // until they are counted, once in 256 batches
			is.True(sent < 5000)
			_, err := s.Webhooks.Ping(t.Context(), s.actor, id)
			is.NoErr(err)
			_, err = s.Webhooks.DeliverNext(t.Context())
			is.NoErr(err)
		}
		is.Equal(count(webhook.Failed)+count(webhook.Succeeded), webhook.MaxKept)
	})
}
