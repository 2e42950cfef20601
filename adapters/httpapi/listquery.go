package httpapi

import (
	"slices"
	"strconv"
	"strings"

	"lyceum/domain/fault"
	"lyceum/domain/query"
)

// listRequest is what a list is asked for, and the parameters that its links
// keep.
type listRequest struct {
	query.Request
	kept string // q, filter, sort and limit, in the order sent, encoded
}

// readListRequest reads the parameters of a list. It knows the syntax only:
// what a filter or a sort means is query.Build's business. Parameters that it
// does not know it passes over, except those of JSON:API's own families, which
// ask for something that the lists do not do.
//
// page, limit, q and sort have one value; sent twice with different values they
// are refused, since either choice would be wrong for somebody.
func readListRequest(pairs []pair) (listRequest, error) {
	var (
		r     listRequest
		page  int64
		limit int64
		kept  []string
		errs  []error
	)
	once := map[string]string{}
	for _, p := range pairs {
		family := p.family()
		var err error
		switch {
		case !slices.Contains(families, family):
			continue
		case p.broken:
			err = fault.Parameterf(p.name, "has a broken percent escape")
		case family == "filter":
			err = r.addTerm(p)
		case p.name == "page":
			page, err = positive(p)
		case p.name == "limit":
			limit, err = positive(p)
		case p.name == "q":
			r.Search = p.value
		case p.name == "sort":
			r.Sort = p.value
		default:
			err = fault.Parameterf(p.name, "is not supported by this list")
		}
		if first, sent := once[p.name]; sent && first != p.value {
			err = fault.Parameterf(p.name, "is given twice, with different values")
		}
		if family != "filter" {
			once[p.name] = p.value
		}
		if p.name != "page" {
			kept = append(kept, p.encode())
		}
		errs = append(errs, err)
	}
	r.Page = query.NewPage(page, int(min(limit, query.MaxLimit)))
	r.kept = strings.Join(kept, "&")
	return r, fault.Join(errs...)
}

// families are the parameters that a list minds, with or without brackets.
var families = []string{"filter", "page", "limit", "q", "sort", "include", "fields"}

// family returns what the parameter's name begins with, before any bracket. What
// looks like a misspelt filter is one: an ignored filter would return the whole
// collection.
func (p pair) family() string {
	name := strings.TrimSpace(p.name)
	rest, isFilter := strings.CutPrefix(name, "filter")
	if isFilter && (rest == "" || !wordly(rest[0])) {
		return "filter"
	}
	family, _, _ := strings.Cut(name, "[")
	return family
}

// wordly tells whether b continues a name.
func wordly(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_' || b == '-' || b >= 0x80
}

// addTerm adds a pair of the filter language: filter, then names in brackets.
func (r *listRequest) addTerm(p pair) error {
	path, ok := brackets(strings.TrimPrefix(p.name, "filter"))
	if !ok {
		return fault.Parameterf(p.name, "its brackets do not match, as they do in filter[name][eq]=Acme")
	}
	r.Terms = append(r.Terms, query.Term{Param: p.name, Path: path, Value: p.value})
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
func positive(p pair) (int64, error) {
	n, _ := strconv.ParseInt(p.value, 10, 64) // out of range: the greatest there is; no number: 0
	if strings.Trim(p.value, "0123456789") != "" || n < 1 {
		return 0, fault.Parameterf(p.name, "must be a positive whole number")
	}
	return n, nil
}
