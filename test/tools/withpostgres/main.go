// Command withpostgres starts a temporary PostgreSQL server, runs a program with the server in
// LYCEUM_TEST_DATABASE_URL, stops the server, and exits with the exit code of the program:
//
//	withpostgres go test ./...
//
// So all test binaries share one server and one migrated database that they copy. If
// LYCEUM_TEST_DATABASE_URL names a server already, withpostgres only runs the program.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"

	"lyceum/test/kit/pgtest"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: withpostgres program [argument ...]")
		os.Exit(2)
	}
	code, err := run(context.Background(), os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "withpostgres:", err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// run runs the program args[0] and returns its exit code.
func run(ctx context.Context, args []string) (code int, err error) {
	env, stop, err := pgtest.Temporary(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, stop()) }()
	// A terminal interrupts the program, too. The server stops after it.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	program := exec.CommandContext(ctx, args[0], args[1:]...)
	program.Env = append(os.Environ(), env...)
	program.Stdin, program.Stdout, program.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = program.Run()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		return failed.ExitCode(), nil
	}
	return 0, err
}
