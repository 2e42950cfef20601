package audit

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/query"
)

// Schema defines the attributes by which the trail is filtered and sorted. The id of an event is
// its position.
var Schema = query.Define(
	query.IntegerField("uuid", func(e *Event) int64 { return e.Position }),
	query.TextField("action", func(e *Event) string { return string(e.Action) }),
	query.TimeField("occurred_at", func(e *Event) time.Time { return e.At }),
	query.TextField("record_type", func(e *Event) string { return e.Record.Type }),
	query.TokenField("record_id", func(e *Event) string { return e.Record.ID }),
	query.TextField("actor_type", func(e *Event) string { return e.Type.String() }),
	query.OptionalUUID("actor_id", func(e *Event) *uuid.UUID { return optional(e.ID) }),
	query.OptionalUUID("person_id", func(e *Event) *uuid.UUID { return optional(e.Person.UUID) }),
	query.OptionalText("request_id", func(e *Event) *string { return optional(e.Request) }),
	query.OptionalText("address", func(e *Event) *string { return optional(e.Address) }),
).OrderBy("-uuid")

func optional[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}
