package learning

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/event"
	"lyceum/domain/query"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// timed returns a copy of es with the given creation time.
func timed(at time.Time, es ...event.Event) []event.Event {
	es = slices.Clone(es)
	for i := range es {
		es[i].CreatedAt = at
	}
	return es
}

// Events tests ports.EventLog.
func Events(t *testing.T, b fixture.Backend) {
	const ms = time.Millisecond

	t.Run("Append adds events at the end of the feed and returns them with positions and times", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		view, part := event.NewView(l.Learner.ID, l.Text.ID), fixture.Watched(l.Learner.ID, l.Video.ID, 333_333)
		whole, none := fixture.Watched(l.Learner.ID, l.Video.ID, 1_000_000), fixture.Watched(l.Learner.ID, l.Video.ID, 0)
		given := []event.Event{view, part, whole, none}
		at := w.NextTime()
		kept := w.Append(at, given...)
		is.Equal(fixture.Diff(kept, timed(at, view, part, whole, none)), "")
		is.Equal(given, []event.Event{view, part, whole, none}) // the argument is not modified
		checkAscending(t, kept)
		is.Equal(kept, w.All().Events) // including the positions
		later := w.NextTime()
		more := w.Append(later, view)
		is.Equal(w.All().Events, slices.Concat(kept, more))
		is.True(more[0].Position > kept[3].Position)
		is.Equal(len(w.Append(w.NextTime())), 0)
		is.Equal(len(w.All().Events), 5)
	})

	t.Run("Events get the given instant, or the millisecond after the last event if that event is not earlier", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		one, two := event.NewView(l.Learner.ID, l.Text.ID), event.NewView(l.Learner.ID, l.QuizActivity.ID)
		at := w.NextTime()
		want := timed(at, one)
		for _, tt := range []struct {
			name   string
			at     time.Time
			wanted time.Time
		}{
			{"the same instant", at, at.Add(ms)},
			{"an earlier instant", at.Add(-time.Hour), at.Add(2 * ms)},
			{"the instant of the last event", at.Add(2 * ms), at.Add(3 * ms)},
			{"a later instant", at.Add(4 * ms), at.Add(4 * ms)},
			{"a much later instant", at.Add(time.Hour), at.Add(time.Hour)},
		} {
			if len(want) == 1 {
				w.Append(at, one)
			}
			is.Equal(fixture.Diff(w.Append(tt.at, one, two), timed(tt.wanted, one, two)), "")
			want = append(want, timed(tt.wanted, one, two)...)
		}
		is.Equal(fixture.Diff(w.All().Events, want), "")
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			_, errOne := tx.Events.Append(ctx, []event.Event{one}, at)
			_, errTwo := tx.Events.Append(ctx, []event.Event{two}, at)
			return errors.Join(errOne, errTwo)
		})
		want = append(append(want, timed(at.Add(time.Hour+ms), one)...), timed(at.Add(time.Hour+2*ms), two)...)
		is.Equal(fixture.Diff(w.All().Events, want), "")
		checkAscending(t, w.All().Events)
	})

	t.Run("Append returns an error for an unknown person or activity", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		for _, bad := range []event.Event{
			event.NewView(w.NewPerson("none@example.test").ID, l.Text.ID), event.NewView(l.Learner.ID, unknownActivity(l, w.Tenant)),
		} {
			bad.CreatedAt = w.NextTime()
			w.MustReject(bad)
		}
	})

	t.Run("Append blocks an Append of another transaction", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		one := l.AddLearner(w.Tenant, "grace@example.test")
		at := w.NextTime()
		mine := func(ctx context.Context, tx ports.Tx) error {
			return fixture.Second(tx.Events.Append(ctx, []event.Event{event.NewView(l.Learner.ID, l.Text.ID)}, at))
		}
		theirs := func(ctx context.Context, tx ports.Tx) error {
			return fixture.Second(tx.Events.Append(ctx, []event.Event{event.NewView(one.Person, l.Text.ID)}, at))
		}
		is.NoErr(w.CheckBlocks(mine, func() error { return w.Try(theirs) }))
		all := w.All().Events
		is.Equal(len(all), 3) // CheckBlocks appends two events
		is.Equal(all[2].Person, one.Person)
		checkAscending(t, all)
	})

	t.Run("Append of one school does not block that of another", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l, other := fixture.NewCourseFixture(w.Tenant, "one"), fixture.NewTenant(t, b, "Second")
		theirs := fixture.NewCourseFixture(other, "two")
		mine := func(ctx context.Context, tx ports.Tx) error {
			return fixture.Second(tx.Events.Append(ctx, []event.Event{event.NewView(l.Learner.ID, l.Text.ID)}, w.Clock.Now()))
		}
		is.NoErr(w.Concurrently(mine, func() error {
			return other.TrySave(event.NewView(theirs.Learner.ID, theirs.Text.ID))
		}))
	})

	t.Run("Readers do not block on a transaction that appends", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		w.Append(w.NextTime(), event.NewView(l.Learner.ID, l.Text.ID))
		before := w.All()
		var during fixture.Everything
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			_, err := tx.Events.Append(ctx, []event.Event{event.NewView(l.Learner.ID, l.Text.ID)}, w.Clock.Now())
			during = w.All()
			return err
		})
		is.Equal(fixture.Diff(during, before), "")
		is.Equal(len(w.All().Events), 2)
	})

	t.Run("DeleteByPerson deletes all events of the person", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		other := l.AddLearner(w.Tenant, "grace@example.test")
		mine, theirs := event.NewView(l.Learner.ID, l.Text.ID), event.NewView(other.Person, l.Text.ID)
		at := w.NextTime()
		w.Append(at, mine, theirs, mine)
		last := w.Append(at.Add(time.Hour), mine)[0]
		for range 2 { // deleting again changes nothing
			w.Do(func(ctx context.Context, tx ports.Tx) error {
				return fixture.Second(tx.Events.DeleteByPerson(ctx, l.Learner.ID, math.MaxInt32))
			})
			is.Equal(fixture.Diff(w.All().Events, timed(at, theirs)), "")
		}
		next := w.Append(at, theirs)[0]
		is.True(next.Position > last.Position) // a reader that continues after the deleted event reads this event too
		is.True(next.CreatedAt.After(last.CreatedAt))
	})

	t.Run("Rolled-back events are not in the feed", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		e := event.NewView(l.Learner.ID, l.Text.ID)
		kept := w.Append(w.NextTime(), e)
		is.True(w.Try(func(ctx context.Context, tx ports.Tx) error {
			return errors.Join(fixture.Second(tx.Events.Append(ctx, []event.Event{e, e}, w.NextTime())), fixture.ErrDropped)
		}) != nil)
		is.Equal(w.All().Events, kept)
		is.Equal(fixture.Diff(w.Append(kept[0].CreatedAt, e), timed(kept[0].CreatedAt.Add(ms), e)), "")
	})

	t.Run("A transaction lists the events that it has appended", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		var listed, kept []event.Event
		w.Do(func(ctx context.Context, tx ports.Tx) (err error) {
			if kept, err = tx.Events.Append(ctx, []event.Event{event.NewView(l.Learner.ID, l.Text.ID)}, w.NextTime()); err != nil {
				return err
			}
			found, err := tx.Events.List(ctx, query.Query{})
			listed = found.Items
			return err
		})
		is.Equal(listed, kept)
	})
}

// checkAscending checks that positions increase and times do not decrease.
func checkAscending(t *testing.T, es []event.Event) {
	t.Helper()
	for i := 1; i < len(es); i++ {
		if es[i].Position <= es[i-1].Position || es[i].CreatedAt.Before(es[i-1].CreatedAt) {
			t.Fatalf("%v follows %v", es[i], es[i-1])
		}
	}
}
