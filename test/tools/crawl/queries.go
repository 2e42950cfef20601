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

// ListQuery is a request for the first page of a list.
type ListQuery struct {
	List  string // path of the list
	Query string
	Known bool // whether the list has a row that the filter selects
}

// listDescription is the part of a list's description that a Walker uses.
type listDescription struct {
	Description string
	Parameters  []struct {
		Ref  string `json:"$ref"`
		Name string
	}
}

func (d listDescription) has(parameter string) bool {
	return slices.ContainsFunc(d.Parameters, func(p struct {
		Ref  string `json:"$ref"`
		Name string
	},
	) bool {
		return p.Name == parameter || strings.HasSuffix(p.Ref, "/"+parameter)
	})
}

// attribute matches the name of a filter attribute, in backticks, in the description of a list.
var attribute = regexp.MustCompile("`([a-z_.]+)`")

// words contains the search texts for each list that can be searched: a word that most rows
// contain, several such words, and a word that no row contains.
var words = []string{"e", "e a i", "zyzzyva"}

// Queries returns requests for each list in the API description: without parameters, filtered by
// each attribute with a value from a row, sorted by each attribute in both directions, and with
// search texts.
func (w Walker) Queries(ctx context.Context) ([]ListQuery, error) {
	var document struct {
		Paths map[string]struct{ Get listDescription }
	}
	if err := w.get(ctx, w.URL+"/openapi.json", &document); err != nil {
		return nil, err
	}
	paths, err := w.Lists(ctx)
	if err != nil {
		return nil, err
	}
	var all []ListQuery
	for i, path := range paths {
		if i > 0 && Template(path) == Template(paths[i-1]) {
			continue // the same list of another record, which fullest has read
		}
		fullest, rows, err := w.fullest(ctx, paths[i:])
		if err != nil {
			return nil, err
		}
		all = append(all, queriesOf(fullest, rows, document.Paths[Template(path)].Get)...)
	}
	return all, nil
}

// fullest returns the path whose first page has the most rows, and these rows. It considers only
// the paths at the start of paths that have the same template.
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

func queriesOf(path string, rows []map[string]json.RawMessage, d listDescription) []ListQuery {
	all := []ListQuery{{List: path}}
	// The OpenAPI document lists the attributes after these words of the description.
	_, named, _ := strings.Cut(d.Description, "Can be filtered by ")
	for _, m := range attribute.FindAllStringSubmatch(named, -1) {
		name := m[1]
		all = append(all, filterQuery(path, name, rows))
		if !strings.HasSuffix(name, "s.id") { // a list cannot be sorted by a list of ids
			all = append(all, ListQuery{List: path, Query: "sort=" + name}, ListQuery{List: path, Query: "sort=-" + name})
		}
	}
	if d.has("q") {
		for _, word := range words {
			all = append(all, ListQuery{List: path, Query: "q=" + url.QueryEscape(word)})
		}
	}
	return all
}

// filterQuery returns a filter by an attribute, with the value of the last row that has a value. If
// no row has a value, the filter selects all rows with any value.
func filterQuery(path, name string, rows []map[string]json.RawMessage) ListQuery {
	for _, row := range slices.Backward(rows) {
		if v := valueOf(row, name); v != "" && name != "last_used_at" { // the requests themselves change last_used_at
			return ListQuery{List: path, Query: fmt.Sprintf("filter[%s][eq]=%s", name, url.QueryEscape(v)), Known: true}
		}
	}
	return ListQuery{List: path, Query: fmt.Sprintf("filter[%s][null]=false", name)}
}

// valueOf returns an attribute of a resource, or "" if the attribute is missing.
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
		_ = json.Unmarshal(relations[relation].Data, &id) // on an error the id stays blank
		return id.ID
	}
	var attributes map[string]json.RawMessage
	if json.Unmarshal(row["attributes"], &attributes) != nil {
		return ""
	}
	return plain(attributes[name])
}

// plain returns a JSON string, number or boolean as a filter operand, and "" for other values.
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

// Ask sends a query and returns the number of rows and the duration.
func (w Walker) Ask(ctx context.Context, q ListQuery) (rows int, took time.Duration, err error) {
	var page document
	begin := time.Now()
	err = w.get(ctx, w.URL+q.String(), &page)
	return len(page.Data), time.Since(begin), err
}

// String returns the path with the query.
func (q ListQuery) String() string {
	if q.Query == "" {
		return q.List
	}
	return q.List + "?" + q.Query
}

var recordID = regexp.MustCompile(`/[0-9a-f]{8}-[0-9a-f-]{27}`)

// Template returns the path in the form that the description uses.
func Template(path string) string { return recordID.ReplaceAllString(path, "/{id}") }
