package event

import (
	"math/big"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/query"
)

// Schema defines the attributes by which the event feed is filtered and sorted. Events have no id;
// ties are ordered by position.
var Schema = query.Define(
	query.IntegerField("uuid", func(e *Event) int64 { return e.Position }).Hidden(),
	query.TextField("type", func(e *Event) string { return e.Kind.String() }),
	query.TimeField("created_at", func(e *Event) time.Time { return e.CreatedAt }),
	query.OptionalNumber("percentage_watched", func(e *Event) *big.Rat {
		if e.Watched == nil {
			return nil
		}
		return e.Watched.Rat()
	}),
	query.OptionalTime("occurred_at", func(e *Event) *time.Time { return e.OccurredAt }),
	query.OptionalText("client_id", func(e *Event) *string {
		if e.ClientID == "" {
			return nil
		}
		return &e.ClientID
	}),
	query.UUIDField("person.id", func(e *Event) uuid.UUID { return e.Person.UUID }),
	query.UUIDField("activity.id", func(e *Event) uuid.UUID { return e.Activity.UUID }),
).OrderBy("created_at")
