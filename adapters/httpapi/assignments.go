package httpapi

import (
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/lists"
	"lyceum/app"
	"lyceum/domain/assignment"
)

func (s *server) listAssignments() handler {
	return list(s, lists.Listing[assignment.State]{
		Schema: assignment.Schema, List: s.app.Assignments.List, ToResource: s.assignment,
	})
}

type assignmentAttributes struct {
	Title     string `json:"title"`
	CreatedAt string `json:"created_at"`
}

type assignmentLinks struct {
	Teaching    string `json:"teaching"`
	Submissions string `json:"submissions"`
}

func (s *server) assignment(by app.Actor, a assignment.State) jsonapi.Resource {
	return jsonapi.Resource{
		Type:       assignment.Type,
		ID:         a.ID.String(),
		Attributes: assignmentAttributes{Title: a.Title, CreatedAt: timestamp(a.CreatedAt)},
		Links: assignmentLinks{
			Teaching:    s.links.assignmentTeaching(by.Slug(), a.ID.UUID),
			Submissions: s.links.assignmentSubmissions(a.ID.UUID),
		},
	}
}
