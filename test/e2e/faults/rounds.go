package faults

import (
	"context"
	"testing"
	"time"
)

// Rounds runs rounds on two servers. Another package runs their database and causes the faults.
type Rounds struct{ w *world }

// NewRounds migrates the database and starts two servers, which stop at the end of the test. env
// contains the variables with the URL of the database.
func NewRounds(t testing.TB, program string, seed uint64, env ...string) *Rounds {
	t.Helper()
	w := &world{t: t, program: program, seed: seed}
	w.startServers(env...)
	return &Rounds{w}
}

// Servers returns the base URLs of the servers.
func (r *Rounds) Servers() []string {
	var urls []string
	for _, s := range r.w.servers {
		urls = append(urls, s.url)
	}
	return urls
}

// Metrics returns the URLs of the metrics of the servers.
func (r *Rounds) Metrics() []string {
	var urls []string
	for _, s := range r.w.servers {
		urls = append(urls, s.metrics)
	}
	return urls
}

// Command runs a command of the program and returns its output.
func (r *Rounds) Command(ctx context.Context, args ...string) (string, error) {
	return r.w.command(ctx, args...)
}

// Run makes 16 clients write, causes a fault with strike, which also repairs the damage, and then
// checks all data. The clients write for a third of duration before and after the fault.
func (r *Rounds) Run(ctx context.Context, name string, strike func(context.Context) error, duration, settle time.Duration) (*Tally, error) {
	return r.w.round(ctx, fault{name, 0, func(ctx context.Context, _ *world, _ time.Duration) error { return strike(ctx) }}, duration, settle)
}
