package contract

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// described maps the method of a request to the method of the described operation. According to the
// document, HEAD is GET without a body.
var described = map[string]string{
	http.MethodGet: "get", http.MethodHead: "get", http.MethodPost: "post",
	http.MethodPatch: "patch", http.MethodPut: "put", http.MethodDelete: "delete",
}

// operation returns the operation that matches a request, if any.
func (c *Contract) operation(method, path string) (node, bool) {
	template, ok := c.template(path)
	name := described[method]
	if !ok || name == "" {
		return node{}, false
	}
	operation := c.document.at("paths", template, name)
	return operation, operation.value != nil
}

// path is a path of the document, with a segment in braces for each parameter.
type path struct {
	template string
	segments []string
}

// template returns the path of the document that matches a requested path, which may have extra
// slashes and unnecessary escapes. A path without parameters takes precedence.
func (c *Contract) template(requested string) (string, bool) {
	segments := segmentsOf(requested)
	for i, s := range segments {
		if plain, err := url.PathUnescape(s); err == nil {
			segments[i] = plain
		}
	}
	best, parameters := "", -1
	for _, p := range c.paths {
		if !slices.EqualFunc(p.segments, segments, func(t, s string) bool { return t == s || strings.HasPrefix(t, "{") }) {
			continue
		}
		if n := strings.Count(p.template, "{"); parameters < 0 || n < parameters {
			best, parameters = p.template, n
		}
	}
	return best, parameters >= 0
}

func segmentsOf(path string) []string {
	return slices.DeleteFunc(strings.Split(path, "/"), func(s string) bool { return s == "" })
}

// Operations returns every operation as its method and its path with {} for each parameter, such as
// "GET /v1/groups/{}".
func (c *Contract) Operations() []string { return slices.Sorted(maps.Keys(c.Scopes())) }

// Scopes returns the scope that a key needs for each of Operations, or "" if the operation needs no
// key.
func (c *Contract) Scopes() map[string]string {
	all := map[string]string{}
	for _, path := range c.document.at("paths").names() {
		for _, name := range c.document.at("paths", path).names() {
			if name == "parameters" {
				continue
			}
			segments := segmentsOf(path)
			for i, s := range segments {
				if strings.HasPrefix(s, "{") {
					segments[i] = "{}"
				}
			}
			needed, _ := c.document.at("paths", path, name, "x-required-scope").value.(string)
			all[strings.ToUpper(name)+" /"+strings.Join(segments, "/")] = needed
		}
	}
	return all
}
