package middleware

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/respond"
)

// Route is a method and a path with a handler. In the path, :id stands for one segment. Scope is
// the required scope of the API key, or "" if the route needs no key.
type Route struct{ Method, Path, Scope string }

// Routes registers routes together with their attributes.
type Routes struct {
	engine *gin.Engine
	keyed  []gin.HandlerFunc // middleware for routes that need a key

	all        []Route
	attributes map[endpoint]*respond.Attributes
	paths      []pathAttributes // attributes of keyless paths
	words      map[string]bool  // fixed segments of all paths
}

// endpoint is the method and the path of a route.
type endpoint struct{ method, path string }

// pathAttributes contains the attributes of requests without a route: OPTIONS, an unsupported
// method, or an unknown path.
type pathAttributes struct {
	matches    func(u *url.URL) bool
	attributes *respond.Attributes
}

// noAttributes contains the attributes of requests for an unknown path.
var noAttributes = &respond.Attributes{}

// Handle registers a route. A route for GET also serves HEAD, and a route for PATCH also serves
// PUT. If the route needs no key, the engine calls h directly. Otherwise it checks the scope before
// anything that reveals whether a record exists, and waits for a slot of the request immediately
// before h.
func (r *Routes) Handle(method, path string, a respond.Attributes, h gin.HandlerFunc) {
	methods := []string{method}
	switch method {
	case http.MethodGet:
		methods = append(methods, http.MethodHead)
	case http.MethodPatch:
		methods = append(methods, http.MethodPut)
	}
	handlers := []gin.HandlerFunc{h}
	if a.Keyless {
		r.paths = append(r.paths, pathAttributes{template(path).matches, &respond.Attributes{Keyless: true, Probe: a.Probe}})
	} else {
		handlers = append(slices.Clone(r.keyed), h)
	}
	for _, method := range methods {
		r.attributes[endpoint{method, path}] = &a
		r.engine.Handle(method, path, handlers...)
		r.all = append(r.all, Route{Method: method, Path: path, Scope: a.Scope.String()})
	}
	for word := range strings.SplitSeq(path, "/") {
		if word != "" && word[0] != ':' {
			r.words[word] = true
		}
	}
}

// Below sets the attributes of requests to path and the paths below it that match no route.
func (r *Routes) Below(path string, a respond.Attributes) {
	r.paths = append(r.paths, pathAttributes{func(u *url.URL) bool {
		return u.Path == path || strings.HasPrefix(u.Path, path+"/")
	}, &a})
}

// All returns every route in the order of registration, with its methods including HEAD and PUT.
func (r *Routes) All() []Route { return slices.Clone(r.all) }

// of returns the attributes of a request. The caller must not modify them.
func (r *Routes) of(c *gin.Context) *respond.Attributes {
	if a, ok := r.attributes[endpoint{c.Request.Method, c.FullPath()}]; ok {
		return a
	}
	for _, p := range r.paths {
		if p.matches(c.Request.URL) {
			return p.attributes
		}
	}
	return noAttributes
}

// template is the path of a route.
type template string

// matches reports whether u is a URL of the route. The path of u must be plain.
func (t template) matches(u *url.URL) bool {
	want, got := strings.Split(string(t), "/"), strings.Split(u.EscapedPath(), "/")
	return slices.EqualFunc(want, got, func(want, got string) bool {
		return want == got || got != "" && strings.HasPrefix(want, ":")
	})
}

// checkScope returns an error if the key lacks the scope of the route. A learner needs a route that
// is open to learners instead, and cannot get a whole list: it would take the place of an export of
// the school.
func checkScope(c *gin.Context) error {
	x := respond.StateOf(c)
	if x.Actor.IsLearner() && x.Route.Learners && !x.Whole {
		return nil
	}
	return x.Actor.Require(x.Route.Scope)
}
