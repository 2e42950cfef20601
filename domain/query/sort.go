package query

import (
	"fmt"
	"slices"
	"strings"

	"lyceum/domain/fault"
)

// buildSort returns the keys of a sort parameter; of an attribute that is named
// twice the first counts. All names that do not exist are told in one fault.
func buildSort[T any](s Schema[T], spec string) ([]Order, error) {
	if spec == "" {
		return s.Default(), nil
	}
	var (
		sort    []Order
		unknown []string
	)
	for name := range strings.SplitSeq(spec, ",") {
		name, desc := strings.CutPrefix(name, "-")
		f, ok := s.lookup(name)
		if !ok || f.hidden {
			unknown = append(unknown, fmt.Sprintf("%.60q", name))
			continue
		}
		if !slices.ContainsFunc(sort, func(o Order) bool { return o.Attr.Name == f.attr.Name }) {
			sort = append(sort, Order{Attr: f.attr, Desc: desc})
		}
	}
	if len(unknown) > 0 {
		return nil, fault.Parameterf("sort", "there is no attribute %s; there are %s",
			strings.Join(unknown, ", "), strings.Join(s.Names(), ", "))
	}
	return sort, nil
}
