package httpapi

import (
	"slices"
	"strconv"
	"strings"

	"lyceum/adapters/httpapi/respond"
	"lyceum/domain/fault"
	"lyceum/domain/query"
)

// listRequest is what a list is asked for, and the parameters that its links
// keep.
type listRequest struct {
	query.Request
	cursor *string // nil: the request has none
	kept   string  // q, filter, sort and limit, in the order sent, encoded
}

// readListRequest reads the parameters of a list. It knows the syntax only:
// query.Build decides what a filter or a sort means. Parameters that it does not
// know are ignored, except misspelt ones of its own and those of JSON:API's
// families, which ask for something that the lists do not do.
//
// page, limit, q, sort and cursor have one value; sent twice with different values
// they are refused, since either choice would be wrong for some client.
func readListRequest(pairs []respond.Parameter) (listRequest, error) {
	var (
		r     listRequest
		page  int64
		limit int64
		kept  []string
		errs  []error
	)
	once := map[string]string{}
	for _, p := range pairs {
		family := familyOf(p)
		var err error
		switch {
		case !slices.Contains(families, family):
			continue
		case p.Broken:
			err = fault.Parameterf(p.Name, "has a broken percent escape")
		case family == "filter":
			err = r.addTerm(p)
		case p.Name == "page":
			page, err = positive(p)
		case p.Name == "limit":
			limit, err = positive(p)
		case p.Name == "q":
			r.Search = p.Value
		case p.Name == "sort":
			r.Sort = p.Value
		case p.Name == "cursor":
			r.cursor = &p.Value
		default:
			err = fault.Parameterf(p.Name, "is not supported by lists, which take page, limit, q, sort, cursor and filter[…]")
		}
		if first, sent := once[p.Name]; sent && first != p.Value {
			err = fault.Parameterf(p.Name, "is given twice, with different values")
		}
		if family != "filter" {
			once[p.Name] = p.Value
		}
		if p.Name != "page" && p.Name != "cursor" {
			kept = append(kept, p.Encode())
		}
		errs = append(errs, err)
	}
	r.Page = query.NewPage(page, int(min(limit, query.MaxLimit)))
	r.kept = strings.Join(kept, "&")
	return r, fault.Join(errs...)
}

// families are the parameters that a list reads, with or without brackets.
var families = []string{"filter", "page", "limit", "q", "sort", "cursor", "include", "fields"}

// misspelt are names that a client surely means as a parameter of lists, in lower
// case, with the family of each. An ignored one would return another page, another
// order or the whole collection.
var misspelt = map[string]string{
	"sort": "sort", "sorts": "sort", "page": "page", "pages": "page", "limit": "limit", "limits": "limit",
	"q": "q", "cursor": "cursor",
}

// familyOf returns the family of a parameter by the beginning of its name. Whatever
// begins with filter, in any case, is a filter.
func familyOf(p respond.Parameter) string {
	name := strings.TrimSpace(p.Name)
	if len(name) >= len("filter") && strings.EqualFold(name[:len("filter")], "filter") {
		return "filter"
	}
	family, _, _ := strings.Cut(name, "[")
	if meant, ok := misspelt[strings.ToLower(name)]; ok {
		return meant
	}
	return family
}

// addTerm adds a pair of the filter language: filter, then names in brackets.
func (r *listRequest) addTerm(p respond.Parameter) error {
	inner, isFilter := strings.CutPrefix(p.Name, "filter")
	path, ok := brackets(inner)
	if !isFilter || !ok {
		return fault.Parameterf(p.Name, "is not a filter, which is written as in filter[name][eq]=Acme")
	}
	r.Terms = append(r.Terms, query.Term{Param: p.Name, Path: path, Value: p.Value})
	return nil
}

// brackets returns what stands in each pair of brackets of s, [a][b]; ok is
// false when s is anything else.
func brackets(s string) (names []string, ok bool) {
	for s != "" {
		inside, rest, closed := strings.Cut(s[1:], "]")
		if s[0] != '[' || !closed || strings.Contains(inside, "[") {
			return nil, false
		}
		names, s = append(names, inside), rest
	}
	return names, true
}

// positive returns the positive whole number that p's value is; one of more
// than 63 bits counts as the greatest that has them.
func positive(p respond.Parameter) (int64, error) {
	n, _ := strconv.ParseInt(p.Value, 10, 64) // out of range: the greatest there is; no number: 0
	if strings.Trim(p.Value, "0123456789") != "" || n < 1 {
		return 0, fault.Parameterf(p.Name, "must be a positive whole number")
	}
	return n, nil
}
