package middleware

import (
	"cmp"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/respond"
)

// timeLimit cancels the context of a request at its time limit; Fail then writes the response.
func (m *Middleware) timeLimit(c *gin.Context) {
	x := respond.StateOf(c)
	limit := cmp.Or(x.Route.TimeLimit, m.cfg.TimeLimit)
	if x.Whole {
		limit = m.cfg.ListTime
	}
	respond.WithTimeout(c, limit, c.Next)
}
