package httpapi

import (
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/lists"
	"lyceum/app"
	"lyceum/domain/activity"
	"lyceum/domain/quiz"
)

func (s *server) listQuizzes() handler {
	return list(s, lists.Listing[quiz.Summary]{
		Schema: quiz.Schema, List: s.app.Quizzes.List, ToResource: s.quiz,
		Included: true,
	})
}

type quizAttributes struct {
	Name      string `json:"name"`
	CreatedAt string `json:"created_at"`
}

type quizRelationships struct {
	Activities jsonapi.ToMany `json:"activities"`
}

type quizLinks struct {
	Self  string `json:"self"`
	Build string `json:"build"`
}

func (s *server) quiz(a app.Actor, q quiz.Summary) jsonapi.Resource {
	return jsonapi.Resource{
		Type:          quiz.Type,
		ID:            q.ID.String(),
		Attributes:    quizAttributes{Name: q.Name, CreatedAt: timestamp(q.CreatedAt)},
		Relationships: quizRelationships{Activities: toMany(activity.Type, q.Activities)},
		Links: quizLinks{
			Self:  s.links.quiz(s.version, q.ID.UUID),
			Build: s.links.quizBuild(a.Slug(), q.ID.UUID),
		},
	}
}
