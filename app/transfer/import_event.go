package transfer

import (
	"math/big"
	"strings"

	"lyceum/app/transfer/format"
	"lyceum/domain/activity"
	"lyceum/domain/event"
	"lyceum/domain/fault"
	"lyceum/domain/policy"
)

// importEvent imports an event. The feed is append-only: events that are not later than the last
// event of an existing school are ignored.
func (m *importer) importEvent(l *format.Event) error {
	p, errPerson := m.personByEmail(l.Person)
	c, errCourse := m.courseByPermalink(l.Course)
	var a activity.State
	var errStep error
	if errCourse == nil {
		a, errStep = m.activityOf("activity", l.Course, l.Activity, l.ActivityNth)
	}
	var errTime error
	switch {
	case l.CreatedAt.IsZero():
		errTime = fault.Blank("created_at")
	case l.CreatedAt.Before(m.lastEventAt):
		errTime = fault.Invalidf("created_at", "must not be before the created_at of the previous event")
	}
	if err := fault.Join(errPerson, errCourse, errStep, errTime); err != nil {
		return err
	}
	e, err := eventOf(l, event.NewView(p.ID, a.ID), a)
	if err != nil {
		return err
	}
	m.lastEventAt, e.CreatedAt, e.ClientID = l.CreatedAt.Time, l.CreatedAt.Time, l.ClientID
	if !l.OccurredAt.IsZero() {
		e.OccurredAt = &l.OccurredAt.Time
	}
	if !m.feedEnd.IsZero() && !m.lastEventAt.After(m.feedEnd) {
		return m.countUnchanged(l.Kind, nil)
	}
	work := policy.Work{Learner: m.learner(p, c, e.CreatedAt), Activity: a}
	if err := m.rules.Record.Check(policy.Recording{Work: work, Event: e}); err != nil {
		return err
	}
	m.batch.Events = append(m.batch.Events, e)
	m.created(l.Kind, 1)
	return nil
}

// eventOf returns the event of a line. view is the view event of the same person and activity.
func eventOf(l *format.Event, view event.Event, a activity.State) (event.Event, error) {
	switch l.Type {
	case eventTypes[event.ViewedActivity]:
		if l.Watched != "" {
			return view, fault.Invalidf("percentage_watched", "is allowed only for the type %s", eventTypes[event.ViewedVideo])
		}
		return view, nil
	case eventTypes[event.ViewedVideo]:
		const longest = 20 // characters; a number with an exponent could exhaust memory
		n, ok := new(big.Rat), false
		if len(l.Watched) <= longest && !strings.ContainsAny(l.Watched.String(), "eE") {
			n, ok = n.SetString(l.Watched.String())
		}
		if !ok {
			return view, fault.Invalidf("percentage_watched", "is not a valid number, such as 0.25")
		}
		watched, err := event.NewFraction(n)
		if err != nil {
			return view, err
		}
		return event.NewWatch(view.Person, a, watched)
	}
	return view, fault.Invalidf("type", "must be one of: %s, %s", eventTypes[event.ViewedActivity], eventTypes[event.ViewedVideo])
}
