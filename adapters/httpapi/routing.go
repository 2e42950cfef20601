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
