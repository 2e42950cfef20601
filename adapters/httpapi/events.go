package httpapi

import (
	"encoding/json"

	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/app"
	"lyceum/domain/activity"
	"lyceum/domain/event"
	"lyceum/domain/person"
)

func (s *server) listEvents() handler {
	return list(s, listing[event.Event]{
		schema: event.Schema, list: s.app.Events.List, toResource: occurrence,
	})
}

type eventAttributes struct {
	CreatedAt         string       `json:"created_at"`
	PercentageWatched *json.Number `json:"percentage_watched,omitempty"` // nil: not of a video
}

type eventRelationships struct {
	Person   jsonapi.ToOne `json:"person"`
	Activity jsonapi.ToOne `json:"activity"`
}

func occurrence(_ app.Actor, e event.Event) jsonapi.Resource {
	attributes := eventAttributes{CreatedAt: timestamp(e.CreatedAt)}
	if e.Watched != nil {
		watched := json.Number(e.Watched.String())
		attributes.PercentageWatched = &watched
	}
	return jsonapi.Resource{
		Type:       e.Kind.String(),
		Attributes: attributes,
		Relationships: eventRelationships{
			Person:   jsonapi.One(person.Type, e.Person.String()),
			Activity: jsonapi.One(activity.Type, e.Activity.String()),
		},
	}
}
