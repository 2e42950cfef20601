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

// EventReport is an event as reported by a client.
type EventReport struct {
	Kind       event.Kind
	Person     person.ID
	Activity   activity.ID
	Watched    event.Fraction // videos only
	OccurredAt *time.Time     // nil: unknown
	ClientID   string         // blank: none
}

func (s EventReport) event(now time.Time) (event.Event, error) {
	e := event.NewView(s.Person, s.Activity)
	if s.Kind == event.ViewedVideo {
		e.Kind, e.Watched = s.Kind, &s.Watched
	}
	return e.WithClientData(s.OccurredAt, s.ClientID, now)
}

// MaxEventReports is the maximum number of events in one request.
const MaxEventReports = 1000

// RecordEvents appends events to the feed and returns them; if one is invalid it appends none. A
// report with the client ID of an existing event must be equal to it, and that event is returned,
// even if the person is no longer enrolled. All faults are returned, each with its row.
func (u *Learning) RecordEvents(ctx context.Context, a usecase.Actor, all []EventReport) ([]event.Event, error) {
	if a.Dependent() {
		events, _, err := u.recordInTx(ctx, a, all)
		return events, err
	}
	return u.batcher.record(ctx, a.School(), all,
		func(ctx context.Context, all []EventReport) ([]event.Event, bool, error) {
			return u.recordInTx(ctx, a, all)
		})
}

// recordInTx is RecordEvents in a transaction of its own. It is a recordFunc.
func (u *Learning) recordInTx(ctx context.Context, a usecase.Actor, all []EventReport) (recorded []event.Event, ended bool, err error) {
	now := u.deps.Clock.Now()
	err = u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		ended = false // the transaction may be retried
		r := eventBatch{events: make([]event.Event, len(all)), first: map[string]int{}}
		for i, s := range all {
			e, err := s.event(now)
			r.events[i] = e
			r.fail(err, i)
			if err != nil { // the following checks still run
				r.events[i] = event.Event{Person: s.Person, Activity: s.Activity, Watched: watchedFraction(s)}
			}
		}
		if err := r.matchRepeats(ctx, tx); err != nil {
			return err
		}
		if err := u.validateNew(ctx, tx, &r, now); err != nil {
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

func watchedFraction(s EventReport) *event.Fraction {
	if s.Kind == event.ViewedVideo {
		return &s.Watched
	}
	return nil
}

// eventBatch is the events of one transaction.
type eventBatch struct {
	events  []event.Event
	newRows []int          // rows of the events to append
	repeats []int          // rows that repeat an earlier row
	first   map[string]int // first row of each client ID
	faults  []error

	contexts  resolved // of newRows
	completed []int    // indexes in newRows of the events that complete their activity
}

func (r *eventBatch) fail(err error, row int) { r.faults = append(r.faults, fault.AtRow(err, row)) }

// matchRepeats finds the new events. It replaces reports with a known client ID by the existing
// events.
func (r *eventBatch) matchRepeats(ctx context.Context, tx ports.Tx) error {
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
			r.newRows = append(r.newRows, i)
			continue
		case repeats:
			r.events[i] = before
		case twice:
			before = r.events[row]
			r.repeats = append(r.repeats, i)
		default:
			r.first[e.ClientID] = i
			r.newRows = append(r.newRows, i)
			continue
		}
		if !before.SameAs(e) {
			r.fail(fault.Invalidf("client_id", "is already used by a different event"), i)
		}
	}
	return nil
}

// validateNew adds the faults of the new events, and finds the events that complete their activity.
func (u *Learning) validateNew(ctx context.Context, tx ports.Tx, r *eventBatch, now time.Time) error {
	if len(r.newRows) == 0 {
		return nil
	}
	refs := make([]activityRef, len(r.newRows))
	for i, row := range r.newRows {
		refs[i] = activityRef{r.events[row].Person, r.events[row].Activity, row}
	}
	var err error
	if r.contexts, err = u.resolve(ctx, tx, refs, now); err != nil && !fault.IsRefusal(err) {
		return err
	}
	r.faults = append(r.faults, err)
	rules := u.deps.Policies.Living.Record
	for i, row := range r.newRows {
		e, s := r.events[row], r.contexts.contexts[i]
		if s.exists {
			r.fail(rules.Check(policy.Recording{Event: e, Activity: s.activity}), row)
		}
		if e.Watched != nil && s.exists {
			_, err := event.NewWatch(e.Person, s.activity, *e.Watched)
			r.fail(err, row)
		}
		if completion.ByEvent(e) {
			r.completed = append(r.completed, i)
		}
	}
	return nil
}

// complete starts missing course attempts of the new events, and completes activities.
func (u *Learning) complete(ctx context.Context, tx ports.Tx, r *eventBatch) error {
	if len(r.newRows) == 0 {
		return nil
	}
	if err := u.begin(ctx, tx, r.contexts); err != nil {
		return err
	}
	all := make([]activityContext, len(r.completed))
	for i, at := range r.completed {
		all[i] = r.contexts.contexts[at]
	}
	_, refused, err := completeAll(ctx, u.deps.Policies.Living, tx, all)
	if err != nil {
		return err
	}
	for i, at := range r.completed {
		refused[i] = fault.AtRow(refused[i], r.newRows[at])
	}
	return fault.Join(refused...)
}

// append appends the new events to the feed. It must be the last statement, because it locks the
// end of the feed.
func (r *eventBatch) append(ctx context.Context, tx ports.Tx, now time.Time) error {
	if len(r.newRows) > 0 {
		fresh := make([]event.Event, len(r.newRows))
		for i, row := range r.newRows {
			fresh[i] = r.events[row]
		}
		kept, err := tx.Events.Append(ctx, fresh, now)
		if err != nil {
			return err
		}
		for i, row := range r.newRows {
			r.events[row] = kept[i]
		}
	}
	for _, row := range r.repeats {
		r.events[row] = r.events[r.first[r.events[row].ClientID]]
	}
	return nil
}
