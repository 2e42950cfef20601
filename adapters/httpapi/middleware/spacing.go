package middleware

import (
	"errors"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/listquery"
	"lyceum/adapters/httpapi/respond"
	"lyceum/adapters/limiter"
	"lyceum/domain/fault"
)

const (
	// The weight of a request increases by one for each recordsPerUnit records that it requests,
	// queryPerUnit bytes of its query, headersPerUnit bytes of its headers, and bodyPerUnit bytes
	// of its body beyond smallBody. Each of these takes about the same processor time.
	recordsPerUnit = 40
	queryPerUnit   = 4 << 10
	headersPerUnit = 4 << 10
	bodyPerUnit    = 16 << 10
)

// space delays a request by its weight, without that of the body.
func (m *Middleware) space(c *gin.Context) error {
	weight := 1 + len(c.Request.URL.RawQuery)/queryPerUnit + headerBytes(c.Request)/headersPerUnit
	if respond.IsRead(c.Request.Method) {
		weight += listquery.Records(respond.StateOf(c).Query) / recordsPerUnit
	}
	return m.delay(c, weight)
}

// delay waits until a request of the given weight may begin. A request without an actor counts
// toward its network. A probe of weight 1 is not delayed.
func (m *Middleware) delay(c *gin.Context, weight int) error {
	var err error
	ctx, x := c.Request.Context(), respond.StateOf(c)
	switch {
	case x.Actor.School().UUID != uuid.Nil:
		err = m.spacings.Schools.WaitBesideOthers(ctx, x.Actor.School().UUID, weight)
	case weight > 1 || !x.Route.Probe:
		err = m.spacings.Networks.Wait(ctx, m.Network(c), weight)
	}
	if errors.Is(err, limiter.ErrTimeout) {
		m.Lanes.Delay.Wait(ctx)
		return fault.Unavailablef("%s", limits.TooManyRequests)
	}
	return err
}
