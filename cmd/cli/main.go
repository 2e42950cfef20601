// Package cli is the command line of Lyceum: it runs the server and does the operator's work with
// schools, their keys and the database. Start with Main.
package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Main carries out the command line of the process, and ends the process.
func Main() {
	caught, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ctx, cancel := context.WithCancel(context.Background())
	// After stop a second signal kills the process, so stop precedes cancel.
	context.AfterFunc(caught, func() { stop(); cancel() })
	os.Exit(run(ctx, os.Args[1:], os.LookupEnv, os.Stdout, os.Stderr))
}
