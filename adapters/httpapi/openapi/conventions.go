package openapi

import (
	"fmt"
	"slices"
	"strings"
)

// conventions is the content of conventions.yaml: the common parts of the operations of each kind.
type conventions object

// methods contains the members of a path item that are operations.
var methods = []string{"get", "post", "put", "patch", "delete"}

// apply adds the conventions to the operations of a path.
func (c conventions) apply(path string, item object) error {
	for i, m := range item {
		if !slices.Contains(methods, m.Key) {
			continue
		}
		op, err := c.operation(path, m.Key, m.Value.(object))
		if err != nil {
			return fmt.Errorf("%s %s: %w", m.Key, path, err)
		}
		item[i].Value = op
	}
	return nil
}

func (c conventions) operation(path, method string, op object) (object, error) {
	keyed := op.get("security") == nil
	kinds := []struct {
		name  string
		holds bool
	}{
		{"withBody", op.get("requestBody") != nil},
		{"withQuery", op.get("parameters") != nil && keyed},
		{"repeatable", keyed && method == "post"},
		{"withID", strings.Contains(path, "{")},
		{"get", method == "get" && op.object("responses").object("200").get("$ref") == nil}, // the response is a document with an ETag
		{"keyed", keyed},
		{"every", true},
	}
	responses := op.object("responses")
	for i, m := range responses {
		responses[i].Value = c.withHeaders(method, m.Key, m.Value.(object), keyed, op.get("deprecated") == true)
	}
	var holding []string
	for _, kind := range kinds {
		if kind.holds {
			holding = append(holding, kind.name)
			responses = responses.with(object(c).object(kind.name))
		}
	}
	slices.SortStableFunc(responses, func(a, b member) int { return strings.Compare(a.Key, b.Key) })
	if keyed && method == "post" {
		parameters, _ := op.get("parameters").([]any)
		op = op.set("parameters", append(parameters, object{{"$ref", "#/components/parameters/RepeatKey"}}))
	}
	own, _ := op.get("x-refusals").([]any)
	refusals, err := c.refusals(own, holding)
	if err != nil {
		return nil, err
	}
	if refusals != nil {
		op = op.set("x-refusals", refusals)
	}
	return op.set("responses", responses), nil
}

// withHeaders returns a response with the common headers for its status and its kind of operation.
// A response that is a reference is returned unchanged.
func (c conventions) withHeaders(method, status string, response object, keyed, deprecated bool) object {
	if response.get("$ref") != nil {
		return response
	}
	headers, all := response.object("headers"), object(c).object("headers")
	headers = headers.with(all.object("any")).with(all.object(status))
	if method == "post" && strings.HasPrefix(status, "2") {
		headers = headers.with(all.object("post"))
	}
	if keyed {
		headers = headers.with(all.object("keyed"))
	}
	if deprecated {
		headers = headers.with(all.object("deprecated"))
	}
	return response.set("headers", headers)
}
