package listquery

import (
	"slices"
	"strings"

	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/respond"
	"lyceum/domain/query"
)

// largePage is the number of records above which a page is large. A large page takes tens of times
// the processor time of a default page.
const largePage = 100

// Class returns the admission class of a list with these parameters. countsRows means that the list
// reads all rows before a page without a cursor.
func Class(parameters []respond.Parameter, countsRows bool) limits.Class {
	switch {
	case searches(parameters) || countsRows && isNumbered(parameters):
		return limits.Expensive
	case Records(parameters) > largePage:
		return limits.Large
	}
	return limits.Cheap
}

// Records returns the maximum number of records of a list with these parameters, or 0 if they do
// not determine it. Each path in include counts as many records as the page.
func Records(parameters []respond.Parameter) int {
	most, paths := 0, 0
	for _, p := range parameters {
		if p.Name == "include" && p.Value != "" {
			paths = max(paths, min(1+strings.Count(p.Value, ","), maxPaths))
		}
		if p.Name != "limit" {
			continue
		}
		if limit, err := positive(p); err == nil { // the limit that Parse accepts
			most = max(most, int(min(limit, query.MaxLimit)))
		}
	}
	if paths > 0 && most == 0 {
		most = query.DefaultLimit
	}
	return most * (1 + paths)
}

// isNumbered reports whether a list with these parameters counts the rows before its page. It does
// so for every page except the first, unless the request has a cursor for the page.
func isNumbered(parameters []respond.Parameter) bool { return offset(parameters) > 0 }

// offset returns the number of rows before the page, or 0 if the request has a cursor for the page.
func offset(parameters []respond.Parameter) int64 {
	request, err := Parse(parameters, false)
	if err != nil || request.Page.Number() == 1 {
		return 0
	}
	if request.Cursor != nil {
		if page, ok := query.CursorPage(*request.Cursor); ok && page == request.Page {
			return 0
		}
	}
	return request.Page.Offset()
}

// scanned contains attributes that have no index in some list, at least in memory.
var scanned = []string{
	"record.type", "record.id", "course_attempt.id", "endpoint.id", "change.id",
	"partnerships.id", "instructor_partnerships.id", "categories.id", "activities.id",
}

// everyRow is more than the number of rows of any list.
const everyRow = 1 << 40

// Skipped returns how many rows a list with these parameters may read before those of its page:
// the rows of earlier pages, or all rows for a filter without an index.
func Skipped(parameters []respond.Parameter) int64 {
	for _, p := range parameters {
		attribute, _, _ := strings.Cut(strings.TrimPrefix(strings.ToLower(p.Name), "filter["), "]")
		if slices.Contains(scanned, attribute) {
			return everyRow
		}
	}
	if !slices.ContainsFunc(parameters, func(p respond.Parameter) bool { return p.Name == "page" }) {
		return 0 // without parsing all parameters
	}
	return offset(parameters)
}

// The attributes that have an index in every list that contains them. A text attribute uses its
// index only with the predicate eq or in; its default predicate is cont.
var (
	indexedIDs  = []string{"uuid", "id"}
	indexedText = []string{"email", "code", "permalink", "record.type"}
)

// searches reports whether a list with these parameters may have to read many records to find a
// few, because of search words, a sort, a filter without an index, or the number of all rows.
func searches(parameters []respond.Parameter) bool {
	for _, p := range parameters {
		name := strings.ToLower(p.Name)
		switch {
		case name == "q" || name == "sort":
			if p.Value != "" {
				return true
			}
		case p.Name == countParam && p.Value == "true":
			return true
		case strings.HasPrefix(name, "filter["):
			attribute, predicate, _ := strings.Cut(strings.TrimPrefix(name, "filter["), "]")
			predicate = strings.TrimSuffix(predicate, "[]")
			equal := predicate == "[eq]" || predicate == "[in]"
			if strings.HasPrefix(attribute, query.PropertyPrefix) {
				return true // even an equal value may be that of all records
			}
			if equal && slices.Contains(indexedText, attribute) {
				continue
			}
			attribute = attribute[strings.LastIndex(attribute, ".")+1:]
			byID := (equal || predicate == "") && slices.Contains(indexedIDs, attribute)
			if !byID && !(equal && slices.Contains(indexedText, attribute)) {
				return true
			}
		}
	}
	return false
}
