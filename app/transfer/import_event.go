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

// event takes an entry of the feed. Nothing comes before what a feed has: what is
// not later than its end is left out.
func (m *importing) event(l *format.Event) error {
	p, errPerson := m.who(l.Person)
	_, errCourse := m.taught(l.Course)
	var a activity.State
	var errStep error
	if errCourse == nil {
		a, errStep = m.stepOf("activity", l.Course, l.Activity, l.ActivityNth)
	}
	var errTime error
	switch {
	case l.CreatedAt.IsZero():
		errTime = fault.Blank("created_at")
	case l.CreatedAt.Before(m.last):
		errTime = fault.Invalidf("created_at", "is before that of the event before it")
	}
	if err := fault.Join(errPerson, errCourse, errStep, errTime); err != nil {
		return err
	}
	e, err := happened(l, event.View(p.ID, a.ID), a)
	if err != nil {
		return err
	}
	m.last, e.CreatedAt, e.ClientID = l.CreatedAt.Time, l.CreatedAt.Time, l.ClientID
	if !l.OccurredAt.IsZero() {
		e.OccurredAt = &l.OccurredAt.Time
	}
	if !m.feedEnd.IsZero() && !m.last.After(m.feedEnd) {
		return m.known(l.Kind, nil)
	}
	if err := m.rules.Record.Check(policy.Recording{Event: e, Activity: a}); err != nil {
		return err
	}
	m.batch.Events = append(m.batch.Events, e)
	m.created(l.Kind, 1)
	return nil
}

// happened returns the event of a line, whose view is given, by its type.
func happened(l *format.Event, view event.Event, a activity.State) (event.Event, error) {
	switch l.Type {
	case eventTypes[event.ViewedActivity]:
		if l.Watched != "" {
			return view, fault.Invalidf("percentage_watched", "is for the type %s only", eventTypes[event.ViewedVideo])
		}
		return view, nil
	case eventTypes[event.ViewedVideo]:
		const longest = 20 // digits; an exponent could stand for a number that fills the memory
		n, ok := new(big.Rat), false
		if len(l.Watched) <= longest && !strings.ContainsAny(l.Watched.String(), "eE") {
			n, ok = n.SetString(l.Watched.String())
		}
		if !ok {
			return view, fault.Invalidf("percentage_watched", "is not a number such as 0.25")
		}
		watched, err := event.NewFraction(n)
		if err != nil {
			return view, err
		}
		return event.Watch(view.Person, a, watched)
	}
	return view, fault.Invalidf("type", "is not one of %s, %s", eventTypes[event.ViewedActivity], eventTypes[event.ViewedVideo])
}
