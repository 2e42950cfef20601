package lists

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/app"
	"lyceum/domain/activity"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
)

const (
	// maxIncluded is the maximum number of included resources of a response.
	maxIncluded = 2000
	// maxSegments is the maximum number of relationships in a path.
	maxSegments = 2
)

// checkPath checks an include path that starts at resources of the same type as sample. For each
// relationship of the path, it returns a sample of the resources at the end of the relationship. ok
// is false if the path is unknown or too long.
func (s *Server) checkPath(sample jsonapi.Resource, path []string) (samples []jsonapi.Resource, ok bool) {
	for i, name := range path {
		if name == Record && sample.HasRelationship(name) {
			if i < len(path)-1 {
				return nil, false // the relationships of the records differ, so the path must end here
			}
			for _, typ := range s.Records {
				samples = append(samples, s.Related[typ].Sample)
			}
			return samples, true
		}
		typ, includable := s.Relationships[name]
		if !includable || !sample.HasRelationship(name) || len(samples) == maxSegments {
			return nil, false
		}
		sample = s.Related[typ].Sample
		samples = append(samples, sample)
	}
	return samples, true
}

// include returns the resources that the paths reach from data, except the resources in data. It
// returns each resource once, sorted by type and ID. For each segment of the paths, it reads all
// resources of one type with one call. It returns Malformed if there are more than maxIncluded, and
// Forbidden if a learner cannot include a type.
func (s *Server) include(ctx context.Context, a app.Actor, data []jsonapi.Resource, paths [][]string) ([]jsonapi.Resource, error) {
	known, found := map[jsonapi.Identifier]jsonapi.Resource{}, map[jsonapi.Identifier]jsonapi.Resource{}
	for _, r := range data {
		known[identifierOf(r)] = r
	}
	at := make([][]jsonapi.Resource, len(paths)) // the resources that each path has reached
	for i := range paths {
		at[i] = data
	}
	for depth := range maxSegments {
		reached, wanted := make([][]jsonapi.Identifier, len(paths)), map[string][]string{}
		asked := map[jsonapi.Identifier]bool{}
		for i, path := range paths {
			if depth >= len(path) {
				continue
			}
			for _, r := range at[i] {
				for _, to := range r.Related(path[depth]) {
					reached[i] = append(reached[i], to)
					if to.ID != "" && !asked[to] && !isIn(known, to) {
						asked[to] = true
						wanted[to.Type] = append(wanted[to.Type], to.ID)
					}
				}
			}
		}
		if len(found)+len(asked) > maxIncluded {
			return nil, fault.Malformedf("include", "would include more than %d resources; use a smaller limit", maxIncluded)
		}
		for _, typ := range slices.Sorted(maps.Keys(wanted)) {
			if a.IsLearner() && !slices.Contains([]string{activity.Type, course.Type, person.Type}, typ) {
				return nil, fault.Forbiddenf("Learners cannot include %s", typ)
			}
			loaded, err := s.Related[typ].Load(ctx, a, wanted[typ])
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
