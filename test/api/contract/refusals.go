package contract

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// documentedStatuses are the statuses of errors that an operation has to name one by one, in
// x-refusals. The others say the same wherever they occur.
var documentedStatuses = []string{"403", "404", "409", "422"}

// documentedError is an error of an answer, as far as x-refusals describes it.
type documentedError struct {
	Status, Detail string
	Source         struct{ Pointer, Parameter, Header string }
}

// errorProblems returns the errors of an answer that its operation does not name. An
// answer that is no JSON document, such as a page, has none.
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

// index is an index in a pointer. x-refusals has * in its place.
var index = regexp.MustCompile(`/[0-9]+(/|$)`)

// matches reports whether an entry of x-refusals names the error.
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
	details, _ := n.at("details").value.([]any)
	return is("pointer", pointer) && slices.ContainsFunc(details, func(d any) bool {
		text, _ := d.(string)
		return matchesDetail(text, r.Detail)
	})
}

// matchesDetail reports whether a text of x-refusals, in which {} stands for a value, is the detail.
func matchesDetail(text, detail string) bool {
	parts := strings.Split(text, "{}")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return regexp.MustCompile("^(?s:" + strings.Join(parts, ".+") + ")$").MatchString(detail)
}
