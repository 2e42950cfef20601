package lyceum

import (
	"context"
	"net/http"
	"time"
)

// Events appends events to the event feed and lists them, oldest first.
type Events struct{ Lister[Event] }

// EventReport reports that a person viewed an activity or watched a video.
type EventReport struct {
	PersonID   string
	ActivityID string
	Watched    *float64  // fraction of the video, from 0 to 1; nil: not a video
	OccurredAt time.Time // when the event took place; zero: not given
	ClientID   string    // chosen by the client, so that the server recognizes a repeated report; blank: none
}

// Record appends events to the feed.
func (e Events) Record(ctx context.Context, reports []EventReport, options ...RequestOption) ([]Event, error) {
	list := make([]resource, len(reports))
	for i, r := range reports {
		attributes := map[string]any{}
		list[i] = ofPerson(r.PersonID)
		list[i].Type, list[i].Attributes = "learner_viewed_activity_events", attributes
		list[i].Relationships["activity"] = toOne("activities", r.ActivityID)
		if r.Watched != nil {
			list[i].Type = "learner_viewed_video_activity_events"
			attributes["percentage_watched"] = *r.Watched
		}
		if !r.OccurredAt.IsZero() {
			attributes["occurred_at"] = r.OccurredAt
		}
		if r.ClientID != "" {
			attributes["client_id"] = r.ClientID
		}
	}
	return fetch[[]Event](ctx, e.endpoint, http.MethodPost, list, options...)
}
