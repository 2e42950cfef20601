package learning

import (
	"context"
	"slices"
	"time"

	"lyceum/app/usecase"
	"lyceum/domain/activity"
	"lyceum/domain/audit"
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

	by     usecase.Actor // the client that reports the event; a batch can have several
	origin audit.Origin  // of the request that contains the report
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

// RecordEvents appends events to the feed and returns them. If a report is invalid, it appends no
// event. If a report has the client ID of an existing event of the same person, it must equal that
// event, and RecordEvents returns that event, even if the person is no longer enrolled. All faults
// are returned, each with its row.
func (u *Learning) RecordEvents(ctx context.Context, a usecase.Actor, all []EventReport) ([]event.Event, error) {
	people := make([]person.ID, len(all))
	for i, r := range all {
		people[i] = r.Person
	}
	a, err := a.ActFor(people...)
	if err != nil {
		return nil, err
	}
	all = slices.Clone(all)
	origin := usecase.OriginBy(ctx, a)
	for i := range all {
		all[i].by, all[i].origin = a, origin
	}
	if a.Dependent() {
		events, _, err := u.recordInTx(ctx, a, all)
		return events, err
	}
	return u.batcher.record(ctx, a.School(), all,
		func(ctx context.Context, all []EventReport) ([]event.Event, bool, error) {
			return u.recordInTx(ctx, a, all)
		})
}

// recordInTx records reports in one transaction and returns the results of a recordFunc.
func (u *Learning) recordInTx(ctx context.Context, a usecase.Actor, all []EventReport) (recorded []event.Event, ended bool, err error) {
	now := u.deps.Clock.Now()
	err = u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		ended = false // the transaction can be retried
		if err := checkSessions(ctx, tx, all); err != nil {
			return err
		}
		r := eventBatch{events: make([]event.Event, len(all)), first: map[event.ClientKey]int{}}
		for i, s := range all {
			e, err := s.event(now)
			r.events[i] = e
			r.fail(err, i)
			if err != nil { // so that the following checks run too
				r.events[i] = event.Event{Person: s.Person, Activity: s.Activity, Watched: watchedFraction(s)}
			}
		}
		if err := r.matchRepeats(ctx, tx); err != nil {
			return err
		}
		by, err := u.requests(ctx, tx, all, now)
		if err != nil {
			return err
		}
		if err := u.validateNew(ctx, tx, &r, by); err != nil {
			return err
		}
		if err := fault.Join(r.faults...); err != nil {
			return err
		}
		if err := u.ask(&r, now); err != nil {
			return err
		}
		if err := u.completeEvents(ctx, tx, &r, all); err != nil {
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

// checkSessions checks the sessions of the requests of a batch: InTx checks only the first one.
func checkSessions(ctx context.Context, tx ports.Tx, all []EventReport) error {
	for i := 1; i < len(all); i++ {
		if all[i].by != all[i-1].by {
			if err := all[i].by.CheckSession(ctx, tx); err != nil {
				return err
			}
		}
	}
	return nil
}

func watchedFraction(s EventReport) *event.Fraction {
	if s.Kind == event.ViewedVideo {
		return &s.Watched
	}
	return nil
}

// requests returns the policy.Request of each report.
func (u *Learning) requests(ctx context.Context, tx ports.Tx, all []EventReport, now time.Time) ([]policy.Request, error) {
	requests := make([]policy.Request, len(all))
	for i, s := range all {
		if i > 0 && s.by == all[i-1].by {
			requests[i] = requests[i-1]
			continue
		}
		var err error
		if requests[i], err = u.deps.Request(ctx, tx.School, s.by, now); err != nil {
			return nil, err
		}
	}
	return requests, nil
}

// validateNew adds the faults of the new events to r, and sets their contexts.
func (u *Learning) validateNew(ctx context.Context, tx ports.Tx, r *eventBatch, by []policy.Request) error {
	if len(r.newRows) == 0 {
		return nil
	}
	refs := make([]activityRef, len(r.newRows))
	for i, row := range r.newRows {
		refs[i] = activityRef{r.events[row].Person, r.events[row].Activity, row}
	}
	found, err := u.resolve(ctx, tx, refs, func(i int) policy.Request { return by[r.newRows[i]] })
	if err != nil && !fault.IsRefusal(err) {
		return err
	}
	r.faults = append(r.faults, err)
	r.contexts = found.contexts
	for i, row := range r.newRows {
		e, s := r.events[row], r.contexts[i]
		if e.Watched != nil && s.exists {
			_, err := event.NewWatch(e.Person, s.activity, *e.Watched)
			r.fail(err, row)
		}
	}
	if slices.ContainsFunc(r.faults, func(err error) bool { return err != nil }) {
		return nil // the caller returns the faults
	}
	return u.begin(ctx, tx, found)
}

// ask checks the rules on the new events, which must be valid. It removes events without effect
// from newRows, and finds the events that complete their activity.
func (u *Learning) ask(r *eventBatch, now time.Time) error {
	var rows []int
	var contexts []activityContext
	for i, row := range r.newRows {
		e, s := r.events[row], r.contexts[i]
		verdict := policy.Combine(s.verdict, u.deps.Policies.Living.Record.Check(policy.Recording{Work: s.work(), Event: e}))
		effect, err := policy.Effect(verdict)
		r.fail(err, row)
		if !effect {
			r.events[row].CreatedAt = now
			continue
		}
		if completion.ByEvent(e) {
			r.completed = append(r.completed, len(rows))
		}
		rows, contexts = append(rows, row), append(contexts, s)
	}
	r.newRows, r.contexts = rows, contexts
	return fault.Join(r.faults...)
}

// completeEvents saves the new course attempts and completes activities. The completions are the
// only changes of the transaction that have audit events. If the reports have several origins, each
// completion gets the origin of its report. Otherwise the transaction has their origin, or the use
// case that shares the transaction has set another one.
func (u *Learning) completeEvents(ctx context.Context, tx ports.Tx, r *eventBatch, reports []EventReport) error {
	if len(r.newRows) == 0 {
		return nil
	}
	if err := addFresh(ctx, tx, r.contexts); err != nil {
		return err
	}
	mixed := slices.ContainsFunc(reports, func(s EventReport) bool { return s.origin != reports[0].origin })
	all := make([]activityContext, len(r.completed))
	for i, at := range r.completed {
		all[i] = r.contexts[at]
		if mixed {
			all[i].origin = &reports[r.newRows[at]].origin
		}
	}
	refused, err := completeAll(ctx, u.deps.Policies.Living, tx, all)
	if err != nil {
		return err
	}
	for i, at := range r.completed {
		refused[i] = fault.AtRow(refused[i], r.newRows[at])
	}
	return fault.Join(refused...)
}
