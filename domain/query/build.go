package query

import "lyceum/domain/fault"

// Request is a client's list request, before it is parsed.
type Request struct {
	Terms  []Term // the pairs of the filter, in the order of the request
	Search string // value of the parameter q; blank: no search
	Sort   string // names separated by commas, a leading hyphen for descending; blank: the default order
	Page   Page
}

// Term is a parameter of the filter and its value. filter[name][eq][]=Acme has the path name, eq,
// "" and the value Acme.
type Term struct {
	Param string   // the parameter's name as sent, for faults
	Path  []string // the contents of each pair of brackets
	Value string
}

// Build returns the query for r on a list with the schema s. If r violates the filter language or
// its limits, Build returns Malformed faults, all joined in one error: one for each invalid pair of
// the filter, one for q and one for sort. It treats hidden attributes as unknown. It ignores q for
// a list without searched fields. The order of the pairs does not affect which rows are selected.
func Build[T any](s Schema[T], r Request) (Query, error) { return build(&s.attributes, r) }

func build(s *Attributes, r Request) (Query, error) {
	filter, errFilter := buildFilter(s, r.Terms)
	words, errSearch := buildSearch(s, r.Search)
	sort, errSort := buildSort(s, r.Sort)
	if err := fault.Join(errFilter, errSearch, errSort); err != nil {
		return Query{}, err
	}
	q := Query{Sort: sort, Page: r.Page}
	if parts := append(filter, words...); len(parts) > 0 {
		q.Where = foldConstants(s, collapse(And(parts)))
	}
	return q, nil
}

// buildFilter returns the conditions and groups of the filter. A row must satisfy all of them.
func buildFilter(s *Attributes, terms []Term) ([]Expr, error) {
	var (
		root group
		errs []error
	)
	conditions := 0
	for i, t := range terms {
		if i == MaxValues {
			errs = append(errs, fault.Malformedf(t.Param, "has too many values (maximum is %d)", MaxValues))
			break
		}
		l, err := buildCondition(s, t)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if !root.at(l.steps).add(l) {
			continue
		}
		if conditions++; conditions > MaxConditions {
			errs = append(errs, fault.Malformedf(t.Param, "has too many conditions (maximum is %d)", MaxConditions))
		}
	}
	return root.exprs(), fault.Join(errs...)
}
