package storetest

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/event"
	"lyceum/domain/fault"
	"lyceum/ports"
)

// byClientIDs returns the events that have one of the client ids, by client id.
func (s tenant) byClientIDs(ids ...string) map[string]event.Event {
	s.t.Helper()
	found, err := inTx(s, func(ctx context.Context, tx ports.Tx) (map[string]event.Event, error) {
		return tx.Events.ByClientIDs(ctx, ids)
	})
	s.must(err)
	return found
}

// eventClientData tests what ports.EventLog promises about the client ids of events and about the
// times that clients report.
func eventClientData(t *testing.T, b Backend) {
	t.Run("Append saves the time and the client id of an event", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		occurred := time.Date(1970, 1, 1, 0, 0, 0, 1_000_000, time.UTC)
		one, two := watched(l.learner.ID, l.video.ID, 333_333), event.NewView(l.learner.ID, l.text.ID)
		one.OccurredAt, one.ClientID = &occurred, `~%_\"A`
		two.ClientID = `~%_\"a` // differs from the other client id only in case
		kept := w.append(w.nextTime(), one, two)
		is.Equal(diff(w.all().Events, kept), "")
		is.True(kept[0].SameAs(one))
		*kept[0].OccurredAt = w.nextTime() // the result is a copy
		is.Equal(*w.all().Events[0].OccurredAt, occurred)
	})

	t.Run("ByClientIDs returns the events by client id and omits unknown client ids", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		one, two, none := event.NewView(l.learner.ID, l.text.ID), event.NewView(l.learner.ID, l.video.ID), event.NewView(l.learner.ID, l.text.ID)
		one.ClientID, two.ClientID = "one", "two"
		kept := w.append(w.nextTime(), one, none, two)
		is.Equal(diff(w.byClientIDs("two", "ONE", "", "three\x00", "one", "one"), map[string]event.Event{"one": kept[0], "two": kept[2]}), "")
		is.Equal(len(w.byClientIDs()), 0)
		w.do(func(ctx context.Context, tx ports.Tx) error {
			return second(tx.Events.DeleteByPerson(ctx, l.learner.ID, math.MaxInt32))
		})
		is.Equal(len(w.byClientIDs("one", "two")), 0)
		other := l.addLearner(w.tenant, "grace@example.test")
		again := event.NewView(other.Person, l.text.ID)
		again.ClientID = "one"
		is.Equal(len(w.append(w.nextTime(), again)), 1) // the client id is free again
	})

	t.Run("The client ids of the events of a deleted course are free", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		gone, l := newCourseFixture(w.tenant, "one"), newCourseFixture(w.tenant, "two")
		e := event.NewView(gone.learner.ID, gone.text.ID)
		e.ClientID = "one"
		w.append(w.nextTime(), e)
		is.NoErr(second(w.deleteCourse(gone.course.ID)))
		is.Equal(len(w.byClientIDs("one")), 0)
		again := event.NewView(l.learner.ID, l.text.ID)
		again.ClientID = "one"
		is.Equal(len(w.append(w.nextTime(), again)), 1)
	})

	t.Run("Append returns an error for a client id that is taken or used twice", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		one, fresh := event.NewView(l.learner.ID, l.text.ID), event.NewView(l.learner.ID, l.video.ID)
		one.ClientID, fresh.ClientID = "one", "fresh"
		w.append(w.nextTime(), one)
		before := w.all()
		for _, es := range [][]event.Event{{fresh, one}, {fresh, fresh}} {
			is.True(w.try(func(ctx context.Context, tx ports.Tx) error { return second(tx.Events.Append(ctx, es, w.nextTime())) }) != nil)
			is.Equal(diff(w.all(), before), "")
		}
	})

	t.Run("Another school can use the same client id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l, other := newCourseFixture(w.tenant, "one"), newTenant(t, b, "Second")
		theirs := newCourseFixture(other, "two")
		one, two := event.NewView(l.learner.ID, l.text.ID), event.NewView(theirs.learner.ID, theirs.text.ID)
		one.ClientID, two.ClientID = "one", "one"
		w.append(w.nextTime(), one)
		other.append(other.nextTime(), two)
		is.Equal(w.byClientIDs("one")["one"].Person, l.learner.ID)
		is.Equal(other.byClientIDs("one")["one"].Person, theirs.learner.ID)
	})

	t.Run("If concurrent transactions look up a client id and append it if absent, one appends and the others find its event", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		e := event.NewView(l.learner.ID, l.text.ID)
		e.ClientID = "once"
		var found [goroutines]event.Event
		for _, err := range atOnce(func(i int) (err error) {
			found[i], err = inTx(w.tenant, func(ctx context.Context, tx ports.Tx) (event.Event, error) {
				known, err := tx.Events.ByClientIDs(ctx, []string{e.ClientID})
				if err != nil || len(known) == 1 {
					return known[e.ClientID], err
				}
				kept, err := tx.Events.Append(ctx, []event.Event{e}, w.clock.Now())
				if err != nil {
					return event.Event{}, err
				}
				return kept[0], nil
			})
			return err
		}) {
			is.True(err == nil || fault.Is(err, fault.Unavailable))
		}
		all := w.all().Events
		is.Equal(len(all), 1)
		for i := range found {
			is.Equal(diff(found[i], all[0]), "")
		}
	})
}
