package httpapi

import (
	"encoding/json"

	"lyceum/adapters/httpapi/documents"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/lists"
	"lyceum/app"
	"lyceum/domain/person"
	"lyceum/domain/property"
)

func (s *server) listFullPeople() handler {
	return list(s, lists.Listing[person.Summary]{
		Schema: person.Schema, List: s.app.People.List, ToResource: s.fullPerson,
		Properties: property.People, OfSchool: true,
	})
}

func (s *server) createPerson() handler {
	read := func(d *request.Document) person.Profile {
		profile := newProfile(d)
		profile.AvatarURL = d.NewText("custom_avatar_url")
		profile.Unsubscribed = valueOrZero(d.Bool("unsubscribed"))
		profile.Properties = documents.ReadProperties(d)
		return profile
	}
	return createHandler(s, creation[person.Profile, person.Summary]{
		types: []string{person.Type}, read: read, create: s.app.People.Create, url: s.personURL, toResource: s.fullPerson,
	})
}

func (s *server) updatePerson() handler {
	read := func(d *request.Document) person.Changes {
		return person.Changes{
			Email: d.Text("email"), FirstName: d.Text("first_name"), LastName: d.Text("last_name"),
			AvatarURL: d.Text("custom_avatar_url"), Unsubscribed: d.Bool("unsubscribed"),
			Properties: documents.ReadProperties(d),
		}
	}
	return updateHandler(s, person.Type, read, s.app.People.Update, s.fullPerson)
}

// fullPersonAttributes contains the attributes of a person in v2, in lists and in single documents.
type fullPersonAttributes struct {
	listedPersonAttributes
	FirstName    string `json:"first_name"`
	LastName     string `json:"last_name"`
	Name         string `json:"name"`
	Unsubscribed bool   `json:"unsubscribed"`

	Properties json.RawMessage `json:"properties,omitempty"`
}

// ownPersonAttributes contains the attributes of a person that the person sees as a learner.
type ownPersonAttributes struct {
	CreatedAt       string  `json:"created_at"`
	UpdatedAt       string  `json:"updated_at"`
	CustomAvatarURL *string `json:"custom_avatar_url"`
	Email           string  `json:"email"`
	FirstName       string  `json:"first_name"`
	LastName        string  `json:"last_name"`
	Name            string  `json:"name"`
}

type ownPersonLinks struct {
	Self jsonapi.Link `json:"self"`
}

func (s *server) ownPerson(p person.Summary) jsonapi.Resource {
	return jsonapi.Resource{
		Type: person.Type,
		ID:   p.ID.String(),
		Attributes: ownPersonAttributes{
			CreatedAt: timestamp(p.CreatedAt), UpdatedAt: timestamp(p.UpdatedAt), CustomAvatarURL: p.AvatarURL,
			Email: p.Email, FirstName: p.FirstName, LastName: p.LastName, Name: p.FullName(),
		},
		Links: ownPersonLinks{Self: jsonapi.Link{Href: s.personURL(p), Methods: []string{"get"}}},
	}
}

func (s *server) fullPerson(a app.Actor, p person.Summary) jsonapi.Resource {
	if a.IsLearner() {
		return s.ownPerson(p)
	}
	return s.listedPersonWith(a, p, fullPersonAttributes{
		listedPersonAttributes: newListedPersonAttributes(p),
		FirstName:              p.FirstName,
		LastName:               p.LastName,
		Name:                   p.FullName(),
		Unsubscribed:           p.Unsubscribed,
		Properties:             documents.Properties(p.Properties, p.Defined),
	})
}
