package main

import (
	"context"
	"net/http"
	"sync"
	"time"

	"lyceum/test/tools/bench/program"
)

// getInterval is the time between two requests of the neighbor. They are sent at this rate even if
// earlier requests have no response yet.
const getInterval = 10 * time.Millisecond

// gets contains the requests of the neighbor.
var gets = []string{"/v2/school", "/v2/people?limit=10"}

// enough is the number of requests from which their p99 is not just the slowest one. An operation
// is repeated until there are as many, at most maxRepeats times.
const enough, maxRepeats = 300, 12

// measurement is the result of an operation at one size in one run.
type measurement struct {
	outcome                         // means of all repetitions
	quiet, during   []time.Duration // durations of the neighbor's requests
	failed, records int             // requests of the neighbor without status 200; records of the operation
}

// measure measures the requests of the neighbor without and with the operation.
func (s *server) measure(ctx context.Context, op operation, n int, quiet time.Duration) (measurement, error) {
	m := measurement{records: n}
	var all []outcome
	for turn := range maxRepeats {
		work, err := op.prepare(ctx, s, n, turn)
		if err != nil {
			return m, err
		}
		if turn == 0 {
			s.watch(ctx, func() { pause(ctx, quiet/6) }) // fills the caches
			m.quiet, _ = s.watch(ctx, func() { pause(ctx, quiet) })
		}
		var got outcome
		during, failed := s.watch(ctx, func() {
			before, began := program.UsageNow(s.process, s.postmaster), time.Now()
			got, err = work(ctx)
			got.took = time.Since(began)
			used := program.UsageNow(s.process, s.postmaster).Minus(before)
			got.processor = (used.Server + used.Database + used.Commands) / program.TicksPerSecond
		})
		if err != nil {
			return m, err
		}
		m.during, m.failed, all = append(m.during, during...), m.failed+failed, append(all, got)
		if op.turns == 0 || (turn+1)%op.turns == 0 && len(m.during) >= enough {
			break
		}
	}
	m.outcome = mean(all)
	return m, nil
}

// watch sends requests of the neighbor until work returns. It returns their durations and the
// number of those that failed.
func (s *server) watch(ctx context.Context, work func()) (took []time.Duration, failed int) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		work()
	}()
	var mu sync.Mutex // guards took and failed
	var all sync.WaitGroup
	due := time.NewTicker(getInterval)
	defer due.Stop()
	for i := 0; ; i++ {
		select {
		case <-done:
			all.Wait()
			return took, failed
		case <-due.C:
		}
		all.Go(func() {
			began := time.Now()
			err := s.send(ctx, s.neighbor, http.MethodGet, gets[i%len(gets)], nil, nil)
			lasted := time.Since(began)
			mu.Lock()
			defer mu.Unlock()
			if took = append(took, lasted); err != nil {
				failed++
			}
		})
	}
}
