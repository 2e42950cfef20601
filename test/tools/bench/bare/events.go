package main

import (
	"context"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
)

type eventRow struct {
	Kind      string    `db:"kind"`
	Person    uuid.UUID `db:"person_id"`
	Activity  uuid.UUID `db:"activity_id"`
	Watched   *int64    `db:"watched"` // millionths
	CreatedAt time.Time `db:"created_at"`
}

type eventAttributes struct {
	CreatedAt string   `json:"created_at"`
	Watched   *float64 `json:"percentage_watched,omitempty"`
}

type eventRelationships struct {
	Person   toOne `json:"person"`
	Activity toOne `json:"activity"`
}

type event = resource[eventAttributes, eventRelationships, none]

const eventColumns = `e.kind, e.person_id, e.activity_id, e.watched, e.created_at`

func (b *bare) events(ctx context.Context, on gin.IRoutes) error {
	return list[eventRow, event]{
		path:  "/v2/events",
		first: `SELECT ` + eventColumns + ` FROM events e WHERE e.school_id = $1 ORDER BY e.position LIMIT 26`,
		any: `SELECT ` + eventColumns + ` FROM (
			SELECT school_id, position FROM events WHERE school_id = $1 ORDER BY position LIMIT 26 OFFSET $2
		) k JOIN events e ON e.school_id = k.school_id AND e.position = k.position ORDER BY k.position`,
		show: eventOf,
	}.add(ctx, b, on)
}

func eventOf(r eventRow) event {
	attributes := eventAttributes{CreatedAt: instant(r.CreatedAt)}
	if r.Watched != nil {
		watched := float64(*r.Watched) / 1e6
		attributes.Watched = &watched
	}
	return event{
		Type: r.Kind, Attributes: attributes,
		Relationships: eventRelationships{toOneOf("people", r.Person), toOneOf("activities", r.Activity)},
	}
}
