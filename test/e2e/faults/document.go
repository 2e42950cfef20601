package faults

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// resource contains those members of a resource object that the suite uses.
type resource struct {
	Type          string
	ID            any // a number for quiz scores
	Attributes    map[string]any
	Relationships map[string]struct{ Data json.RawMessage }
	Links         map[string]any
}

func (r resource) id() string { return fmt.Sprint(r.ID) }

// of returns the id in a to-one relationship.
func (r resource) of(relationship string) string {
	var one struct{ ID string }
	_ = json.Unmarshal(r.Relationships[relationship].Data, &one) // for a to-many relationship the id remains blank
	return one.ID
}

// attribute returns an attribute as text. It returns "" if the attribute is null.
func (r resource) attribute(attribute string) string {
	if v := r.Attributes[attribute]; v != nil {
		return fmt.Sprint(v)
	}
	return ""
}

// idOf returns the id of the resource in a document.
func idOf(body []byte) string {
	var d struct{ Data struct{ ID string } }
	_ = json.Unmarshal(body, &d) // for any other document the id remains blank
	return d.Data.ID
}

// page is a page of a list.
type page struct {
	Links struct{ Next string }
	Data  []resource
}

// get reads a document into d.
func (c *caller) get(ctx context.Context, path string, d any) error {
	t, ok := c.sendUntilCertain(ctx, request{method: http.MethodGet, path: path, expected: []int{http.StatusOK}})
	if !ok || t.status != http.StatusOK {
		return fmt.Errorf("%s: %d %.200s: %w", path, t.status, t.body, ctx.Err())
	}
	return json.Unmarshal(t.body, d)
}

// listAll follows links.next to the end of a list and returns all rows.
func (c *caller) listAll(ctx context.Context, path string) ([]resource, error) {
	var all []resource
	joint := "?"
	if strings.Contains(path, "?") {
		joint = "&"
	}
	for next := path + joint + "limit=100"; next != ""; {
		var p page
		if err := c.get(ctx, next, &p); err != nil {
			return nil, err
		}
		all, next = append(all, p.Data...), p.Links.Next
	}
	return all, nil
}
