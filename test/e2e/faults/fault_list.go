package faults

import (
	"context"
	"time"
)

// fault is a failure that a round causes.
type fault struct {
	name string
	// hold is the duration of the fault as a multiple of the flag -duration.
	hold float64
	// strike causes the fault, waits for the duration hold, and repairs the damage.
	strike func(ctx context.Context, w *world, hold time.Duration) error
}

// faults lists all faults in the order in which they are caused. An upgrade and a promotion replace
// the program and the database for all later faults.
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
	{"upgrade", 0.2, upgrade},
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

// killServer ends a server with kill -9.
func killServer(ctx context.Context, w *world, hold time.Duration) error {
	w.servers[0].kill()
	if err := wait(ctx, hold); err != nil {
		return err
	}
	return w.servers[0].restart(ctx)
}

// killCluster ends all processes of the database with kill -9.
func killCluster(ctx context.Context, w *world, hold time.Duration) error {
	w.db.Crash()
	if err := wait(ctx, hold); err != nil {
		return err
	}
	return w.db.Restart(ctx)
}

// proxyAll returns a strike function that sets the mode of all proxies between servers and
// database.
func proxyAll(m mode) func(context.Context, *world, time.Duration) error {
	return func(ctx context.Context, w *world, hold time.Duration) error {
		w.setProxies(m)
		defer w.setProxies(pass)
		return wait(ctx, hold)
	}
}

// proxyOne returns a strike function that sets the mode of the proxy between the first server and
// the database.
func proxyOne(m mode) func(context.Context, *world, time.Duration) error {
	return func(ctx context.Context, w *world, hold time.Duration) error {
		w.servers[0].proxy.set(m)
		defer w.servers[0].proxy.set(pass)
		return wait(ctx, hold)
	}
}

// losePower ends a server as if its machine lost power. Its connections to the database stay open
// and silent, some of them inside transactions.
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

// rollingRestart restarts one server after another with SIGTERM, like a deployment.
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

// promotion adds a synchronous standby, stops the primary and promotes the standby. The servers are
// connected to the standby a second before its promotion, so their database is read-only for that
// time.
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
	w.env = append(w.env, "LYCEUM_DATABASE_URL="+address(standby.Addr())) // the last value takes precedence
	return standby.Promote(ctx)
}
