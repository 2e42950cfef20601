// Command large measures bulk requests, imports, exports and changes of large courses on
// PostgreSQL, each at two sizes, and how long requests of another school take during this work. It
// starts the server as a separate process. `make bench-large` runs it.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"lyceum/test/tools/bench/program"
)

// options are the options of the command line.
type options struct {
	runs  int           // whole runs, each with a new database and a new server
	scale float64       // 1: the sizes in operations
	quiet time.Duration // time before each operation in which only the other school sends requests
	limit time.Duration // time after which no further run starts
	only  string        // a part of the names of the operations to run
	write string        // Markdown file whose table is replaced; blank: standard output
	built string        // the program lyceum; blank: build it
}

func main() {
	var o options
	flag.IntVar(&o.runs, "runs", 3, "whole runs; the table contains medians")
	flag.Float64Var(&o.scale, "scale", 1, "size of the records; 1 has courses of 100,000 enrollments")
	flag.DurationVar(&o.quiet, "quiet", 2*time.Second, "time without an operation before each")
	flag.DurationVar(&o.limit, "limit", 11*time.Minute, "time after which no further run starts")
	flag.StringVar(&o.only, "only", "", "a part of the names of the operations to run")
	flag.StringVar(&o.write, "write", "", "Markdown file whose table is replaced")
	flag.StringVar(&o.built, "built", "", "the program lyceum; default: build it")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := measure(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "large:", err)
		stop()
		os.Exit(1)
	}
}

func measure(ctx context.Context, o options) error {
	dir, err := os.MkdirTemp("", "lyceum-large-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if o.built == "" {
		o.built = filepath.Join(dir, "lyceum")
		if err := program.Build(ctx, o.built, "./cmd/lyceum"); err != nil {
			return err
		}
	}
	var all []*row
	for _, op := range operations {
		if strings.Contains(op.name, o.only) {
			all = append(all, &row{operation: op})
		}
	}
	began, n := time.Now(), 0
	for ; n < o.runs && time.Since(began) <= o.limit; n++ {
		if err := run(ctx, o, dir, all); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "run %d ended after %s\n", n+1, time.Since(began).Round(time.Second))
	}
	head := fmt.Sprintf("%d processors, %d runs, scale %g.\n\n", runtime.NumCPU(), n, o.scale)
	return program.Publish(o.write, "bench-large", head+table(all))
}

// run measures all operations at both sizes and adds the results to rows. It measures the sizes of
// an operation one after another, so that other programs of the machine affect both similarly.
func run(ctx context.Context, o options, dir string, rows []*row) error {
	s, stop, err := startServer(ctx, o.built, dir)
	if err != nil {
		return err
	}
	defer stop()
	for _, one := range rows {
		for i, divisor := range sizes {
			n := max(1, int(float64(one.records)*o.scale)/divisor)
			got, err := s.measure(ctx, one.operation, n, o.quiet)
			if err != nil {
				return fmt.Errorf("%s, %d: %w", one.name, n, err)
			}
			one.add(i, got)
			fmt.Fprintf(os.Stderr, "%s, %d: %.2f s, processor %.2f s, %d GETs, ratio %.1f\n",
				one.name, n, got.seconds(), got.processor, len(got.during), got.ratio())
		}
	}
	return nil
}
