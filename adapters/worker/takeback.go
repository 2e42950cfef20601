package worker

import (
	"context"
	"log/slog"
	"time"

	"lyceum/ports"
)

// TakeBack ends the leases that earlier runs of this server took, so that after a
// kill their jobs need not wait for the end of the lease. It tries until it
// succeeds or ctx ends, with pauses between; call it once at start.
func TakeBack(ctx context.Context, queue ports.Queue, clock ports.Clock, pause time.Duration, log *slog.Logger) {
	for {
		n, err := queue.TakeBack(ctx, clock.Now())
		if err == nil {
			if n > 0 {
				log.Info("leases of an earlier run taken back", slog.Int("jobs", n))
			}
			return
		}
		if ctx.Err() != nil {
			return
		}
		log.Warn("leases of an earlier run cannot be taken back yet", slog.Any("error", err))
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}
