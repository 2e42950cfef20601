package docs_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/contract"
)

// request matches a path of the API, after its method if it has one. The last group is a slash if
// the text contains only the beginning of a path.
var request = regexp.MustCompile(`(?:\b(GET|POST|PUT|PATCH|DELETE) +|^|[\s"'(]|\$URL|\d)(/v[12](?:/(?:[\w:$.{}-]|<[^>]+>)+)+)(/?)`)

// TestRequests checks that the API has an operation for every path that a page names and, if the
// page names a method too, for that method.
func TestRequests(t *testing.T) {
	is := is.New(t)
	description, err := contract.Description()
	is.NoErr(err)
	operations := description.Operations()
	checked := 0
	for _, p := range pages(t) {
		for _, text := range p.named() {
			for _, m := range request.FindAllStringSubmatch(text, -1) {
				if m[3] != "" {
					continue
				}
				checked++
				if !served(operations, m[1], m[2]) {
					t.Errorf("%s: %s: no operation has the path %s %s", p.path, text, m[1], m[2])
				}
			}
		}
	}
	is.True(checked > 100)
	for path, exists := range map[string]bool{
		"/v2/people": true, "/v2/people/:id": true, "/v2/people/$ADA": true, "/v2/people/:id/nothing": false, "/v1/events": false,
	} {
		is.Equal(served(operations, "GET", path), exists) // whether GET has the path
	}
	is.True(!served(operations, "DELETE", "/v2/people"))
}

// served reports whether one of the operations has the path and the method; "" stands for any
// method. A segment of the path that begins with a colon, a dollar sign or an angle bracket stands
// for an ID.
func served(operations []string, method, path string) bool {
	for _, o := range operations {
		verb, template, _ := strings.Cut(o, " ")
		if (method == "" || method == verb) && matches(strings.Split(template, "/"), strings.Split(path, "/")) {
			return true
		}
	}
	return false
}

func matches(template, path []string) bool {
	if len(template) != len(path) {
		return false
	}
	for i, s := range template {
		if s != path[i] && s != "{}" {
			return false
		}
	}
	return true
}
