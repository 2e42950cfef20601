package middleware

import (
	"cmp"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/respond"
)

// timeLimit cancels the context of a request at its time limit; Fail then writes the response.
func (m *Middleware) timeLimit(c *gin.Context) {
	respond.WithTimeout(c, cmp.Or(respond.StateOf(c).Route.TimeLimit, m.cfg.TimeLimit), c.Next)
}
