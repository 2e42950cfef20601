package storetest

import (
	"math"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/webhook"
)

// retention tests the methods of ports.Schools that remove old changes and audit events of all
// schools. It runs before the other parts, which may use the same database.
func retention(t *testing.T, b Backend) {
	t.Run("ExpireChanges removes the changes that are older than before, and sets Start", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		newFixture(w.tenant, "one")
		all := w.changesAfter(0)
		is.NoErr(w.schools.ExpireChanges(w.ctx(), time.Now().Add(-time.Hour)))
		is.Equal(w.feed().Start, int64(0))
		is.Equal(w.changesAfter(0), all)
		before := all[len(all)-1].At // the last change is not older than itself
		is.NoErr(w.schools.ExpireChanges(w.ctx(), before))
		for _, c := range w.changesAfter(0) {
			is.True(c.Position > w.feed().Start)
		}
		is.True(len(w.changesAfter(0)) > 0)
		is.NoErr(w.schools.ExpireChanges(w.ctx(), time.Now().Add(time.Hour)))
		is.Equal(len(w.changesAfter(0)), 0)
		is.Equal(w.feed().Start, all[len(all)-1].Position)
		is.True(!w.feed().Holds(all[0].Position))
		is.True(w.feed().Holds(w.feed().Start))
		w.addCategory("Design")
		is.Equal(len(w.changesAfter(w.feed().Start)), 1)
	})

	t.Run("Changes that ExpireChanges removes from the feed keep their events", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		w.addCategory("Design")
		all := w.trail()
		is.NoErr(w.schools.ExpireChanges(w.ctx(), time.Now().Add(time.Hour)))
		is.Equal(len(w.changesAfter(0)), 0)
		is.Equal(w.trail(), all)
	})

	t.Run("DeleteExpiredWebhookDeliveries deletes deliveries that are not pending, up to limit", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		e := w.newEndpoint("https://one.test")
		w.save(e)
		all := []webhook.Delivery{w.newMessage(e.ID, 1), w.newMessage(e.ID, 2), w.newMessage(e.ID, 3), w.newMessage(e.ID, 4)}
		w.addMessages(all...)
		for i := range 3 {
			all[i].GiveUp("failed")
		}
		w.finish(e.ID, all[:3]...)
		for _, deleted := range []int{1, 1, 0} {
			n, err := w.schools.DeleteExpiredWebhookDeliveries(w.ctx(), all[2].CreatedAt, 1)
			is.NoErr(err)
			is.Equal(n, deleted)
		}
		is.Equal(diff(w.messages(), all[2:]), "")
		n, err := w.schools.DeleteExpiredWebhookDeliveries(w.ctx(), time.Now().Add(100_000*time.Hour), 9)
		is.NoErr(err)
		is.Equal(n, 1)
	})

	t.Run("DeleteExpiredAuditEvents deletes the oldest events, up to limit, and their changes", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		newFixture(w.tenant, "one")
		all := w.trail()
		n, err := w.schools.DeleteExpiredAuditEvents(w.ctx(), time.Now().Add(-time.Hour), math.MaxInt32)
		is.NoErr(err)
		is.Equal(n, 0)
		for n = 50; n == 50; { // also deletes events of other schools
			n, err = w.schools.DeleteExpiredAuditEvents(w.ctx(), time.Now().Add(time.Hour), 50)
			is.NoErr(err)
			rest := w.trail()
			is.Equal(rest, all[len(all)-len(rest):])
			is.Equal(len(w.changesAfter(0)), len(rest))
		}
		is.Equal(len(w.trail()), 0)
	})
}
