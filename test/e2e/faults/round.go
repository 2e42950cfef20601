package faults

import (
	"context"
	"sync"
	"time"
)

const (
	// requestTimeout is the maximum time after the end of a fault for which a request may be
	// uncertain. It exceeds the time after which the database ends the transaction of a lost
	// client.
	requestTimeout = 2 * time.Minute
	// followers is the number of clients that follow the feed.
	followers = 2
)

// round causes a fault while clients write, and then checks all data.
func (w *world) round(ctx context.Context, f fault, duration, settle time.Duration) (*Tally, error) {
	y := &tally{}
	w.name = f.name
	s, err := newSchool(ctx, w, f.name, y)
	if err != nil {
		return nil, err
	}
	history, seen, err := w.drive(ctx, f, s, duration, y)
	if err != nil {
		return nil, err
	}
	c := newCaller(w.servers, s.key, w.rng(0), y)
	defer c.close()
	limited, cancel := context.WithTimeout(ctx, settle+requestTimeout)
	defer cancel()
	w.waitForJobs(limited, c, s, history, settle)
	found, err := find(limited, c, s)
	if err != nil {
		return nil, err
	}
	y.violate(Check(append(history, s.history...), found)...)
	for _, one := range seen {
		y.violate(CheckFeed(one, found.Feed)...)
	}
	output, err := w.command(limited, "reconcile", "--school", s.id)
	y.violate(CheckReconciled(output)...)
	return &y.Tally, err
}

// drive makes the clients write before, during and after the fault. It returns their history, and
// the events that the followers of the feed have seen.
func (w *world) drive(ctx context.Context, f fault, s *school, duration time.Duration, y *tally) (History, [][]Row, error) {
	all, cancel := context.WithCancel(ctx) // ends if a request is uncertain for too long
	defer cancel()
	more, enough := context.WithCancel(all)
	var writing, reading sync.WaitGroup
	var writers []*client
	for i := range clients {
		c := &client{caller: newCaller(w.servers, s.key, w.rng(i+1), y), no: i + 1, school: s, names: map[*learner]string{}}
		c.turn = i
		writers = append(writers, c)
		writing.Go(func() { c.run(all, more); c.close() })
	}
	written, end := context.WithCancel(all)
	var readers []*follower
	for i := range followers {
		r := &follower{caller: newCaller(w.servers, s.key, w.rng(-i-1), y), school: s}
		readers = append(readers, r)
		reading.Go(func() {
			if err := r.run(all, written); err != nil {
				y.violate(Violation{Stuck, err.Error()})
			}
			r.close()
		})
	}
	err := wait(ctx, duration/3)
	if err == nil {
		err = f.strike(ctx, w, time.Duration(float64(duration)*f.hold))
	}
	if err == nil {
		err = wait(ctx, duration/3)
	}
	enough()
	late := time.AfterFunc(requestTimeout, cancel)
	defer late.Stop()
	writing.Wait()
	end()
	reading.Wait()
	var h History
	for _, c := range writers {
		h = append(h, c.history...)
	}
	var seen [][]Row
	for _, r := range readers {
		seen = append(seen, r.seen)
	}
	if err == nil {
		err = w.ready(ctx)
	}
	return h, seen, err
}
