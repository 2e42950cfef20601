package httpapi

import (
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/app"
	"lyceum/domain/assignment"
)

func (s *server) listAssignments() handler {
	return list(s, listing[assignment.State]{
		schema: assignment.Schema, list: s.app.Assignments.List, toResource: s.assignment,
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
