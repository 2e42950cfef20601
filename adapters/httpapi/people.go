package httpapi

import (
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/lists"
	"lyceum/app"
	"lyceum/domain/person"
	"lyceum/domain/property"
)

func (s *server) listPeople() handler {
	return list(s, lists.Listing[person.Summary]{
		Schema: person.Schema, List: s.app.People.List, ToResource: s.listedPerson,
		Properties: property.People, OfSchool: true,
	})
}

// listedPersonAttributes contains the attributes of a person in lists of v1.
type listedPersonAttributes struct {
	ActivatedAt        *string `json:"activated_at"`
	CourseCount        int64   `json:"course_count"`
	CreatedAt          string  `json:"created_at"`
	UpdatedAt          string  `json:"updated_at"`
	CustomAvatarURL    *string `json:"custom_avatar_url"`
	Email              string  `json:"email"`
	FullName           string  `json:"full_name"`
	GroupCount         int64   `json:"group_count"`
	RegistrationStatus string  `json:"registration_status"`
}

type listedPersonRelationships struct {
	Partnerships jsonapi.ToMany `json:"partnerships"`
	School       jsonapi.ToOne  `json:"school"`
}

type listedPersonLinks struct {
	Self     jsonapi.Link `json:"self"`
	Teaching jsonapi.Link `json:"teaching"`
}

func newListedPersonAttributes(p person.Summary) listedPersonAttributes {
	return listedPersonAttributes{
		ActivatedAt:        optionalTimestamp(p.ActivatedAt),
		CourseCount:        p.CourseCount,
		CreatedAt:          timestamp(p.CreatedAt),
		UpdatedAt:          timestamp(p.UpdatedAt),
		CustomAvatarURL:    p.AvatarURL,
		Email:              p.Email,
		FullName:           p.FullName(),
		GroupCount:         p.GroupCount,
		RegistrationStatus: p.Status().String(),
	}
}

func (s *server) listedPerson(a app.Actor, p person.Summary) jsonapi.Resource {
	return s.listedPersonWith(a, p, newListedPersonAttributes(p))
}

// listedPersonWith returns a person with the given attributes.
func (s *server) listedPersonWith(a app.Actor, p person.Summary, attributes any) jsonapi.Resource {
	return jsonapi.Resource{
		Type:       person.Type,
		ID:         p.ID.String(),
		Attributes: attributes,
		Relationships: listedPersonRelationships{
			Partnerships: toMany(person.PartnershipType, p.Partnerships),
			School:       schoolRelationship(a),
		},
		Links: listedPersonLinks{
			Self: s.personSelf(p),
			Teaching: jsonapi.Link{
				Href: s.links.personTeaching(a.Slug(), p.ID.UUID), Methods: []string{"get", "patch"},
			},
		},
	}
}

func (s *server) personURL(p person.Summary) string { return s.links.person(s.version, p.ID.UUID) }

// personSelf returns the self link of a person. Its methods include DELETE if the person can be
// deleted.
func (s *server) personSelf(p person.Summary) jsonapi.Link {
	methods := []string{"get", "delete"}
	if !p.Deletable {
		methods = methods[:1]
	}
	return jsonapi.Link{Href: s.personURL(p), Methods: methods}
}

// personAttributes contains the attributes of a single person in v1.
type personAttributes struct {
	ActivatedAt *string `json:"activated_at"`
	CreatedAt   string  `json:"created_at"`
	UpdatedAt   string  `json:"updated_at"`
	Email       string  `json:"email"`
	FirstName   string  `json:"first_name"`
	LastName    string  `json:"last_name"`
	FullName    string  `json:"full_name"`
	Name        string  `json:"name"`
}

type personRelationships struct {
	School jsonapi.ToOne `json:"school"`
}

type personLinks struct {
	Self     string `json:"self"`
	Teaching string `json:"teaching"`
}

func (s *server) person(a app.Actor, p person.Summary) jsonapi.Resource {
	return s.personResource(a, p, personAttributes{
		ActivatedAt: optionalTimestamp(p.ActivatedAt),
		CreatedAt:   timestamp(p.CreatedAt),
		UpdatedAt:   timestamp(p.UpdatedAt),
		Email:       p.Email,
		FirstName:   p.FirstName,
		LastName:    p.LastName,
		FullName:    p.FullName(),
		Name:        p.FullName(),
	})
}

// personResource returns the resource of a single person with the given attributes.
func (s *server) personResource(a app.Actor, p person.Summary, attributes any) jsonapi.Resource {
	return jsonapi.Resource{
		Type:          person.Type,
		ID:            p.ID.String(),
		Attributes:    attributes,
		Relationships: personRelationships{School: schoolRelationship(a)},
		Links: personLinks{
			Self: s.personURL(p), Teaching: s.links.personTeaching(a.Slug(), p.ID.UUID),
		},
	}
}
