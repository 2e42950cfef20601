package httpapi

import (
	"lyceum/adapters/httpapi/downloads"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/lists"
	"lyceum/app"
	"lyceum/domain/assignment"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/submission"
)

func (s *server) listSubmissions() handler {
	l := s.submissions()
	l.List = s.app.Submissions.List
	return list(s, l)
}

func (s *server) listSubmissionsOf() handler {
	return listOf(s, s.app.Submissions.ListOf, s.submissions())
}

func (s *server) submissions() lists.Listing[submission.Summary] {
	return lists.Listing[submission.Summary]{Schema: submission.Schema, ToResource: s.submission}
}

type submissionAttributes struct {
	CreatedAt string `json:"created_at"`
}

type submissionRelationships struct {
	Assignment    jsonapi.ToOne `json:"assignment"`
	Course        jsonapi.ToOne `json:"course"`
	Person        jsonapi.ToOne `json:"person"`
	CourseAttempt jsonapi.ToOne `json:"course_attempt"`
}

type submissionLinks struct {
	Self     string `json:"self"`
	Download string `json:"download"`
}

func (s *server) submission(a app.Actor, m submission.Summary) jsonapi.Resource {
	return jsonapi.Resource{
		Type:       submission.Type,
		ID:         m.ID.String(),
		Attributes: submissionAttributes{CreatedAt: timestamp(m.CreatedAt)},
		Relationships: submissionRelationships{
			Assignment:    jsonapi.One(assignment.Type, m.Assignment.String()),
			Course:        jsonapi.One(course.Type, m.Course.String()),
			Person:        jsonapi.One(person.Type, m.Person.String()),
			CourseAttempt: jsonapi.One(attempt.Type, m.CourseAttempt.String()),
		},
		Links: submissionLinks{
			Self:     s.links.submission(m.ID.UUID),
			Download: s.cfg.Downloads.Link(s.links.download(m.ID.UUID, m.File.SafeName()), a.School(), m.Submission),
		},
	}
}

func (s *server) newDownloads() *downloads.Server {
	return &downloads.Server{
		Responder: s.Responder, Config: s.cfg.Downloads, Unknown: s.rates.UnknownTokens, Network: s.middleware.Network,
		Open: s.app.Submissions.Download,
	}
}
