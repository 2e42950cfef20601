// Command load measures the server over HTTP. It fills a large school and starts two programs on
// the same PostgreSQL database: the server, and the bare handlers of test/tools/bench/bare. It
// sends the same requests to both in turn and prints the results as a table. Compare only results
// of the same run. `make bench-load` runs it.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"
)

// options are the options of the command line.
type options struct {
	database    string        // a filled database; blank: create and fill a new database
	keep        bool          // keep the new database
	scale       float64       // scale of the large school
	rounds      int           // rounds of each operation
	duration    time.Duration // duration of a round
	connections int
	only        string // prefix of the names of the operations to run
	write       string // file whose table is replaced; blank: standard output
	plot        string // file of the plot
}

func main() {
	var o options
	flag.StringVar(&o.database, "database", "", "DSN of a database that `lyceum demo` has filled; default: create and fill one")
	flag.BoolVar(&o.keep, "keep", false, "keep the new database")
	flag.Float64Var(&o.scale, "scale", 1, "size of the new school; 1 has 100,000 people and 5,000,000 events")
	flag.IntVar(&o.rounds, "rounds", 3, "turns of each operation")
	flag.DurationVar(&o.duration, "duration", 2*time.Second, "length of a turn")
	flag.IntVar(&o.connections, "connections", 32, "connections of the driver")
	flag.StringVar(&o.only, "only", "", "only operations whose names begin with this")
	flag.StringVar(&o.write, "write", "", "Markdown file whose table is replaced")
	flag.StringVar(&o.plot, "plot", "", "SVG file for a plot of the ratios")
	grow := flag.Int("grow", 0, "instead, measure how lists grow: rows of the largest school, the others have a tenth and a hundredth")
	memory := flag.String("memory", "", "") // the command passes this flag, with an address, to its process with the memory store
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	work := func() error { return measure(ctx, o) }
	if *grow > 0 {
		work = func() error { return growth(ctx, o, *grow) }
	}
	if *memory != "" {
		work = func() error { return serveMemory(ctx, *memory, sized(o.scale)) }
	}
	if err := work(); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		stop()
		os.Exit(1)
	}
}

func measure(ctx context.Context, o options) error {
	dir, err := os.MkdirTemp("", "lyceum-load-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	programs, err := build(ctx, dir)
	if err != nil {
		return err
	}
	s, done, err := prepare(ctx, o, programs)
	if err != nil {
		return err
	}
	defer done()
	if err := s.sample(ctx); err != nil {
		return err
	}

	ours, err := start(ctx, programs.lyceum, append(s.settings(),
		"LYCEUM_FILES_DIR="+filepath.Join(dir, "files"), "LYCEUM_METRICS_ADDR=127.0.0.1:0"), filepath.Join(dir, "log"), "serve", "--addr")
	if err != nil {
		return err
	}
	defer ours.stop()
	bare, err := start(ctx, programs.bare, nil, filepath.Join(dir, "barelog"), "-database", s.dsn, "-school", s.id, "-addr")
	if err != nil {
		return err
	}
	defer bare.stop()

	r := report{options: o, size: s.size}
	d := driver{key: s.key, connections: o.connections, duration: o.duration}
	if err := r.compare(d, s, ours, bare); err != nil {
		return err
	}
	if err := r.compareHotCourse(d, s, ours); err != nil {
		return err
	}
	ours.stop()
	bare.stop()
	if err := r.memory(ctx, d, programs.load, o); err != nil {
		return err
	}
	return r.publish()
}
