package httpapi

import (
	"encoding/json"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/documents"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/app"
	"lyceum/domain/fault"
	"lyceum/domain/school"
)

func (s *server) getSchool(c *gin.Context, a app.Actor) error {
	found, err := s.app.School.Get(c.Request.Context(), a)
	if err != nil {
		return err
	}
	return s.writeSingle(c, a, s.school(found))
}

func (s *server) updateSchool(c *gin.Context, a app.Actor) error {
	d, err := s.readChange(c, a.School().UUID, school.Type)
	if err != nil {
		return err
	}
	edit := school.Changes{
		Name: d.Text("name"), Slug: d.Text("slug"), Auth: request.Attribute(d, "authentication", parseAuthMethod),
		PublicCovers: d.Bool("public_covers"), AdmitsNewPeople: d.Bool("admits_new_people"), EntrySecret: d.Text("entry_secret"),
		Properties: documents.ReadProperties(d),
		Provider:   school.ProviderChanges{Issuer: d.Text("sso_issuer"), ClientID: d.Text("sso_client_id"), ClientSecret: d.Text("sso_client_secret")},
	}
	changed, err := collectFaults(d.Faults, a, func(a app.Actor) (school.Summary, error) {
		return s.app.School.Update(c.Request.Context(), a, edit)
	})
	if err != nil {
		return err
	}
	return s.WriteOK(c, jsonapi.Single{Data: s.school(changed)})
}

func parseAuthMethod(name string, v jsonapi.Value) (school.AuthMethod, error) {
	method, err := request.TextOf(name, v)
	switch {
	case err != nil:
		return school.AuthMethod{}, err
	case method == "":
		return school.AuthMethod{}, fault.Blank(name)
	}
	return school.ParseAuthMethod(method)
}

type schoolAttributes struct {
	Name            string `json:"name"`
	Slug            string `json:"slug"`
	Authentication  string `json:"authentication"`
	PublicCovers    bool   `json:"public_covers"`
	AdmitsNewPeople bool   `json:"admits_new_people"`
	SSOIssuer       string `json:"sso_issuer"`
	SSOClientID     string `json:"sso_client_id"`
	CreatedAt       string `json:"created_at"`
	UpdatedAt       string `json:"updated_at"`

	Properties json.RawMessage `json:"properties,omitempty"`
}

func (s *server) school(found school.Summary) jsonapi.Resource {
	return jsonapi.Resource{
		Type: school.Type,
		ID:   found.ID.String(),
		Attributes: schoolAttributes{
			Name:            found.Name,
			Slug:            found.Slug,
			Authentication:  found.Auth.String(),
			PublicCovers:    found.Entry.PublicCovers,
			AdmitsNewPeople: found.Entry.AdmitsNewPeople,
			SSOIssuer:       found.Entry.Provider.Issuer,
			SSOClientID:     found.Entry.Provider.ClientID,
			CreatedAt:       timestamp(found.CreatedAt),
			UpdatedAt:       timestamp(found.UpdatedAt),
			Properties:      documents.Properties(found.Properties, found.Defined),
		},
		Links: selfLink{Self: s.links.school()},
	}
}
