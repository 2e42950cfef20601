package httpapi

import (
	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/app"
	"lyceum/domain/category"
)

func (s *server) listCategories() handler {
	return list(s, listing[category.State]{
		schema: category.Schema, list: s.app.Categories.List, toResource: s.category,
	})
}

func (s *server) createCategory(c *gin.Context, a app.Actor) error {
	d, err := s.readNew(c, category.Type)
	if err != nil {
		return err
	}
	name := d.NewText("name")
	made, err := try(d.Faults, a, func(a app.Actor) (category.State, error) {
		return s.app.Categories.Create(c.Request.Context(), a, name)
	})
	if err != nil {
		return err
	}
	return s.Created(c, s.links.category(s.version, made.ID.UUID), s.category(a, made))
}

func (s *server) updateCategory(c *gin.Context, a app.Actor) error {
	id, err := pathID(c)
	if err != nil {
		return err
	}
	d, err := s.readChange(c, id, category.Type)
	if err != nil {
		return err
	}
	change := app.CategoryChange{Name: d.Text("name")}
	changed, err := try(d.Faults, a, func(a app.Actor) (category.State, error) {
		return s.app.Categories.Update(c.Request.Context(), a, category.ID{UUID: id}, change)
	})
	if err != nil {
		return err
	}
	return s.OK(c, jsonapi.Single{Data: s.category(a, changed)})
}

type categoryAttributes struct {
	Name      string `json:"name"`
	CreatedAt string `json:"created_at"`
	UpdatedAt string `json:"updated_at"`
}

type categoryLinks struct {
	Self string `json:"self"`
}

func (s *server) category(_ app.Actor, c category.State) jsonapi.Resource {
	return jsonapi.Resource{
		Type: category.Type,
		ID:   c.ID.String(),
		Attributes: categoryAttributes{
			Name: c.Name, CreatedAt: timestamp(c.CreatedAt), UpdatedAt: timestamp(c.UpdatedAt),
		},
		Links: categoryLinks{Self: s.links.category(s.version, c.ID.UUID)},
	}
}
