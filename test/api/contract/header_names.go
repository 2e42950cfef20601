package contract

import (
	"maps"
	"slices"
)

// Headers returns the names of the headers that the document describes: the sorted names of request
// headers and of response headers.
func (c *Contract) Headers() (sent, received []string) {
	requests, responses := map[string]bool{}, map[string]bool{}
	var visit func(value any)
	visit = func(value any) {
		switch v := value.(type) {
		case []any:
			for _, element := range v {
				visit(element)
			}
		case map[string]any:
			if name, ok := v["name"].(string); ok && v["in"] == "header" {
				requests[name] = true
			}
			if headers, ok := v["headers"].(map[string]any); ok && v["description"] != nil {
				for name := range headers {
					responses[name] = true
				}
			}
			for _, member := range v {
				visit(member)
			}
		}
	}
	visit(c.document.value)
	return slices.Sorted(maps.Keys(requests)), slices.Sorted(maps.Keys(responses))
}
