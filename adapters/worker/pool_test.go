package worker_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/matryer/is"
	"go.uber.org/goleak"
	"lyceum/adapters/worker"
	"lyceum/domain/job"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// subscriber is a worker.Subscriber whose wake-ups a test sends.
type subscriber chan struct{}

func (s subscriber) Subscribe(context.Context, job.Kind) <-chan struct{} { return s }

// rarePolling returns a configuration whose polling interval is longer than any test.
func rarePolling(count int) worker.Config {
	return worker.Config{Count: count, Poll: time.Hour}
}

// startPool starts a pool that calls next until the test ends.
func startPool(t *testing.T, cfg worker.Config, b subscriber, log *slog.Logger, next func(context.Context) (bool, error)) *worker.Pool {
	t.Helper()
	p, err := worker.New(cfg, b, log, worker.Work{Kind: "chore", Next: next})
	if err != nil {
		t.Fatal(err)
	}
	p.Start()
	t.Cleanup(func() {
		if err := p.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return p
}

var silence = slog.New(slog.DiscardHandler)

// within returns the next value of a channel. It fails the test if none arrives within 20 seconds.
func within[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(20 * time.Second):
		t.Fatal("nothing arrived")
		panic("unreachable")
	}
}

// never fails the test if a value arrives within 10 milliseconds.
func never[T any](t *testing.T, from <-chan T) {
	t.Helper()
	select {
	case v := <-from:
		t.Fatalf("arrived: %v", v)
	case <-time.After(10 * time.Millisecond):
	}
}

// pile contains a number of jobs. done receives a value for each job that a worker takes, and
// looked each time a worker finds no job.
type pile struct {
	remaining    atomic.Int32
	done, looked chan struct{}
}

func newPile(n int32) *pile {
	p := &pile{done: make(chan struct{}, 100), looked: make(chan struct{}, 100)}
	p.remaining.Store(n)
	return p
}

func (p *pile) next(context.Context) (bool, error) {
	if p.remaining.Add(-1) < 0 {
		p.remaining.Add(1)
		p.looked <- struct{}{}
		return false, nil
	}
	p.done <- struct{}{}
	return true, nil
}

func TestExistingJobsRunWithoutWakeUp(t *testing.T) {
	p := newPile(3)
	startPool(t, rarePolling(1), make(subscriber), silence, p.next)
	for range 3 {
		within(t, p.done)
	}
	within(t, p.looked)
	never(t, p.looked) // the worker does not query the queue again without a wake-up
}

func TestWakeUp(t *testing.T) {
	b, p := make(subscriber), newPile(0)
	startPool(t, rarePolling(1), b, silence, p.next)
	within(t, p.looked)
	p.remaining.Add(2)
	b <- struct{}{}
	within(t, p.done)
	within(t, p.done)
	within(t, p.looked)
}

func TestPollWithoutWakeUp(t *testing.T) {
	cfg := rarePolling(1)
	cfg.Poll = time.Millisecond
	p := newPile(0)
	startPool(t, cfg, make(subscriber), silence, p.next)
	within(t, p.looked)
	p.remaining.Add(1)
	within(t, p.done)
}

// After the wake-up channel is closed, the pool polls at its interval.
func TestPollAfterSubscriptionEnds(t *testing.T) {
	b, p := make(subscriber), newPile(0)
	startPool(t, rarePolling(1), b, silence, p.next)
	within(t, p.looked)
	close(b)
	within(t, p.looked)
	never(t, p.looked)
}

// One wake-up starts all workers, because each worker that finds a job wakes the next one.
func TestOneWakeUpStartsAllWorkers(t *testing.T) {
	b, looked := make(subscriber), make(chan struct{}, 100)
	entered, leave := make(chan struct{}), make(chan struct{})
	var left atomic.Int32
	startPool(t, rarePolling(3), b, silence, func(context.Context) (bool, error) {
		if left.Add(-1) < 0 {
			left.Add(1)
			looked <- struct{}{}
			return false, nil
		}
		entered <- struct{}{}
		<-leave
		return true, nil
	})
	for range 3 {
		within(t, looked)
	}
	left.Add(4)
	b <- struct{}{}
	within(t, entered)
	leave <- struct{}{} // the worker takes a second job and wakes another worker
	within(t, entered)
	within(t, entered)
	leave <- struct{}{}
	within(t, entered)
	leave <- struct{}{}
	leave <- struct{}{}
}

func TestFailuresAreLoggedAndBackOff(t *testing.T) {
	is := is.New(t)
	var written bytes.Buffer
	cfg := worker.Config{Count: 1, Poll: 4 * time.Millisecond}
	tries := make(chan int, 100)
	n := 0
	p := startPool(t, cfg, make(subscriber), slog.New(slog.NewTextHandler(&written, nil)), func(context.Context) (bool, error) {
		if n++; n > 6 {
			return false, nil
		}
		tries <- n
		return false, errors.New("queue is down")
	})
	for want := range 6 {
		is.Equal(within(t, tries), want+1)
	}
	is.NoErr(p.Stop(t.Context()))
	is.True(strings.Contains(written.String(), `level=WARN msg="background worker error" work=chore failures=1 error="queue is down"`))
	is.True(strings.Contains(written.String(), "failures=6"))
}

func TestFailureIsNotRetriedAtOnce(t *testing.T) {
	cfg := rarePolling(1)
	b, tries := make(subscriber, 1), make(chan struct{}, 100)
	startPool(t, cfg, b, silence, func(context.Context) (bool, error) {
		tries <- struct{}{}
		return false, errors.New("queue is down")
	})
	within(t, tries)
	b <- struct{}{} // a wake-up does not shorten the pause after an error
	never(t, tries)
}

func TestStopStartsNoNewJobs(t *testing.T) {
	is := is.New(t)
	begun, leave := make(chan struct{}), make(chan struct{})
	p := startPool(t, rarePolling(1), make(subscriber), silence, func(ctx context.Context) (bool, error) {
		begun <- struct{}{}
		<-leave
		return true, ctx.Err()
	})
	within(t, begun)
	stopped := make(chan error)
	go func() { stopped <- p.Stop(context.Background()) }()
	never(t, stopped) // running jobs have time to finish
	close(leave)
	is.NoErr(within(t, stopped))
	never(t, begun)
}

func TestStopCancelsSlowJobs(t *testing.T) {
	is := is.New(t)
	begun := make(chan struct{})
	var gaveUp error
	p := startPool(t, rarePolling(1), make(subscriber), silence, func(ctx context.Context) (bool, error) {
		close(begun)
		<-ctx.Done()
		gaveUp = ctx.Err()
		return true, ctx.Err()
	})
	within(t, begun)
	ctx, cancel := context.WithTimeout(t.Context(), 40*time.Millisecond)
	defer cancel()
	_ = p.Stop(ctx)
	is.NoErr(p.Stop(context.Background())) // the pool has stopped
	is.Equal(gaveUp, context.Canceled)
}

func TestStopEndsWithItsContext(t *testing.T) {
	is := is.New(t)
	begun, leave := make(chan struct{}), make(chan struct{})
	p := startPool(t, rarePolling(1), make(subscriber), silence, func(context.Context) (bool, error) {
		close(begun)
		<-leave
		return false, nil
	})
	within(t, begun)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := p.Stop(ctx)
	is.True(errors.Is(err, context.Canceled))
	is.True(strings.HasPrefix(err.Error(), "background work was aborted"))
	close(leave)
}

func TestStopWithoutStart(t *testing.T) {
	is := is.New(t)
	p, err := worker.New(rarePolling(1), make(subscriber), silence, worker.Work{Kind: "chore", Next: newPile(1).next})
	is.NoErr(err)
	is.NoErr(p.Stop(t.Context()))
}

func TestCountZero(t *testing.T) {
	p := newPile(1)
	startPool(t, rarePolling(0), make(subscriber), silence, p.next)
	never(t, p.done)
}

func TestConfig(t *testing.T) {
	is := is.New(t)
	is.NoErr(worker.Defaults().Validate())
	_, err := worker.New(worker.Config{Count: -1}, make(subscriber), silence)
	is.True(err != nil)
	is.Equal(err.Error(), "worker.count: must not be negative\nworker.poll: must be greater than 0")
}
