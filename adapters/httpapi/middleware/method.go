package middleware

import (
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/respond"
)

// noMethod handles OPTIONS requests and requests with a method that the path does not support. The
// header Allow lists the methods of the path.
func noMethod(c *gin.Context) error {
	c.Header(respond.AllowHeader, allowed(c.Writer.Header().Get(respond.AllowHeader)))
	if c.Request.Method == http.MethodOptions {
		respond.WriteNoContent(c)
		return nil
	}
	return respond.HTTPErrorf(http.StatusMethodNotAllowed, "This resource does not support the method")
}

// allowed returns gin's list of methods in the usual order, with OPTIONS, which gin omits.
func allowed(gins string) string {
	has := append(strings.Split(gins, ", "), http.MethodOptions)
	order := []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
	return strings.Join(slices.DeleteFunc(order, func(m string) bool { return !slices.Contains(has, m) }), ", ")
}
