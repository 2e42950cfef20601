package httpapi

import (
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/lists"
	"lyceum/app"
	"lyceum/domain/activity"
)

func (s *server) listActivities() handler {
	l := s.activities()
	l.List = s.app.Activities.List
	return list(s, l)
}

func (s *server) listCourseActivities() handler {
	return listByRef(s, s.app.Activities.ListOfCourse, s.activities())
}

func (s *server) activities() lists.Listing[activity.State] {
	return lists.Listing[activity.State]{Schema: activity.Schema, ToResource: s.activity}
}

type activityAttributes struct {
	Title string `json:"title"`
}

func (s *server) activity(_ app.Actor, a activity.State) jsonapi.Resource {
	return jsonapi.Resource{
		Type:       activity.Type,
		ID:         a.ID.String(),
		Attributes: activityAttributes{Title: a.Title},
		Links:      selfLink{Self: s.links.activity(a.ID.UUID)},
	}
}
