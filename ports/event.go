package ports

import (
	"context"
	"time"

	"lyceum/domain/event"
	"lyceum/domain/person"
)

// EventLog reads and writes the event feed of a school.
//
// The events of one Append have the same CreatedAt: the given time or, if the feed has an event
// that is not earlier, the millisecond after the last event. Their positions ascend in the given
// order. The events of a transaction become visible together, after every event that was visible
// before. A reader that continues after the last event it has seen misses none.
type EventLog interface {
	Lister[event.Event]

	// Append adds events at the time now to the end of the feed and returns them with their
	// positions and times. An Append of another transaction waits until the end of this one, so it
	// should be the last statement of a transaction. It returns an error if a person or an activity
	// does not exist, if another event of the school has one of the client ids, or if es contains a
	// client id twice.
	Append(ctx context.Context, es []event.Event, now time.Time) ([]event.Event, error)

	// ByClientIDs returns the events with these client ids, by client id; the result omits ids
	// without an event. Of concurrent transactions that look up the same id and append an event
	// with it if it is absent, one appends the event and the others find it.
	ByClientIDs(ctx context.Context, ids []string) (map[string]event.Event, error)

	// DeleteByPerson deletes all events of a person.
	DeleteByPerson(ctx context.Context, p person.ID) error
}
