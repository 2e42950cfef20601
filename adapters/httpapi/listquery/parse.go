package listquery

import (
	"slices"
	"strconv"
	"strings"

	"lyceum/adapters/httpapi/respond"
	"lyceum/domain/fault"
	"lyceum/domain/query"
)

// Request is a list request in parsed form.
type Request struct {
	query.Request
	Selection
	Cursor *string // nil: the request has none
	Whole  bool    // whether the request asks for all rows
	Count  bool    // whether the response contains the number of all rows
	Shared string  // encoded parameters that the links to other pages repeat, in the order of the request
}

// Parse parses the parameters of a list. It ignores unknown parameters, except misspelled list
// parameters and parameters of JSON:API that lists do not support.
//
// page, limit, q, sort and cursor have a single value. Parse refuses a parameter that is sent with
// several different values. limit can be "all" only if whole is true.
func Parse(pairs []respond.Parameter, whole bool) (Request, error) {
	var (
		r     Request
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
		case !slices.Contains(reservedParams, family) && p.Name != countParam:
			continue
		case p.Broken:
			err = fault.Malformedf(p.Name, "contains invalid percent-encoding")
		case family == "filter":
			err = r.addTerm(p)
		case p.Name == "page":
			page, err = positive(p)
		case p.Name == "limit" && whole && p.Value == allRows:
			r.Whole = true
		case p.Name == "limit":
			limit, err = positive(p)
		case p.Name == "q":
			r.Search = p.Value
		case p.Name == "sort":
			r.Sort = p.Value
		case p.Name == "cursor":
			r.Cursor = &p.Value
		case p.Name == countParam:
			r.Count, err = truth(p)
		case p.Name == "include" || family == "fields":
			err = r.add(p)
		default:
			err = fault.Malformedf(p.Name, "is not supported; lists support page, limit, q, sort, cursor, filter[…], include, fields[…] and count")
		}
		if first, sent := once[p.Name]; sent && first != p.Value {
			err = fault.Malformedf(p.Name, "is given more than once, with different values")
		}
		if family != "filter" {
			once[p.Name] = p.Value
		}
		if p.Name != "page" && p.Name != "cursor" {
			kept = append(kept, p.Encode())
		}
		errs = append(errs, err)
	}
	if r.Whole && (page > 1 || r.Cursor != nil) {
		errs = append(errs, fault.Malformedf("limit", "must be a number if page or cursor is given"))
	}
	r.Page = query.NewPage(page, int(min(limit, query.MaxLimit)))
	r.Shared = strings.Join(kept, "&")
	return r, fault.Join(errs...)
}

// countParam asks for the number of all rows.
const countParam = "count"

// truth returns the value of p, which must be true or false.
func truth(p respond.Parameter) (bool, error) {
	if p.Value != "true" && p.Value != "false" {
		return false, fault.Malformedf(p.Name, "must be true or false")
	}
	return p.Value == "true", nil
}

// allRows is the limit of a whole list.
const allRows = "all"

// IsWhole reports whether the parameters ask for a whole list.
func IsWhole(pairs []respond.Parameter) bool {
	return slices.ContainsFunc(pairs, func(p respond.Parameter) bool { return p.Name == "limit" && p.Value == allRows })
}

// reservedParams contains the parameters that a list reads, with or without brackets.
var reservedParams = []string{"filter", "page", "limit", "q", "sort", "cursor", "include", "fields"}

// misspelled maps misspellings of a list parameter, in lowercase, to the parameter. If a
// misspelling were ignored, the response would be a different page, a different order or the whole
// list.
var misspelled = map[string]string{
	"sort": "sort", "sorts": "sort", "page": "page", "pages": "page", "limit": "limit", "limits": "limit",
	"q": "q", "cursor": "cursor",
}

// familyOf returns the family of a parameter, which is the part of its name before the first
// bracket. A name that begins with "filter" belongs to the family filter, regardless of case.
func familyOf(p respond.Parameter) string {
	name := strings.TrimSpace(p.Name)
	if len(name) >= len("filter") && strings.EqualFold(name[:len("filter")], "filter") {
		return "filter"
	}
	family, _, _ := strings.Cut(name, "[")
	if meant, ok := misspelled[strings.ToLower(name)]; ok {
		return meant
	}
	return family
}

// addTerm adds a parameter of the filter language: filter, then names in brackets.
func (r *Request) addTerm(p respond.Parameter) error {
	inner, isFilter := strings.CutPrefix(p.Name, "filter")
	path, ok := brackets(inner)
	if !isFilter || !ok {
		return fault.Malformedf(p.Name, "is not a valid filter, such as filter[name][eq]=Acme")
	}
	r.Terms = append(r.Terms, query.Term{Param: p.Name, Path: path, Value: p.Value})
	return nil
}

// brackets returns the names in the brackets of s, such as [a][b]; ok is false if s has
// another form.
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

// positive returns the value of p as a number above 0; numbers above math.MaxInt64 become
// math.MaxInt64.
func positive(p respond.Parameter) (int64, error) {
	n, _ := strconv.ParseInt(p.Value, 10, 64) // MaxInt64 if out of range, 0 if not a number
	if strings.Trim(p.Value, "0123456789") != "" || n < 1 {
		return 0, fault.Malformedf(p.Name, "must be a positive whole number")
	}
	return n, nil
}
