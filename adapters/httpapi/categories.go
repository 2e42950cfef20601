package httpapi

import (
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/lists"
	"lyceum/app"
	"lyceum/domain/category"
)

func (s *server) listCategories() handler {
	return list(s, lists.Listing[category.State]{
		Schema: category.Schema, List: s.app.Categories.List, ToResource: s.category,
	})
}

func (s *server) createCategory() handler {
	return createHandler(s, creation[string, category.State]{
		types: []string{category.Type}, read: newName, create: s.app.Categories.Create,
		url:        func(made category.State) string { return s.links.category(s.version, made.ID.UUID) },
		toResource: s.category,
	})
}

func (s *server) updateCategory() handler {
	read := func(d *request.Document) app.CategoryChanges { return app.CategoryChanges{Name: d.Text("name")} }
	return updateHandler(s, category.Type, read, s.app.Categories.Update, s.category)
}

type categoryAttributes struct {
	Name      string `json:"name"`
	CreatedAt string `json:"created_at"`
	UpdatedAt string `json:"updated_at"`
}

func (s *server) category(_ app.Actor, c category.State) jsonapi.Resource {
	return jsonapi.Resource{
		Type: category.Type,
		ID:   c.ID.String(),
		Attributes: categoryAttributes{
			Name: c.Name, CreatedAt: timestamp(c.CreatedAt), UpdatedAt: timestamp(c.UpdatedAt),
		},
		Links: selfLink{Self: s.links.category(s.version, c.ID.UUID)},
	}
}
