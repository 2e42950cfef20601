package httpapi

import (
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/lists"
	"lyceum/app"
	"lyceum/domain/fault"
	"lyceum/domain/property"
)

func (s *server) listPropertyDefinitions() handler {
	return list(s, lists.Listing[property.State]{
		Schema: property.Schema, List: s.app.Properties.List, ToResource: s.propertyDefinition,
	})
}

func (s *server) createPropertyDefinition() handler {
	read := func(d *request.Document) property.Params {
		return property.Params{
			Resource:   valueOrZero(request.Attribute(d, "resource", orBlank(parsed(request.TextOf, property.ParseResource)))),
			Name:       newName(d),
			Kind:       valueOrZero(request.Attribute(d, "kind", orBlank(parsed(request.TextOf, property.ParseKind)))),
			Options:    valueOrZero(request.Attribute(d, "values", optionsOf)),
			Filterable: valueOrZero(d.Bool("filterable")),
		}
	}
	return createHandler(s, creation[property.Params, property.State]{
		types: []string{property.Type}, read: read, create: s.app.Properties.Create,
		url:        func(made property.State) string { return s.links.propertyDefinition(made.ID.UUID) },
		toResource: s.propertyDefinition,
	})
}

func (s *server) updatePropertyDefinition() handler {
	read := func(d *request.Document) property.DefinitionChanges {
		return property.DefinitionChanges{
			Resource:   request.Attribute(d, "resource", parsed(request.TextOf, property.ParseResource)),
			Name:       d.Text("name"),
			Kind:       request.Attribute(d, "kind", parsed(request.TextOf, property.ParseKind)),
			Options:    request.Attribute(d, "values", optionsOf),
			Filterable: d.Bool("filterable"),
		}
	}
	return updateHandler(s, property.Type, read, s.app.Properties.Update, s.propertyDefinition)
}

// optionsOf returns the elements of an array of strings; nil for null.
func optionsOf(name string, v jsonapi.Value) ([]string, error) {
	if v.Null() {
		return nil, nil
	}
	// Too many elements are not parsed: the domain refuses their number.
	if n, _ := v.Len(); n > property.MaxOptions {
		return make([]string, n), nil
	}
	if _, ok := v.Array(); !ok {
		return nil, fault.Invalidf(name, "must be an array")
	}
	return request.TextsOf(name, v)
}

// deletePropertyDefinition deletes a property definition and responds with 204. With force=true it
// also deletes the property's value in all records, and responds with 200 and the number of these
// records.
func (s *server) deletePropertyDefinition() handler {
	return forcibleHandler(s, property.Type, s.app.Properties.Delete, s.app.Properties.DeleteAll)
}

type propertyDefinitionAttributes struct {
	Resource   string   `json:"resource"`
	Name       string   `json:"name"`
	Kind       string   `json:"kind"`
	Values     []string `json:"values"`
	Filterable bool     `json:"filterable"`
	CreatedAt  string   `json:"created_at"`
	UpdatedAt  string   `json:"updated_at"`
}

func (s *server) propertyDefinition(_ app.Actor, d property.State) jsonapi.Resource {
	return jsonapi.Resource{
		Type: property.Type,
		ID:   d.ID.String(),
		Attributes: propertyDefinitionAttributes{
			Resource: d.Resource.String(), Name: d.Name, Kind: d.Kind.String(), Values: d.Options, Filterable: d.Filterable,
			CreatedAt: timestamp(d.CreatedAt), UpdatedAt: timestamp(d.UpdatedAt),
		},
		Links: selfLink{Self: s.links.propertyDefinition(d.ID.UUID)},
	}
}
