package lyceum

import (
	"context"
	"net/http"
	"net/url"
)

// endpoint is a path of the API.
type endpoint struct {
	client *Client
	path   string // path below /v2, such as people
}

// at returns the endpoint below e with the given path segments, which it escapes.
func (e endpoint) at(segments ...string) endpoint {
	for _, segment := range segments {
		e.path += "/" + url.PathEscape(segment)
	}
	return e
}

func (e endpoint) url() string { return e.client.base + "/v2/" + e.path }

// document is a JSON:API document. Its data is a resource, or a list of resources or identifiers.
type document[T any] struct {
	Data T `json:"data"`
}

// resource is a resource object in a request.
type resource struct {
	Type          string         `json:"type,omitempty"`
	Attributes    any            `json:"attributes,omitempty"`
	Relationships map[string]any `json:"relationships,omitempty"`
}

// fetch sends a request with the given data and returns the data of the response.
func fetch[T any](ctx context.Context, e endpoint, method string, data any, options ...RequestOption) (T, error) {
	var body any
	if data != nil {
		body = document[any]{data}
	}
	var out document[T]
	err := e.client.send(ctx, method, e.url(), body, &out, options...)
	return out.Data, err
}

// refer sends a request with resource identifiers of the given type.
func refer(ctx context.Context, e endpoint, method, kind string, ids []string) error {
	list := make([]Identifier, len(ids))
	for i, id := range ids {
		list[i] = Identifier{Type: kind, ID: id}
	}
	return e.client.send(ctx, method, e.url(), document[any]{list}, nil)
}

func toOne(kind, id string) ToOne { return ToOne{Data: Identifier{Type: kind, ID: id}} }

// Getter reads one record.
type Getter[T any] struct{ endpoint }

// Get returns the record with the given ID.
func (g Getter[T]) Get(ctx context.Context, id string) (T, error) {
	return fetch[T](ctx, g.at(id), http.MethodGet, nil)
}

// Creator creates records of type T from attributes.
type Creator[Attributes, T any] struct{ endpoint }

// Create creates a record with the given attributes and returns it.
func (c Creator[Attributes, T]) Create(ctx context.Context, a Attributes, options ...RequestOption) (T, error) {
	return fetch[T](ctx, c.endpoint, http.MethodPost, resource{Attributes: a}, options...)
}

// Updater updates the attributes of records of type T.
type Updater[Attributes, T any] struct{ endpoint }

// Update sets those attributes that are not nil and returns the updated record.
func (u Updater[Attributes, T]) Update(ctx context.Context, id string, a Attributes) (T, error) {
	return fetch[T](ctx, u.at(id), http.MethodPatch, resource{Attributes: a})
}

// Deleter deletes records.
type Deleter struct{ endpoint }

// Delete deletes the record with the given ID.
func (d Deleter) Delete(ctx context.Context, id string) error {
	return d.client.send(ctx, http.MethodDelete, d.at(id).url(), nil, nil)
}
