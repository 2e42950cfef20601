package worker

import (
	"context"
	"log/slog"
	"time"

	"lyceum/ports"
)

// ReleaseLeases ends the leases that earlier processes of this server took, so that after a crash
// the jobs can run before the leases expire. After a failure it waits for pause and tries again,
// until it succeeds or ctx ends. Call it once at startup.
func ReleaseLeases(ctx context.Context, queue ports.Queue, clock ports.Clock, pause time.Duration, log *slog.Logger) {
	for {
		n, err := queue.ReleaseOwnLeases(ctx, clock.Now())
		if err == nil {
			if n > 0 {
				log.Info("released leases of the previous process", slog.Int("jobs", n))
			}
			return
		}
		if ctx.Err() != nil {
			return
		}
		log.Warn("cannot release leases of the previous process yet", slog.Any("error", err))
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}
