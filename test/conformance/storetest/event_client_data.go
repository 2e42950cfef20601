package storetest

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/event"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/ports"
)

// byClientIDs returns the events of a person that have one of the client ids, by client id.
func (s tenant) byClientIDs(p person.ID, ids ...string) map[string]event.Event {
	s.t.Helper()
	var keys []event.ClientKey
	for _, id := range ids {
		keys = append(keys, event.ClientKey{Person: p, ID: id})
	}
	found, err := inTx(s, func(ctx context.Context, tx ports.Tx) (map[event.ClientKey]event.Event, error) {
		return tx.Events.ByClientKeys(ctx, keys)
	})
	s.must(err)
	byID := map[string]event.Event{}
	for k, e := range found {
		if k != e.ClientKey() {
			s.t.Errorf("the event %+v has the key %+v", e, k)
		}
		byID[k.ID] = e
	}
	return byID
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

	t.Run("ByClientKeys returns the events by client key and omits unknown client keys", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		one, two, none := event.NewView(l.learner.ID, l.text.ID), event.NewView(l.learner.ID, l.video.ID), event.NewView(l.learner.ID, l.text.ID)
		one.ClientID, two.ClientID = "one", "two"
		kept := w.append(w.nextTime(), one, none, two)
		is.Equal(diff(w.byClientIDs(l.learner.ID, "two", "ONE", "", "three\x00", "one", "one"), map[string]event.Event{"one": kept[0], "two": kept[2]}), "")
		is.Equal(len(w.byClientIDs(l.learner.ID)), 0)
		w.do(func(ctx context.Context, tx ports.Tx) error {
			return second(tx.Events.DeleteByPerson(ctx, l.learner.ID, math.MaxInt32))
		})
		is.Equal(len(w.byClientIDs(l.learner.ID, "one", "two")), 0)
		again := event.NewView(l.learner.ID, l.text.ID)
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
		is.Equal(len(w.byClientIDs(gone.learner.ID, "one")), 0)
		again := event.NewView(gone.learner.ID, l.text.ID)
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
		is.Equal(len(w.byClientIDs(l.learner.ID, "one")), 1)
		is.Equal(len(other.byClientIDs(theirs.learner.ID, "one")), 1)
	})

	t.Run("Another person can use the same client id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		other := l.addLearner(w.tenant, "grace@example.test").Person
		one, two, three := event.NewView(l.learner.ID, l.text.ID), event.NewView(other, l.text.ID), event.NewView(other, l.video.ID)
		one.ClientID, two.ClientID, three.ClientID = "one", "one", "three"
		kept := w.append(w.nextTime(), one)
		kept = append(kept, w.append(w.nextTime(), two, three)...)
		keys := []event.ClientKey{one.ClientKey(), two.ClientKey(), {Person: l.learner.ID, ID: "three"}}
		found, err := inTx(w.tenant, func(ctx context.Context, tx ports.Tx) (map[event.ClientKey]event.Event, error) {
			return tx.Events.ByClientKeys(ctx, keys)
		})
		is.NoErr(err)
		is.Equal(diff(found, map[event.ClientKey]event.Event{keys[0]: kept[0], keys[1]: kept[1]}), "")
		w.do(func(ctx context.Context, tx ports.Tx) error {
			return second(tx.Events.DeleteByPerson(ctx, l.learner.ID, math.MaxInt32))
		})
		is.Equal(diff(w.byClientIDs(other, "one"), map[string]event.Event{"one": kept[1]}), "") // the ids of the other person remain
	})

	t.Run("If concurrent transactions look up a client id and append it if absent, one appends and the others find its event", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		e := event.NewView(l.learner.ID, l.text.ID)
		e.ClientID = "once"
		var found [goroutines]event.Event
		for _, err := range atOnce(func(i int) (err error) {
			found[i], err = inTx(w.tenant, func(ctx context.Context, tx ports.Tx) (event.Event, error) {
				known, err := tx.Events.ByClientKeys(ctx, []event.ClientKey{e.ClientKey()})
				if err != nil || len(known) == 1 {
					return known[e.ClientKey()], err
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
