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
	// of its body beyond smallBody. Each of these quantities takes about the same processor time.
	recordsPerUnit = 40
	queryPerUnit   = 4 << 10
	headersPerUnit = 4 << 10
	bodyPerUnit    = 16 << 10
)

// space delays a request according to its weight, not counting the body.
func (m *Middleware) space(c *gin.Context) error {
	weight := 1 + len(c.Request.URL.RawQuery)/queryPerUnit + headerBytes(c.Request)/headersPerUnit
	if respond.IsRead(c.Request.Method) {
		x := respond.StateOf(c)
		x.RecordUnits = listquery.Records(x.Query) / recordsPerUnit
		weight += x.RecordUnits
	}
	return m.delay(c, weight)
}

// filePerUnit is the number of bytes of a keyless file that count as one request. The files are in
// memory, so that a byte of them takes less processor time than a byte of a body.
const filePerUnit = 32 << 10

// DelayFile delays a request without a key for a file of the given size in bytes. The request
// itself is counted already.
func (m *Middleware) DelayFile(c *gin.Context, size int) error {
	if size < filePerUnit {
		return nil
	}
	return m.delay(c, size/filePerUnit)
}

// delay waits until a request of the given weight may begin. A request without an actor counts
// toward its network, and a probe of weight 1 toward the probes of its network.
func (m *Middleware) delay(c *gin.Context, weight int) error {
	var err error
	ctx, x := c.Request.Context(), respond.StateOf(c)
	switch {
	case x.Actor.School().UUID != uuid.Nil:
		err = m.Spacings.Schools.WaitBesideOthers(ctx, x.Origin(), weight)
	case weight == 1 && x.Route.Probe:
		err = m.Spacings.Probes.Wait(ctx, limiter.Origin{School: m.Network(c)}, weight)
	default:
		err = m.Spacings.Networks.Wait(ctx, limiter.Origin{School: m.Network(c)}, weight)
	}
	if errors.Is(err, limiter.ErrTimeout) {
		m.Lanes.Delay.Wait(ctx)
		return fault.Unavailablef("%s", limits.TooManyRequests)
	}
	return err
}
