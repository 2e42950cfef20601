package httpapi

import (
	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/app"
	"lyceum/domain/person"
)

func (s *server) listFullPeople() handler {
	return list(s, listing[person.Summary]{
		schema: person.Schema, list: s.app.People.List, toResource: s.fullPerson, ofSchool: true,
	})
}

func (s *server) createPerson(c *gin.Context, a app.Actor) error {
	d, err := s.readNew(c, person.Type)
	if err != nil {
		return err
	}
	profile := person.Profile{
		Email: d.NewText("email"), FirstName: d.NewText("first_name"), LastName: d.NewText("last_name"),
		AvatarURL: d.NewText("custom_avatar_url"),
	}
	if b := d.Bool("unsubscribed"); b != nil {
		profile.Unsubscribed = *b
	}
	made, err := try(d.Faults, a, func(a app.Actor) (person.Summary, error) {
		return s.app.People.Create(c.Request.Context(), a, profile)
	})
	if err != nil {
		return err
	}
	return s.Created(c, s.links.person(s.version, made.ID.UUID), s.fullPerson(a, made))
}

func (s *server) updatePerson(c *gin.Context, a app.Actor) error {
	id, err := pathID(c)
	if err != nil {
		return err
	}
	d, err := s.readChange(c, id, person.Type)
	if err != nil {
		return err
	}
	edit := person.Edit{
		Email: d.Text("email"), FirstName: d.Text("first_name"), LastName: d.Text("last_name"),
		AvatarURL: d.Text("custom_avatar_url"), Unsubscribed: d.Bool("unsubscribed"),
	}
	changed, err := try(d.Faults, a, func(a app.Actor) (person.Summary, error) {
		return s.app.People.Update(c.Request.Context(), a, person.ID{UUID: id}, edit)
	})
	if err != nil {
		return err
	}
	return s.OK(c, jsonapi.Single{Data: s.fullPerson(a, changed)})
}

// fullPersonAttributes is the form of a person under v2, in lists and alone.
type fullPersonAttributes struct {
	listedPersonAttributes
	FirstName    string `json:"first_name"`
	LastName     string `json:"last_name"`
	Name         string `json:"name"`
	Unsubscribed bool   `json:"unsubscribed"`
}

func (s *server) fullPerson(a app.Actor, p person.Summary) jsonapi.Resource {
	r := s.listedPerson(a, p)
	r.Attributes = fullPersonAttributes{
		listedPersonAttributes: newListedPersonAttributes(p),
		FirstName:              p.FirstName,
		LastName:               p.LastName,
		Name:                   p.FullName(),
		Unsubscribed:           p.Unsubscribed,
	}
	return r
}
