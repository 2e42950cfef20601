package httpapi

import (
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/respond"
	"lyceum/domain/school"
)

// Route is a method and a path that are answered. In the path, :id stands for
// one segment. Scope names what a key must have for it; it is blank where no key
// is asked for.
type Route struct{ Method, Path, Scope string }

// register adds a route.
type register func(method, path string, handlers ...gin.HandlerFunc) *attributes

// routing is the routes on their way into the engine, with what each of them
// asks of a key.
type routing struct {
	engine *gin.Engine
	check  func(needed school.Scope) gin.HandlerFunc
	admit  gin.HandlerFunc
	routes []Route

	attributes map[endpoint]*attributes
}

// open registers routes that ask for no key.
func (r *routing) open(method, path string, handlers ...gin.HandlerFunc) *attributes {
	return r.add(school.Scope{}, method, path, handlers)
}

// usual registers routes that need what their method says: who only looks needs
// the scope read, who changes something write.
func (r *routing) usual(method, path string, handlers ...gin.HandlerFunc) *attributes {
	if method == http.MethodGet {
		return r.add(school.Read, method, path, handlers)
	}
	return r.add(school.Write, method, path, handlers)
}

// admin registers routes that need the scope admin, whatever their method.
func (r *routing) admin(method, path string, handlers ...gin.HandlerFunc) *attributes {
	return r.add(school.Admin, method, path, handlers)
}

// add registers a route. GET answers HEAD as well, PATCH answers PUT. The scope
// is checked first, before anything reveals whether a record exists, and the
// request is admitted right before its handler, the last. The caller may change the
// attributes that are returned.
func (r *routing) add(needed school.Scope, method, path string, handlers []gin.HandlerFunc) *attributes {
	if !needed.IsZero() {
		handlers = slices.Insert(slices.Clone(handlers), len(handlers)-1, r.admit)
		handlers = slices.Insert(handlers, 0, r.check(needed))
	}
	methods := []string{method}
	switch method {
	case http.MethodGet:
		methods = append(methods, http.MethodHead)
	case http.MethodPatch:
		methods = append(methods, http.MethodPut)
	}
	all := &attributes{}
	for _, m := range methods {
		r.attributes[endpoint{m, path}] = all
		r.engine.Handle(m, path, handlers...)
		r.routes = append(r.routes, Route{Method: m, Path: path, Scope: needed.String()})
	}
	return all
}

// checkScope returns the middleware that refuses a key which lacks what is
// needed.
func (s *server) checkScope(needed school.Scope) gin.HandlerFunc {
	return s.Step(func(c *gin.Context) error { return respond.StateOf(c).Actor.Require(needed) })
}

// routeWords returns the words that the paths of routes are made of.
func routeWords(routes []Route) map[string]bool {
	words := map[string]bool{}
	for _, r := range routes {
		for word := range strings.SplitSeq(r.Path, "/") {
			if !slices.Contains([]string{"", ":", "*"}, word[:min(1, len(word))]) {
				words[word] = true
			}
		}
	}
	return words
}
