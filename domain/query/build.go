package query

import "lyceum/domain/fault"

// Request is what a client asks of a list, still as text.
type Request struct {
	Terms  []Term // the filter's pairs, in the order sent
	Search string // the words of q; blank asks for nothing
	Sort   string // names separated by commas, a leading hyphen turns one round; blank takes the default
	Page   Page
}

// Term is one pair of the filter language: filter[name][eq][]=Acme has the path
// name, eq, "" and the value Acme.
type Term struct {
	Param string   // the parameter's name as it was sent; faults point at it
	Path  []string // what stands in the brackets, one segment each
	Value string
}

// Build returns the query that r stands for on a list of the given schema. A
// request that breaks the language or its limits is Malformed: one fault for
// each offending pair, for q and for sort, all in one error. Hidden attributes
// do not exist for it. A list without searched fields has no q and passes it
// over. The order of the pairs has no influence on what the query selects.
func Build[T any](s Schema[T], r Request) (Query, error) {
	filter, errFilter := buildFilter(s, r.Terms)
	words, errSearch := buildSearch(s, r.Search)
	sort, errSort := buildSort(s, r.Sort)
	if err := fault.Join(errFilter, errSearch, errSort); err != nil {
		return Query{}, err
	}
	q := Query{Sort: sort, Page: r.Page}
	if parts := append(filter, words...); len(parts) > 0 {
		q.Where = decide(s, collapse(And(parts)))
	}
	return q, nil
}

// buildFilter returns the conditions and groups that must all hold.
func buildFilter[T any](s Schema[T], terms []Term) ([]Expr, error) {
	var (
		root group
		errs []error
	)
	conditions := 0
	for i, t := range terms {
		if i == MaxValues {
			errs = append(errs, fault.Parameterf(t.Param, "a filter takes at most %d values", MaxValues))
			break
		}
		l, err := buildLeaf(s, t)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if !root.at(l.steps).add(l) {
			continue
		}
		if conditions++; conditions > MaxConditions {
			errs = append(errs, fault.Parameterf(t.Param, "a filter takes at most %d conditions", MaxConditions))
		}
	}
	return root.exprs(), fault.Join(errs...)
}
