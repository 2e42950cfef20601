package httpapi

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/app"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

const (
	// maxIncluded is the maximum number of included resources of a response.
	maxIncluded = 2000
	// maxSegments is the maximum number of relationships of a path.
	maxSegments = 2
)

// checkPath returns the types of the resources to which a path of relationships leads from resources
// like sample, one for each segment.
func (s *server) checkPath(sample jsonapi.Resource, path []string) (types []string, ok bool) {
	for _, name := range path {
		typ, includable := relatedTypes[name]
		if !includable || !sample.HasRelationship(name) || len(types) == maxSegments {
			return nil, false
		}
		types, sample = append(types, typ), s.relatedOf(typ).sample
	}
	return types, true
}

// include returns the resources to which the paths lead from data, without those in data, each once,
// by type and ID. It reads the resources of one type at once, in at most one query for each segment.
func (s *server) include(ctx context.Context, a app.Actor, data []jsonapi.Resource, paths [][]string) ([]jsonapi.Resource, error) {
	known, found := map[jsonapi.Identifier]jsonapi.Resource{}, map[jsonapi.Identifier]jsonapi.Resource{}
	for _, r := range data {
		known[identifierOf(r)] = r
	}
	at := make([][]jsonapi.Resource, len(paths)) // the resources that each path has reached
	for i := range paths {
		at[i] = data
	}
	for depth := range maxSegments {
		reached, wanted := make([][]jsonapi.Identifier, len(paths)), map[string][]uuid.UUID{}
		asked := map[jsonapi.Identifier]bool{}
		for i, path := range paths {
			if depth >= len(path) {
				continue
			}
			for _, r := range at[i] {
				for _, to := range r.Related(path[depth]) {
					reached[i] = append(reached[i], to)
					if id, ok := text.UUID(to.ID); ok && !asked[to] && !isIn(known, to) {
						asked[to] = true
						wanted[to.Type] = append(wanted[to.Type], id)
					}
				}
			}
		}
		if len(found)+len(asked) > maxIncluded {
			return nil, fault.Malformedf("include", "would include more than %d resources; use a smaller limit", maxIncluded)
		}
		for _, typ := range slices.Sorted(maps.Keys(wanted)) {
			loaded, err := s.relatedOf(typ).load(ctx, a, wanted[typ])
			if err != nil {
				return nil, err
			}
			for _, r := range loaded {
				known[identifierOf(r)], found[identifierOf(r)] = r, r
			}
		}
		for i := range paths {
			at[i] = nil
			for _, to := range reached[i] {
				if r, ok := known[to]; ok {
					at[i] = append(at[i], r)
				}
			}
		}
	}
	return slices.SortedFunc(maps.Values(found), func(x, y jsonapi.Resource) int {
		one, other := identifierOf(x), identifierOf(y)
		return cmp.Or(cmp.Compare(one.Type, other.Type), cmp.Compare(one.ID, other.ID))
	}), nil
}

func isIn(known map[jsonapi.Identifier]jsonapi.Resource, id jsonapi.Identifier) bool {
	_, ok := known[id]
	return ok
}

func identifierOf(r jsonapi.Resource) jsonapi.Identifier {
	return jsonapi.Identifier{Type: r.Type, ID: fmt.Sprint(r.ID)}
}
