package worker_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/matryer/is"
	"go.uber.org/fx"
	"lyceum/adapters/worker"
	"lyceum/domain/job"
	"lyceum/ports"
)

// limitedQueue records the limits of leases.
type limitedQueue struct {
	ports.Queue
	limits map[job.Kind][2]int
}

func (q limitedQueue) LimitLeases(kind job.Kind, perSchool, shared int) {
	q.limits[kind] = [2]int{perSchool, shared}
}

// A school gets at most half of the workers, or fewer, and one while half of them work.
func TestSchoolsLeaveWorkers(t *testing.T) {
	is := is.New(t)
	q := limitedQueue{limits: map[job.Kind][2]int{}}
	work := func(w worker.Work) fx.Option {
		w.Next = func(context.Context) (bool, error) { return false, nil }
		return fx.Supply(fx.Annotate(w, fx.ResultTags(`group:"work"`)))
	}
	err := fx.New(
		fx.NopLogger, worker.Module, fx.Supply(worker.Config{Count: 4, Poll: time.Second}, slog.New(slog.DiscardHandler)),
		fx.Provide(func() ports.Queue { return q }),
		work(worker.Work{Kind: "usual"}), work(worker.Work{Kind: "single", Count: 1}), work(worker.Work{Kind: "mails", Count: 16, PerSchool: 2}),
	).Err()
	is.NoErr(err)
	is.Equal(q.limits, map[job.Kind][2]int{"usual": {2, 2}, "single": {1, 1}, "mails": {2, 8}})
}
