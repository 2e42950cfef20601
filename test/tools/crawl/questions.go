package crawl

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Question is a request for the first page of a list.
type Question struct {
	List  string // path
	Query string
	Known bool // whether a row that answers it is known
}

// described is what a sweep reads of the description of a list.
type described struct {
	Description string
	Parameters  []struct {
		Ref  string `json:"$ref"`
		Name string
	}
}

func (d described) has(parameter string) bool {
	return slices.ContainsFunc(d.Parameters, func(p struct {
		Ref  string `json:"$ref"`
		Name string
	},
	) bool {
		return p.Name == parameter || strings.HasSuffix(p.Ref, "/"+parameter)
	})
}

// attribute is a name among those that the description says can be filtered by.
var attribute = regexp.MustCompile("`([a-z_.]+)`")

// words are searched for everywhere: one that nearly all rows have, several of
// these, and one that none has.
var words = []string{"e", "e a i", "zyzzyva"}

// Questions returns what a client may ask of each list that the server describes:
// its first page, one for each attribute that it can be filtered by, with the
// value of one of its rows, one for each order, and searches.
func (w Walker) Questions(ctx context.Context) ([]Question, error) {
	var document struct {
		Paths map[string]struct{ Get described }
	}
	if err := w.get(ctx, w.URL+"/openapi.json", &document); err != nil {
		return nil, err
	}
	paths, err := w.Lists(ctx)
	if err != nil {
		return nil, err
	}
	var all []Question
	for i, path := range paths {
		if i > 0 && Template(path) == Template(paths[i-1]) {
			continue // of the lists that each record has, one
		}
		fullest, rows, err := w.fullest(ctx, paths[i:])
		if err != nil {
			return nil, err
		}
		all = append(all, questionsOf(fullest, rows, document.Paths[Template(path)].Get)...)
	}
	return all, nil
}

// fullest returns that of the lists alike, which paths begin with, whose first
// page has most rows, and these.
func (w Walker) fullest(ctx context.Context, paths []string) (path string, rows []map[string]json.RawMessage, err error) {
	for _, p := range paths {
		if Template(p) != Template(paths[0]) {
			break
		}
		var page struct {
			Data []map[string]json.RawMessage
		}
		if err := w.get(ctx, w.URL+p, &page); err != nil {
			return "", nil, err
		}
		if path == "" || len(page.Data) > len(rows) {
			path, rows = p, page.Data
		}
	}
	return path, rows, nil
}

func questionsOf(path string, rows []map[string]json.RawMessage, d described) []Question {
	all := []Question{{List: path}}
	_, named, _ := strings.Cut(d.Description, "Can be filtered by ")
	for _, m := range attribute.FindAllStringSubmatch(named, -1) {
		name := m[1]
		all = append(all, filtered(path, name, rows))
		if !strings.HasSuffix(name, "s.id") { // of several records there is no order
			all = append(all, Question{List: path, Query: "sort=" + name}, Question{List: path, Query: "sort=-" + name})
		}
	}
	if d.has("q") {
		for _, word := range words {
			all = append(all, Question{List: path, Query: "q=" + url.QueryEscape(word)})
		}
	}
	return all
}

// filtered asks for the rows with the value of the last row that shows one, or
// that have a value when none does.
func filtered(path, name string, rows []map[string]json.RawMessage) Question {
	for _, row := range slices.Backward(rows) {
		if v := valueOf(row, name); v != "" && name != "last_used_at" { // which this request changes
			return Question{List: path, Query: fmt.Sprintf("filter[%s][eq]=%s", name, url.QueryEscape(v)), Known: true}
		}
	}
	return Question{List: path, Query: fmt.Sprintf("filter[%s][null]=false", name)}
}

// valueOf returns what a resource shows of an attribute; blank for nothing.
func valueOf(row map[string]json.RawMessage, name string) string {
	switch name {
	case "uuid":
		return plain(row["id"])
	case "type":
		return plain(row["type"])
	}
	if relation, ok := strings.CutSuffix(name, ".id"); ok {
		var relations map[string]struct{ Data json.RawMessage }
		if json.Unmarshal(row["relationships"], &relations) != nil {
			return ""
		}
		var ids []struct{ ID string }
		var id struct{ ID string }
		if json.Unmarshal(relations[relation].Data, &ids) == nil && len(ids) > 0 {
			return ids[0].ID
		}
		_ = json.Unmarshal(relations[relation].Data, &id) // blank when there is none
		return id.ID
	}
	var attributes map[string]json.RawMessage
	if json.Unmarshal(row["attributes"], &attributes) != nil {
		return ""
	}
	return plain(attributes[name])
}

// plain returns a text, a number or a truth value as a filter takes it.
func plain(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	if len(raw) == 0 || raw[0] == '{' || raw[0] == '[' {
		return ""
	}
	return string(raw)
}

// Ask asks a question and returns how many rows came, and after which time.
func (w Walker) Ask(ctx context.Context, q Question) (rows int, took time.Duration, err error) {
	var page document
	begin := time.Now()
	err = w.get(ctx, w.URL+q.String(), &page)
	return len(page.Data), time.Since(begin), err
}

// String returns the path with the query.
func (q Question) String() string {
	if q.Query == "" {
		return q.List
	}
	return q.List + "?" + q.Query
}

var recordID = regexp.MustCompile(`/[0-9a-f]{8}-[0-9a-f-]{27}`)

// Template returns the path as the description writes it.
func Template(path string) string { return recordID.ReplaceAllString(path, "/{id}") }
