// Package cli is the command line of Lyceum: it runs the server and manages schools, API keys and
// the database. Start with Main.
package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"lyceum/cmd/server"
)

// Main runs the command line of the process, with the extensions in options, and exits the process.
func Main(options ...server.Option) {
	caught, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ctx, cancel := context.WithCancel(context.Background())
	// After stop, a second signal kills the process. Therefore stop is called before cancel.
	context.AfterFunc(caught, func() { stop(); cancel() })
	t := terminal{program: programName(os.Args), in: os.Stdin, out: os.Stdout, err: os.Stderr, environ: os.Environ(), extension: server.Extend(options...)}
	os.Exit(t.run(ctx, os.Args[1:], os.LookupEnv))
}
