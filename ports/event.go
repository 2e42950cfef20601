package ports

import (
	"context"
	"time"

	"lyceum/domain/event"
	"lyceum/domain/person"
)

// EventLog reads and writes the feed of a school.
//
// The events of one Append have the same CreatedAt: the instant given or, when
// the feed has an event that is not earlier, the millisecond after the last.
// Their positions follow in the order given. The events of a transaction appear
// at once, behind all that anybody has read before: who reads on behind the last
// event that they know misses nothing.
type EventLog interface {
	Lister[event.Event]

	// Append adds events at the instant now to the end of the feed and returns them with their
	// positions and times. Another transaction's Append waits until the end of
	// this one, so it should be the last that a transaction does. A person or an
	// activity that the school has not is refused with an error, and so is a client
	// id that another event of the school has, or one that stands twice in es.
	Append(ctx context.Context, es []event.Event, now time.Time) ([]event.Event, error)

	// ByClientIDs returns the events that have these client ids, by client id; ids
	// that no event has are absent. Of transactions that look for the same id at
	// once, and append an event with it when it is absent, one appends and the
	// others find its event.
	ByClientIDs(ctx context.Context, ids []string) (map[string]event.Event, error)

	// RemoveOfPerson forgets all events of a person.
	RemoveOfPerson(ctx context.Context, p person.ID) error
}
