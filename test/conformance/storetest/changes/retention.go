package changes

import (
	"math"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/bulk"
	"lyceum/domain/webhook"
	"lyceum/test/conformance/storetest/fixture"
	"lyceum/test/kit/fake"
)

// Retention tests the methods of ports.Schools that remove old changes and audit events of all
// schools. It runs before the other parts, which may use the same database.
func Retention(t *testing.T, b fixture.Backend) {
	t.Run("ExpireChanges removes the changes that are older than before, and sets Start", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		fixture.New(w.Tenant, "one")
		all := changesAfter(w.Tenant, 0)
		is.NoErr(w.Schools.ExpireChanges(w.Context(), time.Now().Add(-time.Hour)))
		is.Equal(feed(w.Tenant).Start, int64(0))
		is.Equal(changesAfter(w.Tenant, 0), all)
		before := all[len(all)-1].At // the last change is not older than itself
		is.NoErr(w.Schools.ExpireChanges(w.Context(), before))
		for _, c := range changesAfter(w.Tenant, 0) {
			is.True(c.Position > feed(w.Tenant).Start)
		}
		is.True(len(changesAfter(w.Tenant, 0)) > 0)
		is.NoErr(w.Schools.ExpireChanges(w.Context(), time.Now().Add(time.Hour)))
		is.Equal(len(changesAfter(w.Tenant, 0)), 0)
		is.Equal(feed(w.Tenant).Start, all[len(all)-1].Position)
		is.True(!feed(w.Tenant).Holds(all[0].Position))
		is.True(feed(w.Tenant).Holds(feed(w.Tenant).Start))
		w.AddCategory("Design")
		is.Equal(len(changesAfter(w.Tenant, feed(w.Tenant).Start)), 1)
	})

	t.Run("Changes that ExpireChanges removes from the feed keep their events", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		w.AddCategory("Design")
		all := trail(w.Tenant)
		is.NoErr(w.Schools.ExpireChanges(w.Context(), time.Now().Add(time.Hour)))
		is.Equal(len(changesAfter(w.Tenant, 0)), 0)
		is.Equal(trail(w.Tenant), all)
	})

	t.Run("DeleteExpiredWebhookDeliveries deletes deliveries that are not pending, up to limit", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		e := w.NewEndpoint("https://one.test")
		w.Save(e)
		all := []webhook.Delivery{w.NewMessage(e.ID, 1), w.NewMessage(e.ID, 2), w.NewMessage(e.ID, 3), w.NewMessage(e.ID, 4)}
		w.AddMessages(all...)
		for i := range 3 {
			all[i].GiveUp("failed")
		}
		finish(w.Tenant, e.ID, all[:3]...)
		for _, deleted := range []int{1, 1, 0} {
			n, err := w.Schools.DeleteExpiredWebhookDeliveries(w.Context(), all[2].CreatedAt, 1)
			is.NoErr(err)
			is.Equal(n, deleted)
		}
		is.Equal(fixture.Diff(messages(w.Tenant), all[2:]), "")
		n, err := w.Schools.DeleteExpiredWebhookDeliveries(w.Context(), time.Now().Add(100_000*time.Hour), 9)
		is.NoErr(err)
		is.Equal(n, 1)
	})

	t.Run("DeleteExpiredBulkJobs deletes jobs whose last part was finished, up to limit, with their parts", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		finish := func(p bulk.Part) time.Time {
			at := w.NextTime()
			w.Must(w.TryFinish(p.ID, p.Outcome(nil, at)))
			return at
		}
		first, firstPart := w.AddBulk()
		finish(firstPart)
		second, parts := w.NewBulk(bulk.Groups, 2)
		w.Must(w.TryAddBulk(second, parts...))
		finish(parts[1])
		finished := finish(parts[0])
		open, openParts := w.NewBulk(bulk.People, 2)
		w.Must(w.TryAddBulk(open, openParts...))
		finish(openParts[0])
		empty, _ := w.NewBulk(bulk.Groups, 0)
		w.Must(w.TryAddBulk(empty))
		last, lastPart := w.AddBulk()
		end := finish(lastPart)
		exists := func(id bulk.ID) bool {
			_, err := w.Read().Bulk.Get(w.Context(), id)
			is.True(err == nil || fixture.IsNotFound(err))
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
			n, err := w.Schools.DeleteExpiredBulkJobs(w.Context(), step.before, step.limit)
			is.NoErr(err)
			is.Equal(n, step.want)
			is.Equal([]bool{exists(first.ID), exists(second.ID), exists(open.ID), exists(empty.ID), exists(last.ID)}, step.kept)
		}
		is.True(fixture.IsNotFound(w.TryFinish(parts[0].ID, parts[0].Outcome(nil, end)))) // the parts are deleted
		finish(openParts[1])                                                              // the open part is not
		n, err := w.Schools.DeleteExpiredBulkJobs(w.Context(), end.Add(time.Hour), 9)
		is.NoErr(err)
		is.Equal(n, 1)
		is.True(!exists(open.ID))
	})

	t.Run("DeleteExpiredBulkJobs deletes at most limit jobs of all schools", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		for _, s := range []fixture.Tenant{w.Tenant, fixture.NewTenant(t, b, "Second"), fixture.NewTenant(t, b, "Third")} {
			for range 2 {
				_, p := s.AddBulk()
				s.Must(s.TryFinish(p.ID, p.Outcome(nil, s.NextTime())))
			}
		}
		for _, want := range []int{4, 2, 0} {
			n, err := w.Schools.DeleteExpiredBulkJobs(w.Context(), fake.Start.Add(100_000*time.Hour), 4)
			is.NoErr(err)
			is.Equal(n, want)
		}
	})

	t.Run("DeleteExpiredAuditEvents deletes the oldest events, up to limit, and their changes", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		fixture.New(w.Tenant, "one")
		all := trail(w.Tenant)
		n, err := w.Schools.DeleteExpiredAuditEvents(w.Context(), time.Now().Add(-time.Hour), math.MaxInt32)
		is.NoErr(err)
		is.Equal(n, 0)
		for n = 50; n == 50; { // also deletes events of other schools
			n, err = w.Schools.DeleteExpiredAuditEvents(w.Context(), time.Now().Add(time.Hour), 50)
			is.NoErr(err)
			rest := trail(w.Tenant)
			is.Equal(rest, all[len(all)-len(rest):])
			is.Equal(len(changesAfter(w.Tenant, 0)), len(rest))
		}
		is.Equal(len(trail(w.Tenant)), 0)
	})
}
