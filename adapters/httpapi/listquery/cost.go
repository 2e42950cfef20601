package listquery

import (
	"slices"
	"strings"

	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/respond"
	"lyceum/domain/query"
)

// largePage is the number of records above which a page is large: it takes tens of times
// the processor time of a page of the default size.
const largePage = 100

// Class returns the admission class of a list with these parameters. countsRows says
// that the list reads all rows before a page without a cursor.
func Class(parameters []respond.Parameter, countsRows bool) limits.Class {
	switch {
	case searches(parameters) || countsRows && isNumbered(parameters):
		return limits.Expensive
	case Records(parameters) > largePage:
		return limits.Large
	}
	return limits.Cheap
}

// Records returns how many records a list with these parameters may return at most, 0 if
// they do not say.
func Records(parameters []respond.Parameter) int {
	most := 0
	for _, p := range parameters {
		if p.Name != "limit" {
			continue
		}
		if limit, err := positive(p); err == nil { // as Parse reads it
			most = max(most, int(min(limit, query.MaxLimit)))
		}
	}
	return most
}

// isNumbered reports whether a list with these parameters counts the rows before its
// page: for any page but the first, unless a cursor was made for this page. A list
// ignores the cursor of another page.
func isNumbered(parameters []respond.Parameter) bool {
	request, err := Parse(parameters)
	if err != nil || request.Page.Number() == 1 {
		return false
	}
	if request.Cursor == nil {
		return true
	}
	page, ok := query.CursorPage(*request.Cursor)
	return !ok || page != request.Page
}

// The attributes that have an index in every list that has them. Those of text are compared as a
// whole only by an explicit predicate: the default predicate of text is cont.
var (
	indexedIDs  = []string{"uuid", "id"}
	indexedText = []string{"email", "code", "permalink"}
)

// searches reports whether a list with these parameters may have to read many records
// to find a few: by words, by an order, or by a filter that no index serves.
func searches(parameters []respond.Parameter) bool {
	for _, p := range parameters {
		name := strings.ToLower(p.Name)
		switch {
		case name == "q" || name == "sort":
			if p.Value != "" {
				return true
			}
		case strings.HasPrefix(name, "filter["):
			attribute, predicate, _ := strings.Cut(strings.TrimPrefix(name, "filter["), "]")
			attribute = attribute[strings.LastIndex(attribute, ".")+1:]
			equal := predicate == "[eq]" || predicate == "[in]"
			byID := (equal || predicate == "") && slices.Contains(indexedIDs, attribute)
			if !byID && !(equal && slices.Contains(indexedText, attribute)) {
				return true
			}
		}
	}
	return false
}
