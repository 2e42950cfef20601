package httpapi

import (
	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/app"
	"lyceum/domain/person"
)

// learnerType is the type of a person in the deprecated representation.
const learnerType = "learners"

func (s *server) listLearners() handler {
	return list(s, listing[person.Summary]{
		schema: person.Schema, list: s.app.Learners.List, toResource: s.learner, ofSchool: true,
	})
}

func (s *server) createLearner(c *gin.Context, a app.Actor) error {
	d, err := s.readNew(c, person.Type, learnerType)
	if err != nil {
		return err
	}
	profile := person.Profile{
		Email: d.NewText("email"), FirstName: d.NewText("first_name"), LastName: d.NewText("last_name"),
	}
	made, err := try(d.Faults, a, func(a app.Actor) (person.Summary, error) {
		return s.app.Learners.Create(c.Request.Context(), a, profile)
	})
	if err != nil {
		return err
	}
	return s.Created(c, s.links.person(s.version, made.ID.UUID), s.newLearner(a, made))
}

type learnerAttributes struct {
	CourseCount int64  `json:"course_count"`
	Email       string `json:"email"`
	FullName    string `json:"full_name"`
	GroupCount  int64  `json:"group_count"`
	UpdatedAt   string `json:"updated_at"`
}

type learnerLinks struct {
	Self     jsonapi.Link `json:"self"`
	Teaching string       `json:"teaching"`
}

func (s *server) learner(_ app.Actor, p person.Summary) jsonapi.Resource {
	return jsonapi.Resource{
		Type: learnerType,
		ID:   p.ID.String(),
		Attributes: learnerAttributes{
			CourseCount: p.CourseCount, Email: p.Email, FullName: p.FullName(), GroupCount: p.GroupCount,
			UpdatedAt: timestamp(p.UpdatedAt),
		},
		Links: learnerLinks{Self: s.personSelf(p), Teaching: s.links.personTeaching(p.ID.UUID)},
	}
}

// newLearnerAttributes is the form of a person who was just made as a learner.
type newLearnerAttributes struct {
	CreatedAt    string `json:"created_at"`
	UpdatedAt    string `json:"updated_at"`
	Email        string `json:"email"`
	Unsubscribed bool   `json:"unsubscribed"`
}

func (s *server) newLearner(a app.Actor, p person.Summary) jsonapi.Resource {
	return s.personResource(a, p, newLearnerAttributes{
		CreatedAt: timestamp(p.CreatedAt), UpdatedAt: timestamp(p.UpdatedAt),
		Email: p.Email, Unsubscribed: p.Unsubscribed,
	})
}
