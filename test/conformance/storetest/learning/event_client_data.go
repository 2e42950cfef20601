package learning

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
	"lyceum/test/conformance/storetest/fixture"
)

// byClientIDs returns the events of a person that have one of the client ids, by client id.
func byClientIDs(s fixture.Tenant, p person.ID, ids ...string) map[string]event.Event {
	s.T.Helper()
	var keys []event.ClientKey
	for _, id := range ids {
		keys = append(keys, event.ClientKey{Person: p, ID: id})
	}
	found, err := fixture.InTx(s, func(ctx context.Context, tx ports.Tx) (map[event.ClientKey]event.Event, error) {
		return tx.Events.ByClientKeys(ctx, keys)
	})
	s.Must(err)
	byID := map[string]event.Event{}
	for k, e := range found {
		if k != e.ClientKey() {
			s.T.Errorf("the event %+v has the key %+v", e, k)
		}
		byID[k.ID] = e
	}
	return byID
}

// EventClientData tests what ports.EventLog promises about the client ids of events and about the
// times that clients report.
func EventClientData(t *testing.T, b fixture.Backend) {
	t.Run("Append saves the time and the client id of an event", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		occurred := time.Date(1970, 1, 1, 0, 0, 0, 1_000_000, time.UTC)
		one, two := fixture.Watched(l.Learner.ID, l.Video.ID, 333_333), event.NewView(l.Learner.ID, l.Text.ID)
		one.OccurredAt, one.ClientID = &occurred, `~%_\"A`
		two.ClientID = `~%_\"a` // differs from the other client id only in case
		kept := w.Append(w.NextTime(), one, two)
		is.Equal(fixture.Diff(w.All().Events, kept), "")
		is.True(kept[0].SameAs(one))
		*kept[0].OccurredAt = w.NextTime() // the result is a copy
		is.Equal(*w.All().Events[0].OccurredAt, occurred)
	})

	t.Run("ByClientKeys returns the events by client key and omits unknown client keys", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		one, two, none := event.NewView(l.Learner.ID, l.Text.ID), event.NewView(l.Learner.ID, l.Video.ID), event.NewView(l.Learner.ID, l.Text.ID)
		one.ClientID, two.ClientID = "one", "two"
		kept := w.Append(w.NextTime(), one, none, two)
		is.Equal(fixture.Diff(byClientIDs(w.Tenant, l.Learner.ID, "two", "ONE", "", "three\x00", "one", "one"), map[string]event.Event{"one": kept[0], "two": kept[2]}), "")
		is.Equal(len(byClientIDs(w.Tenant, l.Learner.ID)), 0)
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			return fixture.Second(tx.Events.DeleteByPerson(ctx, l.Learner.ID, math.MaxInt32))
		})
		is.Equal(len(byClientIDs(w.Tenant, l.Learner.ID, "one", "two")), 0)
		again := event.NewView(l.Learner.ID, l.Text.ID)
		again.ClientID = "one"
		is.Equal(len(w.Append(w.NextTime(), again)), 1) // the client id is free again
	})

	t.Run("The client ids of the events of a deleted course are free", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		gone, l := fixture.NewCourseFixture(w.Tenant, "one"), fixture.NewCourseFixture(w.Tenant, "two")
		e := event.NewView(gone.Learner.ID, gone.Text.ID)
		e.ClientID = "one"
		w.Append(w.NextTime(), e)
		is.NoErr(fixture.Second(w.DeleteCourse(gone.Course.ID)))
		is.Equal(len(byClientIDs(w.Tenant, gone.Learner.ID, "one")), 0)
		again := event.NewView(gone.Learner.ID, l.Text.ID)
		again.ClientID = "one"
		is.Equal(len(w.Append(w.NextTime(), again)), 1)
	})

	t.Run("Append returns an error for a client id that is taken or used twice", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		one, fresh := event.NewView(l.Learner.ID, l.Text.ID), event.NewView(l.Learner.ID, l.Video.ID)
		one.ClientID, fresh.ClientID = "one", "fresh"
		w.Append(w.NextTime(), one)
		before := w.All()
		for _, es := range [][]event.Event{{fresh, one}, {fresh, fresh}} {
			is.True(w.Try(func(ctx context.Context, tx ports.Tx) error {
				return fixture.Second(tx.Events.Append(ctx, es, w.NextTime()))
			}) != nil)
			is.Equal(fixture.Diff(w.All(), before), "")
		}
	})

	t.Run("Another school can use the same client id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l, other := fixture.NewCourseFixture(w.Tenant, "one"), fixture.NewTenant(t, b, "Second")
		theirs := fixture.NewCourseFixture(other, "two")
		one, two := event.NewView(l.Learner.ID, l.Text.ID), event.NewView(theirs.Learner.ID, theirs.Text.ID)
		one.ClientID, two.ClientID = "one", "one"
		w.Append(w.NextTime(), one)
		other.Append(other.NextTime(), two)
		is.Equal(len(byClientIDs(w.Tenant, l.Learner.ID, "one")), 1)
		is.Equal(len(byClientIDs(other, theirs.Learner.ID, "one")), 1)
	})

	t.Run("Another person can use the same client id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		other := l.AddLearner(w.Tenant, "grace@example.test").Person
		one, two, three := event.NewView(l.Learner.ID, l.Text.ID), event.NewView(other, l.Text.ID), event.NewView(other, l.Video.ID)
		one.ClientID, two.ClientID, three.ClientID = "one", "one", "three"
		kept := w.Append(w.NextTime(), one)
		kept = append(kept, w.Append(w.NextTime(), two, three)...)
		keys := []event.ClientKey{one.ClientKey(), two.ClientKey(), {Person: l.Learner.ID, ID: "three"}}
		found, err := fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) (map[event.ClientKey]event.Event, error) {
			return tx.Events.ByClientKeys(ctx, keys)
		})
		is.NoErr(err)
		is.Equal(fixture.Diff(found, map[event.ClientKey]event.Event{keys[0]: kept[0], keys[1]: kept[1]}), "")
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			return fixture.Second(tx.Events.DeleteByPerson(ctx, l.Learner.ID, math.MaxInt32))
		})
		is.Equal(fixture.Diff(byClientIDs(w.Tenant, other, "one"), map[string]event.Event{"one": kept[1]}), "") // the ids of the other person remain
	})

	t.Run("If concurrent transactions look up a client id and append it if absent, one appends and the others find its event", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		e := event.NewView(l.Learner.ID, l.Text.ID)
		e.ClientID = "once"
		var found [fixture.Goroutines]event.Event
		for _, err := range fixture.AtOnce(func(i int) (err error) {
			found[i], err = fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) (event.Event, error) {
				known, err := tx.Events.ByClientKeys(ctx, []event.ClientKey{e.ClientKey()})
				if err != nil || len(known) == 1 {
					return known[e.ClientKey()], err
				}
				kept, err := tx.Events.Append(ctx, []event.Event{e}, w.Clock.Now())
				if err != nil {
					return event.Event{}, err
				}
				return kept[0], nil
			})
			return err
		}) {
			is.True(err == nil || fault.Is(err, fault.Unavailable))
		}
		all := w.All().Events
		is.Equal(len(all), 1)
		for i := range found {
			is.Equal(fixture.Diff(found[i], all[0]), "")
		}
	})
}
