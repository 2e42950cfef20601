// Command lyceum runs the Lyceum server. Its other commands are for operators: they manage schools,
// API keys, the database schema and background jobs, and export and import schools.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	caught, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ctx, cancel := context.WithCancel(context.Background())
	// After stop a second signal kills the process, so stop precedes cancel.
	context.AfterFunc(caught, func() { stop(); cancel() })
	os.Exit(run(ctx, os.Args[1:], os.LookupEnv, os.Stdout, os.Stderr))
}
