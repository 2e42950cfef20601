// Command fairness measures how long requests of one school take while a client of another school
// attacks the server. It starts the server on PostgreSQL in one process, and the attackers of each
// attack in another process with a low priority. It prints the results of each attack as a table.
// `make bench-fairness` runs it. It uses only exported identifiers of other packages, so it can be
// copied into an older commit and run there.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"lyceum/test/kit/pgtest"
)

// plan contains the attacks to measure and their durations.
type plan struct {
	rounds        int
	quiet, attack time.Duration
	only          string // part of the names of the attacks to run
	profiles      string // directory for profiles; blank: no profiles are written
}

func main() {
	var p plan
	flag.IntVar(&p.rounds, "rounds", 3, "how often each attack is measured")
	flag.DurationVar(&p.quiet, "quiet", 1500*time.Millisecond, "time without an attack before each")
	flag.DurationVar(&p.attack, "duration", 3*time.Second, "time of each attack")
	flag.StringVar(&p.only, "only", "", "a part of the names of the attacks to run")
	flag.StringVar(&p.profiles, "profiles", "", "directory for processor profiles of the server, one for each attack")
	write := flag.String("write", "", "Markdown file whose table is replaced")
	serving := flag.String("serve", "", "") // the command passes this flag, with the database, to its server process
	attacking := flag.String("attack", "", "")
	flag.Parse()
	ctx := context.Background()
	var err error
	switch {
	case *serving != "":
		err = serve(ctx, *serving)
	case *attacking != "":
		err = runAttack(ctx, *attacking, p.attack)
	default:
		err = measure(ctx, p, *write)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "fairness:", err)
		os.Exit(1)
	}
}

// maxDuration is the time after which no further round starts, so that the whole run takes less
// than six minutes, even on a busy machine.
const maxDuration = 120 * time.Second

// measure runs each attack several times, each time after a phase without an attack, and publishes
// the table.
func measure(ctx context.Context, p plan, write string) error {
	dsn, drop, err := pgtest.Durable(ctx, false)
	if err != nil {
		return err
	}
	defer drop()
	w, stop, err := startServer(ctx, dsn)
	if err != nil {
		return err
	}
	defer stop()
	m, err := newMeter(w)
	if err != nil {
		return err
	}
	defer m.close()
	m.during(ctx, p.quiet) // fills the caches
	begin := time.Now()
	results := map[string]*result{}
	for round := range p.rounds {
		if time.Since(begin) > maxDuration {
			break
		}
		for _, a := range attacks {
			if !strings.Contains(a.name, p.only) {
				continue
			}
			f := results[a.name]
			if f == nil {
				f = &result{name: a.name, sent: map[int]int{}}
				results[a.name] = f
			}
			quiet := m.during(ctx, p.quiet)
			profiled := m.profile(p, a, round)
			under, sent, err := m.duringAttack(ctx, a, p.attack)
			if err != nil {
				return err
			}
			<-profiled
			f.add(quiet, under, sent, p.attack)
			fmt.Fprintf(os.Stderr, "round %d: %s", round+1, f.row())
			if err := m.deleteWork(ctx); err != nil {
				return err
			}
		}
	}
	var table strings.Builder
	table.WriteString(heading)
	for _, a := range attacks {
		if f := results[a.name]; f != nil {
			table.WriteString(f.row())
		}
	}
	return publish(write, table.String())
}
