package faults

import (
	"context"
	"time"
)

// fault is something that goes wrong.
type fault struct {
	name string
	// hold is how long it goes wrong, as a part of the round's duration.
	hold float64
	// strike makes it go wrong for the time and puts everything in order again.
	strike func(ctx context.Context, w *world, hold time.Duration) error
}

// faults is all of them, in the order of a run. The promotion replaces the database
// for those after it.
var faults = []fault{
	{"none", 0.3, func(ctx context.Context, _ *world, hold time.Duration) error { return wait(ctx, hold) }},
	{"kill-server", 0.2, killServer},
	{"kill-cluster", 0.1, killCluster},
	{"latency", 0.7, proxyAll(slow)},
	{"reset", 0.2, proxyAll(reset)},
	{"black-hole", 2.2, proxyOne(blackHole)},
	{"black-hole-all", 1, proxyAll(blackHole)},
	{"half-open", 1, proxyOne(oneWay)},
	{"vanish", 0.3, losePower},
	{"rolling-restart", 0.2, rollingRestart},
	{"promotion", 0.3, promotion},
}

// wait waits for d, or until ctx ends.
func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// killServer ends a server by kill -9.
func killServer(ctx context.Context, w *world, hold time.Duration) error {
	w.servers[0].kill()
	if err := wait(ctx, hold); err != nil {
		return err
	}
	return w.servers[0].restart(ctx)
}

// killCluster ends all processes of the database by kill -9.
func killCluster(ctx context.Context, w *world, hold time.Duration) error {
	w.db.Crash()
	if err := wait(ctx, hold); err != nil {
		return err
	}
	return w.db.Restart(ctx)
}

// proxyAll sets a mode between both servers and the database.
func proxyAll(m mode) func(context.Context, *world, time.Duration) error {
	return func(ctx context.Context, w *world, hold time.Duration) error {
		w.setProxies(m)
		defer w.setProxies(pass)
		return wait(ctx, hold)
	}
}

// proxyOne sets a mode between one server and the database.
func proxyOne(m mode) func(context.Context, *world, time.Duration) error {
	return func(ctx context.Context, w *world, hold time.Duration) error {
		w.servers[0].proxy.set(m)
		defer w.servers[0].proxy.set(pass)
		return wait(ctx, hold)
	}
}

// losePower ends a server together with its machine: its connections to the database
// stay open, in the middle of transactions, and silent.
func losePower(ctx context.Context, w *world, hold time.Duration) error {
	w.servers[0].proxy.isolate()
	if err := wait(ctx, 100*time.Millisecond); err != nil {
		return err
	}
	w.servers[0].kill()
	if err := wait(ctx, hold); err != nil {
		return err
	}
	return w.servers[0].restart(ctx)
}

// rollingRestart restarts one server after the other by SIGTERM, as a deployment
// does.
func rollingRestart(ctx context.Context, w *world, hold time.Duration) error {
	for _, s := range w.servers {
		if err := s.terminate(); err != nil {
			return err
		}
		if err := s.restart(ctx); err != nil {
			return err
		}
		if err := wait(ctx, hold); err != nil {
			return err
		}
	}
	return nil
}

// promotion adds a synchronous standby, ends the primary and promotes the standby.
// The address of the database leads to the standby before it is promoted, so that
// the database is read-only for a while.
func promotion(ctx context.Context, w *world, hold time.Duration) error {
	standby, err := w.db.Standby(w.t)
	if err == nil {
		err = wait(ctx, hold)
	}
	if err != nil {
		return err
	}
	w.db.Stop()
	for _, s := range w.servers {
		s.proxy.redirect(standby.Addr())
	}
	if err := wait(ctx, time.Second); err != nil {
		return err
	}
	w.db = standby
	w.env = append(w.env, "LYCEUM_DATABASE_URL="+address(standby.Addr())) // the last one counts
	return standby.Promote(ctx)
}
