package memory

import (
	"time"
	"unique"

	"github.com/google/uuid"
	"lyceum/domain/audit"
	"lyceum/domain/change"
	"lyceum/domain/text"
)

// auditEvent is an audit.Event in less memory. The change feed refers to the events that are
// changes. Events are immutable.
type auditEvent struct {
	position int64
	kind     unique.Handle[eventKind] // events of a kind share it
	record   compactID
	cause    *cause // events of a transaction share it
}

// eventKind is the action of an event and the type of its record.
type eventKind struct {
	action audit.Action // name of a change.Action if the event is a change of the feed
	typ    string
}

// cause is the time and the origin of the events of a transaction.
type cause struct {
	at     time.Time
	origin audit.Origin
}

func (e *auditEvent) event() audit.Event {
	kind := e.kind.Value()
	return audit.Event{
		Position: e.position, Action: kind.action, Record: change.Record{Type: kind.typ, ID: e.record.String()},
		At: e.cause.at, Origin: e.cause.origin,
	}
}

func (e *auditEvent) change() change.Change {
	event := e.event()
	return change.Change{Position: event.Position, Action: change.Action(event.Action), Record: event.Record, At: event.At}
}

// compactID is the ID of a record. Most IDs are a UUID.
type compactID struct {
	id    uuid.UUID
	other *string // nil: id
}

func newCompactID(s string) compactID {
	if id, ok := text.UUID(s); ok && id.String() == s {
		return compactID{id: id}
	}
	return compactID{other: &s}
}

// String returns the text of the ID.
func (c compactID) String() string {
	if c.other != nil {
		return *c.other
	}
	return c.id.String()
}
