package httpapi

import (
	"errors"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"lyceum/adapters/admission"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/respond"
	"lyceum/domain/fault"
)

const (
	// A request counts as one more for each recordsPerTurn records that it asks for,
	// for each queryPerTurn bytes of its query, for each headersPerTurn bytes of its
	// headers, and for each bodyPerTurn bytes of its body beyond smallBody: these take
	// about as much processor time.
	recordsPerTurn = 40
	queryPerTurn   = 4 << 10
	headersPerTurn = 4 << 10
	bodyPerTurn    = 16 << 10
)

// spaceOut waits until a request may go on, by what it asks for and by its size.
func (s *server) spaceOut(c *gin.Context) error {
	turns := 1 + len(c.Request.URL.RawQuery)/queryPerTurn + headerBytes(c.Request)/headersPerTurn
	if respond.IsRead(c.Request.Method) {
		turns += recordsAskedFor(respond.StateOf(c).Query) / recordsPerTurn
	}
	return s.waitTurns(c, turns)
}

// waitTurns waits until what counts as so many requests may begin. A request without
// an actor is of its network. One for the health of the server does not wait unless it
// counts as several, which that of a prober never does.
func (s *server) waitTurns(c *gin.Context, turns int) error {
	var err error
	ctx, actor := c.Request.Context(), respond.StateOf(c).Actor
	switch {
	case actor.School().UUID != uuid.Nil:
		err = s.spacings.Schools.WaitBesideOthers(ctx, actor.School().UUID, turns)
	case turns > 1 || !healthPaths.hold(c.Request.URL.Path):
		err = s.spacings.Networks.Wait(ctx, s.network(c), turns)
	}
	if errors.Is(err, admission.ErrTimeout) {
		s.Lanes.Delay.Wait(ctx)
		return fault.Busyf("%s", limits.TooManyRequests)
	}
	return err
}
