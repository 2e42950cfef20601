package storetest

import (
	"math"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/bulk"
	"lyceum/domain/webhook"
	"lyceum/test/kit/fake"
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

	t.Run("DeleteExpiredBulkJobs deletes jobs whose last part was finished, up to limit, with their parts", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		finish := func(p bulk.Part) time.Time {
			at := w.nextTime()
			w.must(w.tryFinish(p.ID, p.Outcome(nil, at)))
			return at
		}
		first, firstPart := w.addBulk()
		finish(firstPart)
		second, parts := w.newBulk(bulk.Groups, 2)
		w.must(w.tryAddBulk(second, parts...))
		finish(parts[1])
		finished := finish(parts[0])
		open, openParts := w.newBulk(bulk.People, 2)
		w.must(w.tryAddBulk(open, openParts...))
		finish(openParts[0])
		empty, _ := w.newBulk(bulk.Groups, 0)
		w.must(w.tryAddBulk(empty))
		last, lastPart := w.addBulk()
		end := finish(lastPart)
		exists := func(id bulk.ID) bool {
			_, err := w.read().Bulk.Get(w.ctx(), id)
			is.True(err == nil || isNotFound(err))
			return err == nil
		}
		for _, step := range []struct {
			before time.Time
			limit  int
			want   int
			kept   []bool // first, second, open, empty, last
		}{
			{first.CreatedAt, 9, 0, []bool{true, true, true, true, true}},
			{finished.Add(-time.Millisecond), 9, 1, []bool{false, true, true, true, true}},
			{finished, 9, 1, []bool{false, false, true, true, true}},
			{end.Add(-time.Millisecond), 9, 1, []bool{false, false, true, false, true}},
			{end, 0, 0, []bool{false, false, true, false, true}},
			{end, 1, 1, []bool{false, false, true, false, false}},
			{end.Add(100_000 * time.Hour), 9, 0, []bool{false, false, true, false, false}},
		} {
			n, err := w.schools.DeleteExpiredBulkJobs(w.ctx(), step.before, step.limit)
			is.NoErr(err)
			is.Equal(n, step.want)
			is.Equal([]bool{exists(first.ID), exists(second.ID), exists(open.ID), exists(empty.ID), exists(last.ID)}, step.kept)
		}
		is.True(isNotFound(w.tryFinish(parts[0].ID, parts[0].Outcome(nil, end)))) // the parts are deleted
		finish(openParts[1])                                                      // the open part is not
		n, err := w.schools.DeleteExpiredBulkJobs(w.ctx(), end.Add(time.Hour), 9)
		is.NoErr(err)
		is.Equal(n, 1)
		is.True(!exists(open.ID))
	})

	t.Run("DeleteExpiredBulkJobs deletes at most limit jobs of all schools", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		for _, s := range []tenant{w.tenant, newTenant(t, b, "Second"), newTenant(t, b, "Third")} {
			for range 2 {
				_, p := s.addBulk()
				s.must(s.tryFinish(p.ID, p.Outcome(nil, s.nextTime())))
			}
		}
		for _, want := range []int{4, 2, 0} {
			n, err := w.schools.DeleteExpiredBulkJobs(w.ctx(), fake.Start.Add(100_000*time.Hour), 4)
			is.NoErr(err)
			is.Equal(n, want)
		}
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
