package query

import (
	"fmt"
	"slices"
	"strings"

	"lyceum/domain/fault"
)

// buildSort returns the keys for a sort parameter. If an attribute occurs twice, only its first
// occurrence counts. If names are invalid, it returns one fault that lists the unknown names (at
// most maxNamed) and the attributes by which lists cannot be sorted.
func buildSort(s *Attributes, spec string) ([]Order, error) {
	if spec == "" {
		return s.sort, nil
	}
	if strings.Count(spec, ",") >= MaxSort {
		return nil, fault.Malformedf("sort", "has too many attributes (maximum is %d)", MaxSort)
	}
	var (
		sort    []Order
		unknown []string
		sets    []string
	)
	for name := range strings.SplitSeq(spec, ",") {
		name, desc := strings.CutPrefix(name, "-")
		f, ok := s.lookup(name)
		if slices.Contains(s.closed, name) {
			if !slices.Contains(sets, name) {
				sets = append(sets, name)
			}
			continue
		}
		if !ok || f.hidden {
			if len(unknown) < maxNamed {
				unknown = append(unknown, fmt.Sprintf("%.60q", name))
			}
			continue
		}
		if !f.attr.Kind.Ordered() {
			if !slices.Contains(sets, f.attr.Name) {
				sets = append(sets, f.attr.Name)
			}
			continue
		}
		if !f.constant && !slices.ContainsFunc(sort, func(o Order) bool { return o.Attr.Name == f.attr.Name }) {
			sort = append(sort, Order{Attr: f.attr, Desc: desc})
		}
	}
	var wrong []string
	if len(unknown) > 0 {
		wrong = append(wrong, "unknown attribute "+strings.Join(unknown, ", "))
	}
	if len(sets) > 0 {
		wrong = append(wrong, "cannot sort by "+strings.Join(sets, ", "))
	}
	if len(wrong) > 0 {
		return nil, fault.Malformedf("sort", "%s; sortable attributes: %s", strings.Join(wrong, "; "), strings.Join(s.sortNames(), ", "))
	}
	if len(sort) == 0 { // sorted only by constants: all records are ties
		return []Order{{Attr: s.attr("uuid")}}, nil
	}
	return sort, nil
}
