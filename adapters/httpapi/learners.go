package httpapi

import (
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/lists"
	"lyceum/app"
	"lyceum/domain/person"
	"lyceum/domain/property"
)

// learnerType is the resource type of people in the deprecated routes of v1.
const learnerType = "learners"

func (s *server) listLearners() handler {
	return list(s, lists.Listing[person.Summary]{
		Schema: person.Schema, List: s.app.Learners.List, ToResource: s.learner,
		Properties: property.People, OfSchool: true,
	})
}

func (s *server) createLearner() handler {
	return createHandler(s, creation[person.Profile, person.Summary]{
		types: []string{person.Type, learnerType}, read: newProfile, create: s.app.Learners.Create,
		url: s.personURL, toResource: s.newLearner,
	})
}

// newProfile reads the attributes of a new person in both versions.
func newProfile(d *request.Document) person.Profile {
	return person.Profile{
		Email: d.NewText("email"), FirstName: d.NewText("first_name"), LastName: d.NewText("last_name"),
	}
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

func (s *server) learner(a app.Actor, p person.Summary) jsonapi.Resource {
	return jsonapi.Resource{
		Type: learnerType,
		ID:   p.ID.String(),
		Attributes: learnerAttributes{
			CourseCount: p.CourseCount, Email: p.Email, FullName: p.FullName(), GroupCount: p.GroupCount,
			UpdatedAt: timestamp(p.UpdatedAt),
		},
		Links: learnerLinks{Self: s.personSelf(p), Teaching: s.links.personTeaching(a.Slug(), p.ID.UUID)},
	}
}

// newLearnerAttributes contains the attributes in the response to the creation of a learner.
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
