package ports

import (
	"context"
	"time"

	"lyceum/domain/event"
	"lyceum/domain/person"
)

// EventLog reads and writes the event feed of a school.
//
// All events of one Append have the same CreatedAt: the given time or, if the feed already contains
// an event at or after that time, one millisecond after the last event. Their positions ascend in
// the given order. The events of a transaction become visible together, and only after every event
// with a lower position is visible. A reader that continues after the last event that it has seen
// therefore misses no event.
type EventLog interface {
	Lister[event.Event]

	// Append adds the events es to the end of the feed at the time now, and returns them with their
	// positions and times. An Append of another transaction waits until this transaction ends, so
	// Append should be the last call in a transaction. It returns an error if a person or an
	// activity does not exist, if another event of the school has one of the client keys, or if es
	// contains a client key twice.
	Append(ctx context.Context, es []event.Event, now time.Time) ([]event.Event, error)

	// ByClientKeys returns the events with the given client keys, as a map by client key that omits
	// keys without an event. Concurrent transactions may look up the same key and append the
	// missing event: one transaction appends it, and the others find it.
	ByClientKeys(ctx context.Context, keys []event.ClientKey) (map[event.ClientKey]event.Event, error)

	// DeleteByPerson deletes at most limit events of a person, and returns how many it deleted.
	DeleteByPerson(ctx context.Context, p person.ID, limit int) (int, error)
}
