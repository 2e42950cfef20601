package httpapi

import (
	"encoding/json"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/lists"
	"lyceum/app"
	"lyceum/app/learning"
	"lyceum/domain/activity"
	"lyceum/domain/event"
	"lyceum/domain/fault"
	"lyceum/domain/person"
)

func (s *server) listEvents() handler {
	return list(s, lists.Listing[event.Event]{
		Schema: event.Schema, List: s.app.Events.List, ToResource: eventResource,
		Types: []string{event.ViewedActivity.String(), event.ViewedVideo.String()},
	})
}

// recordEvents appends events to the feed, all or none.
func (s *server) recordEvents(c *gin.Context, a app.Actor) error {
	b, err := s.readBatch(c, learning.MaxEventReports)
	if err != nil {
		return err
	}
	all := make([]learning.EventReport, len(b.Documents))
	for i, d := range b.Documents {
		all[i] = eventReport(d)
	}
	recorded, err := collectBatchFaults(b, a, func(a app.Actor) ([]event.Event, error) {
		return s.app.Learning.RecordEvents(c.Request.Context(), a, all)
	})
	if err != nil {
		return err
	}
	data := make([]jsonapi.Resource, len(recorded))
	for i, e := range recorded {
		data[i] = eventResource(a, e)
	}
	if b.Many {
		return s.WriteCreated(c, s.links.events(), jsonapi.Batch{Data: data})
	}
	return s.WriteCreated(c, s.links.events(), jsonapi.Single{Data: data[0]})
}

// eventReport reads an event report.
func eventReport(d *request.Document) learning.EventReport {
	d.CheckNew(true, event.ViewedActivity.String(), event.ViewedVideo.String())
	typ, _ := d.Data[request.TypeMember].Text()
	kind, _ := event.ParseKind(typ)
	r := learning.EventReport{
		Kind: kind, Person: request.ToOne[person.ID](d, "person", person.Type),
		Activity: request.ToOne[activity.ID](d, "activity", activity.Type), OccurredAt: d.Time("occurred_at"),
	}
	const watched = "percentage_watched"
	switch sent := d.Attributes[watched]; {
	case kind == event.ViewedVideo && sent.Absent():
		d.Fail(fault.Blank(watched))
	case kind == event.ViewedVideo:
		r.Watched = *request.Attribute(d, watched, parsed(request.NumberOf, event.ParseFraction))
	case !sent.NullOrAbsent() && kind == event.ViewedActivity:
		d.Fail(fault.Invalidf(watched, "is allowed only for %s", event.ViewedVideo))
	}
	if id := d.Text("client_id"); id != nil && !d.Attributes["client_id"].NullOrAbsent() {
		if r.ClientID = *id; *id == "" && d.Valid("client_id") {
			d.Fail(fault.Blank("client_id"))
		}
	}
	return r
}

type eventAttributes struct {
	CreatedAt         string       `json:"created_at"`
	PercentageWatched *json.Number `json:"percentage_watched,omitempty"` // nil unless a video was watched
	// OccurredAt is the time that the client reported, or nil.
	OccurredAt *string `json:"occurred_at,omitempty"`
	ClientID   string  `json:"client_id,omitempty"`
}

type eventRelationships struct {
	Person   jsonapi.ToOne `json:"person"`
	Activity jsonapi.ToOne `json:"activity"`
}

func eventResource(_ app.Actor, e event.Event) jsonapi.Resource {
	attributes := eventAttributes{
		CreatedAt: timestamp(e.CreatedAt), OccurredAt: optionalTimestamp(e.OccurredAt), ClientID: e.ClientID,
	}
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
