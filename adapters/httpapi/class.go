package httpapi

import (
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/admission"
	"lyceum/adapters/httpapi/respond"
	"lyceum/domain/query"
)

// class is how much requests cost. Each class has slots and a time limit of its
// own. A route says its class where it is registered (routes.go); of a route that
// says none, reads that search are expensive, reads with large pages are large, and
// all else is cheap.
type class int

const (
	classCheap class = iota
	classExpensive
	classLarge  // a response with very many records
	classLong   // changes of all the records of a course, of which there may be very many
	classExport // a whole school
	classUpload // a file
)

// attributes are what a route says about itself beside its handlers.
type attributes struct {
	class  class
	counts bool // whether the list reads all rows before a page that is asked for by its number
}

// is sets the class of the requests of a route.
func (a *attributes) is(c class) { a.class = c }

// countsRows says that the list of a route reads all rows before a page that is asked
// for by its number.
func (a *attributes) countsRows() { a.counts = true }

// endpoint is a method and a path, as a route has it.
type endpoint struct{ method, path string }

// classOf returns the class of a request.
func (s *server) classOf(c *gin.Context) class {
	of, counts := classCheap, false
	if a := s.attributes[endpoint{c.Request.Method, c.FullPath()}]; a != nil {
		of, counts = a.class, a.counts
	}
	if of != classCheap || !respond.IsRead(c.Request.Method) {
		return of
	}
	switch parameters := respond.StateOf(c).Query; {
	case searches(parameters) || counts && isNumbered(parameters):
		return classExpensive
	case recordsAskedFor(parameters) > largePage:
		return classLarge
	}
	return of
}

// laneOf returns the slots of the class of a request.
func (s *server) laneOf(c *gin.Context) *admission.Limiter {
	switch s.classOf(c) {
	case classExpensive:
		return s.Lanes.Expensive
	case classLarge:
		return s.Lanes.Large
	case classLong:
		return s.Lanes.Long
	case classExport:
		return s.Lanes.Exports
	case classUpload:
		return s.Lanes.Uploads
	}
	return s.Lanes.Cheap
}

// largePage is the number of records above which a page of a list is large: it
// takes tens of times the processor time of a page of the default size.
const largePage = 100

// recordsAskedFor returns how many records a list with those parameters may show, 0 if
// they do not say.
func recordsAskedFor(parameters []respond.Parameter) int {
	most := 0
	for _, p := range parameters {
		if p.Name != "limit" {
			continue
		}
		if limit, err := positive(p); err == nil { // as the list reads it
			most = max(most, int(min(limit, query.MaxLimit)))
		}
	}
	return most
}

// isNumbered reports whether a list with those parameters is asked for a page behind
// the first one by its number.
func isNumbered(parameters []respond.Parameter) bool {
	numbered := false
	for _, p := range parameters {
		switch p.Name {
		case "cursor":
			if p.Value != "" {
				return false
			}
		case "page":
			numbered = numbered || p.Value != "" && p.Value != "1"
		}
	}
	return numbered
}

// identifying is the attributes by which a record is found through an index, in every
// list that has them.
var identifying = []string{"uuid", "id", "email", "code", "permalink"}

// searches reports whether a list with those parameters may have to read many
// records to find a few: by words, by an order, or by a filter other than one for
// the identity of a record.
func searches(query []respond.Parameter) bool {
	for _, p := range query {
		name := strings.ToLower(p.Name)
		switch {
		case name == "q" || name == "sort":
			if p.Value != "" {
				return true
			}
		case strings.HasPrefix(name, "filter["):
			attribute, predicate, _ := strings.Cut(strings.TrimPrefix(name, "filter["), "]")
			equal := predicate == "" || predicate == "[eq]" || predicate == "[in]" || predicate == "[]"
			if !equal || !slices.Contains(identifying, attribute[strings.LastIndex(attribute, ".")+1:]) {
				return true
			}
		}
	}
	return false
}
