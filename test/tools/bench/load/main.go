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
	"strings"
	"time"

	"lyceum/test/tools/bench/program"
)

// options are the options of the command line.
type options struct {
	database    string        // a filled database; blank: create and fill a new database
	keep        bool          // keep the new database
	scale       float64       // scale of the large school
	runs        int           // whole runs, each with new server processes
	rounds      int           // rounds of each operation
	duration    time.Duration // duration of a round
	connections int
	gogc        []string // values of GOGC, which both servers get; the first is that of the ratios
	only        string   // prefixes of the names of the operations to run, joined by commas
	write       string   // file whose table is replaced; blank: standard output
	plot        string   // file of the plot
	built       string   // folder of the programs; blank: build them
}

func main() {
	var o options
	flag.StringVar(&o.database, "database", "", "DSN of a database that `lyceum demo` has filled; default: create and fill one")
	flag.BoolVar(&o.keep, "keep", false, "keep the new database")
	flag.Float64Var(&o.scale, "scale", 1, "size of the new school; 1 has 100,000 people and 5,000,000 events")
	flag.IntVar(&o.runs, "runs", 1, "whole runs; the table contains medians")
	flag.IntVar(&o.rounds, "rounds", 3, "turns of each operation")
	flag.DurationVar(&o.duration, "duration", 2*time.Second, "length of a turn")
	flag.IntVar(&o.connections, "connections", 32, "connections of the driver")
	flag.StringVar(&o.only, "only", "", "only operations whose names begin with one of these prefixes, joined by commas")
	gogc := flag.String("gogc", "400,100", "values of GOGC with which both servers run, joined by commas; the goals are about the first")
	flag.StringVar(&o.write, "write", "", "Markdown file whose table is replaced")
	flag.StringVar(&o.plot, "plot", "", "SVG file for a plot of the ratios")
	flag.StringVar(&o.built, "built", "", "folder with the programs lyceum, bare and load; default: build them")
	grow := flag.Int("grow", 0, "instead, measure how lists grow: rows of the largest school, the others have a tenth and a hundredth")
	memory := flag.String("memory", "", "") // the command passes this flag, with an address, to its process with the memory store
	flag.Parse()
	o.gogc = strings.Split(*gogc, ",")
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
	programs, err := build(ctx, dir, o.built)
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

	r := report{options: o, size: s.size}
	d := driver{key: s.key, connections: o.connections, duration: o.duration}
	if d.postmaster, err = program.FindPostmaster(ctx, s.dsn); err != nil {
		return err
	}
	var runs [][]row
	for range o.runs {
		if err := r.run(ctx, d, s, programs, dir); err != nil {
			return err
		}
		runs = append(runs, r.rows)
	}
	r.rows = medianRows(runs)
	return r.publish()
}

// run replaces r.rows with the rows of one run.
func (r *report) run(ctx context.Context, d driver, s *school, p programs, dir string) error {
	r.rows = nil
	var pairs []pair
	defer func() {
		for _, one := range pairs {
			one.ours.Stop()
			one.bare.Stop()
		}
	}()
	for _, gogc := range r.options.gogc {
		env := []string{"GOGC=" + gogc}
		ours, err := program.Start(ctx, p.lyceum, append(append(env, s.settings()...),
			"LYCEUM_FILES_DIR="+filepath.Join(dir, "files"), "LYCEUM_METRICS_ADDR=127.0.0.1:0",
			"LYCEUM_ADMISSION_WAIT=1m", // a search may take longer than a client would wait
			"LYCEUM_WORKER_COUNT=0",    // so that it does not send the invitations of an earlier run
		), filepath.Join(dir, "log"), "serve", "--addr")
		if err != nil {
			return err
		}
		bare, err := program.Start(ctx, p.bare, env, filepath.Join(dir, "barelog"), "-database", s.bareDSN(), "-school", s.id, "-addr")
		if err != nil {
			ours.Stop()
			return err
		}
		pairs = append(pairs, pair{gogc, ours, bare})
	}
	if err := r.compare(d, s, pairs); err != nil {
		return err
	}
	if err := r.compareHotCourse(d, s, pairs); err != nil {
		return err
	}
	for _, one := range pairs { // the memory store is measured without them
		one.ours.Stop()
		one.bare.Stop()
	}
	return r.memory(ctx, d, p.load)
}
