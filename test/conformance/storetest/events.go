package storetest

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
)

// append appends events at the given instant and returns them as saved.
func (s tenant) append(at time.Time, es ...event.Event) []event.Event {
	s.t.Helper()
	kept, err := inTx(s, func(ctx context.Context, tx ports.Tx) ([]event.Event, error) {
		return tx.Events.Append(ctx, es, at)
	})
	s.must(err)
	return kept
}

// timed returns a copy of es with the given creation time.
func timed(at time.Time, es ...event.Event) []event.Event {
	es = slices.Clone(es)
	for i := range es {
		es[i].CreatedAt = at
	}
	return es
}

// events tests ports.EventLog.
func events(t *testing.T, b Backend) {
	const ms = time.Millisecond

	t.Run("Append adds events at the end of the feed and returns them with positions and times", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		view, part := event.NewView(l.learner.ID, l.text.ID), watched(l.learner.ID, l.video.ID, 333_333)
		whole, none := watched(l.learner.ID, l.video.ID, 1_000_000), watched(l.learner.ID, l.video.ID, 0)
		given := []event.Event{view, part, whole, none}
		at := w.nextTime()
		kept := w.append(at, given...)
		is.Equal(diff(kept, timed(at, view, part, whole, none)), "")
		is.Equal(given, []event.Event{view, part, whole, none}) // the argument is not modified
		checkAscending(t, kept)
		is.Equal(kept, w.all().Events) // including the positions
		later := w.nextTime()
		more := w.append(later, view)
		is.Equal(w.all().Events, slices.Concat(kept, more))
		is.True(more[0].Position > kept[3].Position)
		is.Equal(len(w.append(w.nextTime())), 0)
		is.Equal(len(w.all().Events), 5)
	})

	t.Run("Events get the given instant, or the millisecond after the last event if that event is not earlier", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		one, two := event.NewView(l.learner.ID, l.text.ID), event.NewView(l.learner.ID, l.quizActivity.ID)
		at := w.nextTime()
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
				w.append(at, one)
			}
			is.Equal(diff(w.append(tt.at, one, two), timed(tt.wanted, one, two)), "")
			want = append(want, timed(tt.wanted, one, two)...)
		}
		is.Equal(diff(w.all().Events, want), "")
		w.do(func(ctx context.Context, tx ports.Tx) error {
			_, errOne := tx.Events.Append(ctx, []event.Event{one}, at)
			_, errTwo := tx.Events.Append(ctx, []event.Event{two}, at)
			return errors.Join(errOne, errTwo)
		})
		want = append(append(want, timed(at.Add(time.Hour+ms), one)...), timed(at.Add(time.Hour+2*ms), two)...)
		is.Equal(diff(w.all().Events, want), "")
		checkAscending(t, w.all().Events)
	})

	t.Run("Append returns an error for an unknown person or activity", func(t *testing.T) {
		w := newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		for _, bad := range []event.Event{
			event.NewView(w.newPerson("none@example.test").ID, l.text.ID), event.NewView(l.learner.ID, l.unknownActivity(w.tenant)),
		} {
			bad.CreatedAt = w.nextTime()
			w.mustReject(bad)
		}
	})

	t.Run("Append blocks an Append of another transaction", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		one := l.addLearner(w.tenant, "grace@example.test")
		at := w.nextTime()
		mine := func(ctx context.Context, tx ports.Tx) error {
			return second(tx.Events.Append(ctx, []event.Event{event.NewView(l.learner.ID, l.text.ID)}, at))
		}
		theirs := func(ctx context.Context, tx ports.Tx) error {
			return second(tx.Events.Append(ctx, []event.Event{event.NewView(one.Person, l.text.ID)}, at))
		}
		is.NoErr(w.checkBlocks(mine, func() error { return w.try(theirs) }))
		all := w.all().Events
		is.Equal(len(all), 3) // checkBlocks appends two events
		is.Equal(all[2].Person, one.Person)
		checkAscending(t, all)
	})

	t.Run("Append of one school does not block that of another", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l, other := newCourseFixture(w.tenant, "one"), newTenant(t, b, "Second")
		theirs := newCourseFixture(other, "two")
		mine := func(ctx context.Context, tx ports.Tx) error {
			return second(tx.Events.Append(ctx, []event.Event{event.NewView(l.learner.ID, l.text.ID)}, w.clock.Now()))
		}
		is.NoErr(w.concurrently(mine, func() error {
			return other.trySave(event.NewView(theirs.learner.ID, theirs.text.ID))
		}))
	})

	t.Run("Readers do not block on a transaction that appends", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		w.append(w.nextTime(), event.NewView(l.learner.ID, l.text.ID))
		before := w.all()
		var during everything
		w.do(func(ctx context.Context, tx ports.Tx) error {
			_, err := tx.Events.Append(ctx, []event.Event{event.NewView(l.learner.ID, l.text.ID)}, w.clock.Now())
			during = w.all()
			return err
		})
		is.Equal(diff(during, before), "")
		is.Equal(len(w.all().Events), 2)
	})

	t.Run("DeleteByPerson deletes all events of the person", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		other := l.addLearner(w.tenant, "grace@example.test")
		mine, theirs := event.NewView(l.learner.ID, l.text.ID), event.NewView(other.Person, l.text.ID)
		at := w.nextTime()
		w.append(at, mine, theirs, mine)
		last := w.append(at.Add(time.Hour), mine)[0]
		for range 2 { // deleting again changes nothing
			w.do(func(ctx context.Context, tx ports.Tx) error {
				return second(tx.Events.DeleteByPerson(ctx, l.learner.ID, math.MaxInt32))
			})
			is.Equal(diff(w.all().Events, timed(at, theirs)), "")
		}
		next := w.append(at, theirs)[0]
		is.True(next.Position > last.Position) // a reader that continues after the deleted event reads this event too
		is.True(next.CreatedAt.After(last.CreatedAt))
	})

	t.Run("Rolled-back events are not in the feed", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		e := event.NewView(l.learner.ID, l.text.ID)
		kept := w.append(w.nextTime(), e)
		is.True(w.try(func(ctx context.Context, tx ports.Tx) error {
			return errors.Join(second(tx.Events.Append(ctx, []event.Event{e, e}, w.nextTime())), errDropped)
		}) != nil)
		is.Equal(w.all().Events, kept)
		is.Equal(diff(w.append(kept[0].CreatedAt, e), timed(kept[0].CreatedAt.Add(ms), e)), "")
	})

	t.Run("A transaction lists the events that it has appended", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		var listed, kept []event.Event
		w.do(func(ctx context.Context, tx ports.Tx) (err error) {
			if kept, err = tx.Events.Append(ctx, []event.Event{event.NewView(l.learner.ID, l.text.ID)}, w.nextTime()); err != nil {
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
