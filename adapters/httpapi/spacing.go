package httpapi

import (
	"errors"
	"runtime"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"lyceum/adapters/admission"
	"lyceum/domain/fault"
)

const (
	// spacingWindow and spacingPerProcessor are how many requests begin in which
	// time: those of a school while another is active, and those of a network that
	// show no key. A processor answers some fifteen times as many of the cheapest.
	spacingWindow       = 10 * time.Millisecond
	spacingPerProcessor = 10

	// A request counts as one more for each recordsPerTurn records that it asks for,
	// for each queryPerTurn bytes of its query, and for each bodyPerTurn bytes of its
	// body beyond smallBody: these take about as much processor time.
	recordsPerTurn = 40
	queryPerTurn   = 4 << 10
	bodyPerTurn    = 16 << 10
)

// spacings spread requests over time, so that a burst of one client is no queue in
// front of the requests of others: what is read, refused and sent outside the slots
// takes processor time too.
type spacings struct{ schools, networks *admission.Spacing }

func newSpacings(a Admission) spacings {
	cfg := admission.RateConfig{Quota: spacingPerProcessor * runtime.GOMAXPROCS(0), Window: spacingWindow, Kept: ratesKept}
	return spacings{schools: admission.NewSpacing(cfg, a.Wait), networks: admission.NewSpacing(cfg, a.Wait)}
}

// spaceOut waits until a request may go on, by what its query asks for.
func (s *server) spaceOut(c *gin.Context) error {
	turns := 1 + len(c.Request.URL.RawQuery)/queryPerTurn
	if isRead(c.Request.Method) {
		turns += recordsAskedFor(exchangeOf(c).query) / recordsPerTurn
	}
	return s.waitTurns(c, turns)
}

// waitTurns waits until what counts as so many requests may begin. A request without
// an actor is of its network; those for the health of the server never wait.
func (s *server) waitTurns(c *gin.Context, turns int) error {
	var err error
	ctx, actor := c.Request.Context(), exchangeOf(c).actor
	switch {
	case actor.School().UUID != uuid.Nil:
		err = s.spacings.schools.WaitBesideOthers(ctx, actor.School().UUID, turns)
	case !healthPaths.hold(c.Request.URL.Path):
		err = s.spacings.networks.Wait(ctx, s.network(c), turns)
	}
	if errors.Is(err, admission.ErrTimeout) {
		s.delay.wait(ctx)
		return fault.Busyf("%s", tooMany)
	}
	return err
}
