package httpapi

import (
	"context"
	"encoding/json"

	"lyceum/adapters/httpapi/documents"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/app"
	"lyceum/domain/property"
	"lyceum/domain/query"
)

// propertiesOf returns the value of the attribute "properties", with every property that the school
// has defined. If the school has defined none, propertiesOf returns nil, so that the attribute is
// omitted.
func propertiesOf(v property.Values, defined []string) json.RawMessage {
	if len(defined) == 0 {
		return nil
	}
	return json.RawMessage(v.Document(defined))
}

// readProperties reads the attribute "properties" of a document.
func readProperties(d *request.Document) property.Changes {
	sent := d.Attributes[property.Field]
	if sent.Absent() {
		return property.Changes{}
	}
	members := d.Object(property.Field, sent)
	return property.Changes{Sent: documents.RawProperties(members)}
}

// withProperties returns schema with the properties that the actor's school has defined for r.
func withProperties[T any](
	ctx context.Context, s *server, a app.Actor, schema query.Schema[T], r property.Resource,
) (query.Schema[T], error) {
	defined, err := s.app.Properties.Defined(ctx, a, r)
	if err != nil {
		return schema, err
	}
	var attrs []query.Attr
	var closed []string
	for _, d := range defined {
		if d.Filterable {
			attrs = append(attrs, d.Attr())
		} else {
			closed = append(closed, d.Attr().Name)
		}
	}
	return schema.Extend(attrs, closed), nil
}
