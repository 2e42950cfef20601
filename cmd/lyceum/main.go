// Command lyceum runs the Lyceum server and does the operator's work: schools,
// the keys that open them, the database's schema.
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
	// After stop a second signal ends the process at once, so stop precedes cancel.
	context.AfterFunc(caught, func() { stop(); cancel() })
	os.Exit(run(ctx, os.Args[1:], os.LookupEnv, os.Stdout, os.Stderr))
}
