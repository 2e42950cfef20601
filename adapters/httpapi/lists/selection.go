package lists

import (
	"context"
	"slices"
	"strings"

	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/listquery"
	"lyceum/app"
	"lyceum/domain/fault"
)

// Selection describes which attributes and relationships a response contains, and which related
// resources it includes. The zero Selection selects complete resources and includes none.
type Selection struct {
	server *Server
	paths  [][]string                 // paths of relationships to include
	fields map[string]map[string]bool // attributes and relationships by type; absent: all
}

// NewSelection checks the selection that a request asks for. sample returns a resource of the
// response. types contains the types that resources of the response can have; nil: only the type of
// sample.
func (s *Server) NewSelection(asked listquery.Selection, sample func() jsonapi.Resource, types ...string) (Selection, error) {
	if asked.Include == nil && asked.Fields == nil {
		return Selection{}, nil
	}
	from := sample()
	if types == nil {
		types = []string{from.Type}
	}
	sel := Selection{server: s, paths: asked.Include, fields: map[string]map[string]bool{}}
	samples := map[string]jsonapi.Resource{}
	for _, typ := range types {
		samples[typ] = from
	}
	var errs []error
	for _, path := range asked.Include {
		along, ok := s.checkPath(from, path)
		if !ok {
			errs = append(errs, fault.Malformedf("include", "unknown path %q", shortened(strings.Join(path, "."))))
		}
		for _, r := range along {
			samples[r.Type] = r
		}
	}
	for _, f := range asked.Fields {
		of, ok := samples[f.Type]
		if !ok {
			errs = append(errs, fault.Malformedf(f.Param, "this response has no resources of this type"))
			continue
		}
		sel.fields[f.Type] = map[string]bool{}
		for _, name := range f.Names {
			if !of.HasMember(name) {
				errs = append(errs, fault.Malformedf(f.Param, "unknown attribute or relationship %q", shortened(name)))
				break
			}
			sel.fields[f.Type][name] = true
		}
	}
	return sel, fault.Join(errs...)
}

// selectionOf is like NewSelection, but for a list. CSV has neither included resources nor meta.
func (s *Server) selectionOf(csv bool, asked listquery.Request, sample func() jsonapi.Resource, types []string) (Selection, error) {
	if csv && asked.Include != nil {
		return Selection{}, fault.Malformedf("include", "is not supported for CSV")
	}
	if csv && asked.Count {
		return Selection{}, fault.Malformedf("count", "is not supported for CSV")
	}
	return s.NewSelection(asked.Selection, sample, types...)
}

// shortened returns a text that a client sent, truncated to at most 100 bytes for the detail of an
// error.
func shortened(s string) string {
	const longest = 100
	if len(s) > longest {
		return strings.ToValidUTF8(s[:longest], "") + "…"
	}
	return s
}

// Apply returns the selected parts of data, and the included resources, which are nil if the
// request includes none.
func (l Selection) Apply(ctx context.Context, a app.Actor, data []jsonapi.Resource) ([]jsonapi.Resource, *[]jsonapi.Resource, error) {
	if l.paths == nil {
		return l.trim(data), nil, nil
	}
	found, err := l.server.include(ctx, a, data, l.paths)
	if err != nil {
		return nil, nil, err
	}
	included := append([]jsonapi.Resource{}, l.trim(found)...)
	return l.trim(data), &included, nil
}

// trim returns the resources with only the selected attributes and relationships.
func (l Selection) trim(all []jsonapi.Resource) []jsonapi.Resource {
	if len(l.fields) == 0 {
		return all
	}
	trimmed := slices.Clone(all)
	for i, r := range trimmed {
		if kept, ok := l.fields[r.Type]; ok {
			trimmed[i] = r.Select(func(name string) bool { return kept[name] })
		}
	}
	return trimmed
}
