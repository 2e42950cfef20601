package httpapi

import (
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/respond"
	"lyceum/domain/fault"
)

// noRoute answers a path that is not there.
func noRoute(*gin.Context) error { return fault.Missing() }

// noMethod answers a path that is there but has not the request's method:
// OPTIONS is told which it has, others are refused with the same list.
func noMethod(c *gin.Context) error {
	c.Header(respond.AllowHeader, allowed(c.Writer.Header().Get(respond.AllowHeader)))
	if c.Request.Method == http.MethodOptions {
		respond.NoContent(c)
		return nil
	}
	return respond.Refusef(http.StatusMethodNotAllowed, "This resource does not answer to the method")
}

// allowed returns the list of methods that gin made, in the usual order and
// with OPTIONS, which it does not know of.
func allowed(gins string) string {
	has := append(strings.Split(gins, ", "), http.MethodOptions)
	order := []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
	return strings.Join(slices.DeleteFunc(order, func(m string) bool { return !slices.Contains(has, m) }), ", ")
}
