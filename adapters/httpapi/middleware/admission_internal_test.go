package middleware

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/matryer/is"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/respond"
)

// A request of a route with ChangesMany has the class Long if its body is large or of unknown size.
func TestClassOfChangesMany(t *testing.T) {
	for _, tc := range []struct {
		route respond.Attributes
		size  int64
		want  limits.Class
	}{
		{respond.Attributes{}, manyNames + 1, limits.Cheap},
		{respond.Attributes{ChangesMany: true}, manyNames, limits.Cheap},
		{respond.Attributes{ChangesMany: true}, manyNames + 1, limits.Long},
		{respond.Attributes{ChangesMany: true}, -1, limits.Long}, // unknown size
		{respond.Attributes{Class: limits.Long}, 1, limits.Long},
	} {
		c, _ := gin.CreateTestContext(httptest.NewRecorder())
		c.Request = httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", http.NoBody)
		c.Request.ContentLength = tc.size
		respond.AttachState(c, &respond.State{Route: &tc.route})
		is.New(t).Equal(classOf(c), tc.want) // the class of tc.route for a body of tc.size
	}
}
