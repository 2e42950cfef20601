package learning

import (
	"context"
	"time"

	"lyceum/app/usecase"
	"lyceum/domain/activity"
	"lyceum/domain/completion"
	"lyceum/domain/event"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/ports"
)

// Sighting is an event as a client reports it.
type Sighting struct {
	Kind       event.Kind
	Person     person.ID
	Activity   activity.ID
	Watched    event.Fraction // of a video; without meaning for other kinds
	OccurredAt *time.Time     // nil: the client does not say
	ClientID   string         // blank: none
}

// event returns the event that the sighting comes to.
func (s Sighting) event(now time.Time) (event.Event, error) {
	e := event.View(s.Person, s.Activity)
	if s.Kind == event.ViewedVideo {
		e.Kind, e.Watched = s.Kind, &s.Watched
	}
	return e.Reported(s.OccurredAt, s.ClientID, now)
}

// MaxSightings is how many events may be reported at once.
const MaxSightings = 1000

// Record records what people have viewed and returns the events as they stand in
// the feed: all or, when anything is wrong, none. A sighting whose client id an
// event of the school has already is that event again, whatever has become of the
// person's enrollment since; it must say the same. All faults are told, each at
// the row of its sighting.
func (u *Learning) Record(ctx context.Context, a usecase.Actor, all []Sighting) ([]event.Event, error) {
	if a.Dependent() {
		events, _, err := u.recordAll(ctx, a, all)
		return events, err
	}
	return u.together.record(ctx, a.School(), all,
		func(ctx context.Context, all []Sighting) ([]event.Event, bool, error) {
			return u.recordAll(ctx, a, all)
		})
}

// recordAll is Record in a transaction for these alone, and a recordFunc.
func (u *Learning) recordAll(ctx context.Context, a usecase.Actor, all []Sighting) (recorded []event.Event, ended bool, err error) {
	now := u.deps.Clock.Now()
	err = u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		ended = false // of an earlier try
		r := recording{events: make([]event.Event, len(all)), first: map[string]int{}}
		for i, s := range all {
			e, err := s.event(now)
			r.events[i] = e
			r.fail(err, i)
			if err != nil { // for the checks that follow
				r.events[i] = event.Event{Person: s.Person, Activity: s.Activity, Watched: watchedOf(s)}
			}
		}
		if err := r.pass(ctx, tx); err != nil {
			return err
		}
		if err := u.check(ctx, tx, &r, now); err != nil {
			return err
		}
		if err := fault.Join(r.faults...); err != nil {
			return err
		}
		if err := u.complete(ctx, tx, &r); err != nil {
			return err
		}
		if err := r.append(ctx, tx, now); err != nil {
			return err
		}
		recorded, ended = r.events, true
		return nil
	})
	if err != nil {
		recorded = nil
	}
	return recorded, ended, err
}

func watchedOf(s Sighting) *event.Fraction {
	if s.Kind == event.ViewedVideo {
		return &s.Watched
	}
	return nil
}

// recording is events on their way into the feed.
type recording struct {
	events  []event.Event
	fresh   []int          // the rows of those that are to be appended
	repeats []int          // the rows of those that repeat an earlier row
	first   map[string]int // the row in which a client's id stands first
	faults  []error

	studies   resolved // of fresh
	completed []int    // in fresh: those that complete their activity
}

func (r *recording) fail(err error, row int) { r.faults = append(r.faults, fault.AtRow(err, row)) }

// pass parts the events that are new from those that are there already, which it
// puts in the place of their repeats.
func (r *recording) pass(ctx context.Context, tx ports.Tx) error {
	var ids []string
	for _, e := range r.events {
		if e.ClientID != "" {
			ids = append(ids, e.ClientID)
		}
	}
	var known map[string]event.Event
	if len(ids) > 0 {
		var err error
		if known, err = tx.Events.ByClientIDs(ctx, ids); err != nil {
			return err
		}
	}
	for i, e := range r.events {
		before, repeats := known[e.ClientID]
		row, twice := r.first[e.ClientID]
		switch {
		case e.ClientID == "":
			r.fresh = append(r.fresh, i)
			continue
		case repeats:
			r.events[i] = before
		case twice:
			before = r.events[row]
			r.repeats = append(r.repeats, i)
		default:
			r.first[e.ClientID] = i
			r.fresh = append(r.fresh, i)
			continue
		}
		if !before.Repeats(e) {
			r.fail(fault.Invalidf("client_id", "is that of another event"), i)
		}
	}
	return nil
}

// check says what is wrong with the events that are new, and notes those that
// complete their activity.
func (u *Learning) check(ctx context.Context, tx ports.Tx, r *recording, now time.Time) error {
	if len(r.fresh) == 0 {
		return nil
	}
	tasks := make([]task, len(r.fresh))
	for i, row := range r.fresh {
		tasks[i] = task{r.events[row].Person, r.events[row].Activity, row}
	}
	var err error
	if r.studies, err = u.resolve(ctx, tx, tasks, now); err != nil && !fault.IsRefusal(err) {
		return err
	}
	r.faults = append(r.faults, err)
	rules := u.deps.Policies.Living.Record
	for i, row := range r.fresh {
		e, s := r.events[row], r.studies.all[i]
		if s.there {
			r.fail(rules.Check(policy.Recording{Event: e, Activity: s.activity}), row)
		}
		if e.Watched != nil && s.there {
			_, err := event.Watch(e.Person, s.activity, *e.Watched)
			r.fail(err, row)
		}
		if completion.ByEvent(e) {
			r.completed = append(r.completed, i)
		}
	}
	return nil
}

// complete begins the course attempts in which the new events are, and completes the
// activities that these complete.
func (u *Learning) complete(ctx context.Context, tx ports.Tx, r *recording) error {
	if len(r.fresh) == 0 {
		return nil
	}
	if err := u.begin(ctx, tx, r.studies); err != nil {
		return err
	}
	all := make([]study, len(r.completed))
	for i, at := range r.completed {
		all[i] = r.studies.all[at]
	}
	_, refused, err := completeAll(ctx, u.deps.Policies.Living, tx, all)
	if err != nil {
		return err
	}
	for i, at := range r.completed {
		refused[i] = fault.AtRow(refused[i], r.fresh[at])
	}
	return fault.Join(refused...)
}

// append puts the events that are new at the end of the feed, which comes last:
// others wait for it.
func (r *recording) append(ctx context.Context, tx ports.Tx, now time.Time) error {
	if len(r.fresh) > 0 {
		fresh := make([]event.Event, len(r.fresh))
		for i, row := range r.fresh {
			fresh[i] = r.events[row]
		}
		kept, err := tx.Events.Append(ctx, fresh, now)
		if err != nil {
			return err
		}
		for i, row := range r.fresh {
			r.events[row] = kept[i]
		}
	}
	for _, row := range r.repeats {
		r.events[row] = r.events[r.first[r.events[row].ClientID]]
	}
	return nil
}
