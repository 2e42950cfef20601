package httpapi

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/middleware"
	"lyceum/adapters/httpapi/respond"
	"lyceum/domain/school"
)

// register registers a route with optional attributes.
type register func(method, path string, h gin.HandlerFunc, stated ...respond.Attributes)

// routing registers routes with the scope that they need.
type routing struct{ *middleware.Routes }

// open registers a route that needs no key.
func (r *routing) open(method, path string, h gin.HandlerFunc, stated ...respond.Attributes) {
	a := attributesOf(stated)
	a.Keyless = true
	r.Handle(method, path, a, h)
}

// byMethod registers a route whose required scope depends on the method: read for GET, write for
// all others.
func (r *routing) byMethod(method, path string, h gin.HandlerFunc, stated ...respond.Attributes) {
	a := attributesOf(stated)
	a.Scope = school.Write
	if method == http.MethodGet {
		a.Scope = school.Read
	}
	r.Handle(method, path, a, h)
}

// admin registers a route that requires the scope admin.
func (r *routing) admin(method, path string, h gin.HandlerFunc, stated ...respond.Attributes) {
	a := attributesOf(stated)
	a.Scope = school.Admin
	r.Handle(method, path, a, h)
}

func attributesOf(stated []respond.Attributes) respond.Attributes {
	if len(stated) == 0 {
		return respond.Attributes{}
	}
	return stated[0]
}

// version is a version of the API, the first segment of its paths. Both versions share the handlers
// of a resource. The version determines the required members of a document (strict) and its links
// (Links).
type version string

// The versions.
const (
	v1 version = "/v1"
	v2 version = "/v2"
)

// strict reports whether a document must contain the type of the resource and, for a change, its
// ID. If the type and the ID are optional but present, they are still checked.
func (v version) strict() bool { return v == v1 }

// in returns a copy of s for version v of the API.
func (s *server) in(v version) *server {
	c := *s
	c.version = v
	c.lists = c.newLists()
	return &c
}
