package contract

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// documentedStatuses are the statuses whose errors each operation must list in x-refusals. Errors
// with other statuses are the same for every operation.
var documentedStatuses = []string{"403", "404", "409", "422"}

// documentedError contains the parts of an error that x-refusals describes.
type documentedError struct {
	Status, Detail string
	Source         struct{ Pointer, Parameter, Header string }
}

// errorProblems returns the errors of a response that its operation does not list. It returns none
// for a response that is not a JSON document, such as a page.
func (c *Contract) errorProblems(a Response) []string {
	operation, found := c.operation(a.Method, a.Path)
	if !found || a.Status < http.StatusBadRequest {
		return nil
	}
	var document struct{ Errors []documentedError }
	if json.Unmarshal(a.Body, &document) != nil {
		return nil // Problems compares the body with its schema
	}
	named, _ := operation.at("x-refusals").value.([]any)
	var problems []string
	for _, r := range document.Errors {
		if slices.Contains(documentedStatuses, r.Status) && !slices.ContainsFunc(named, r.matches) {
			problems = append(problems, fmt.Sprintf("a refusal that x-refusals does not name: %s %+v %q", r.Status, r.Source, r.Detail))
		}
	}
	return problems
}

// index matches an index in a pointer. In x-refusals, * stands for an index.
var index = regexp.MustCompile(`/[0-9]+(/|$)`)

// property matches the name of a property, which a school chooses. In x-refusals, * stands for such
// a name.
var property = regexp.MustCompile(`/properties/[^/]+$`)

// matches reports whether an entry of x-refusals describes the error.
func (r documentedError) matches(entry any) bool {
	n := node{value: entry}
	is := func(name, value string) bool {
		described, _ := n.at(name).value.(string)
		return described == value
	}
	if fmt.Sprint(n.at("status").value) != r.Status || !is("parameter", r.Source.Parameter) || !is("header", r.Source.Header) {
		return false
	}
	pointer := r.Source.Pointer
	for index.MatchString(pointer) {
		pointer = index.ReplaceAllString(pointer, "/*$1")
	}
	pointer = property.ReplaceAllString(pointer, "/properties/*")
	details, _ := n.at("details").value.([]any)
	return is("pointer", pointer) && slices.ContainsFunc(details, func(d any) bool {
		text, _ := d.(string)
		return matchesDetail(text, r.Detail)
	})
}

// matchesDetail reports whether text matches the detail. In text, {} stands for any value.
func matchesDetail(text, detail string) bool {
	parts := strings.Split(text, "{}")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return regexp.MustCompile("^(?s:" + strings.Join(parts, ".+") + ")$").MatchString(detail)
}
