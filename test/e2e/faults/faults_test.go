package faults

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lyceum/test/kit/pgtest"
)

var flags struct {
	faults, program  string
	seed             uint64
	duration, settle time.Duration
}

func init() {
	flag.StringVar(&flags.faults, "faults", "", "comma-separated faults to cause, or all; default: none")
	flag.StringVar(&flags.program, "program", "", "the program; default: build it")
	flag.Uint64Var(&flags.seed, "seed", 1, "seed of the random choices of clients")
	flag.DurationVar(&flags.duration, "duration", 15*time.Second, "how long clients write, in addition to the time of longer faults")
	flag.DurationVar(&flags.settle, "settle", 5*time.Minute, "how long jobs may take afterwards; below 4m, leases of killed servers do not expire in time")
}

func TestMain(m *testing.M) { pgtest.Main(m) }

func TestFaults(t *testing.T) {
	if flags.faults == "" {
		t.Skip("takes minutes: make test-faults")
	}
	w := newWorld(t, program(t), flags.seed)
	_, _ = fmt.Fprintln(os.Stdout, Header)
	all := selectedFaults(t)
	if slices.ContainsFunc(all, func(f fault) bool { return f.name == "upgrade" }) {
		var err error
		if w.next, err = buildNext(t.Context(), t.TempDir()); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range all {
		began := time.Now()
		y, err := w.round(t.Context(), f, flags.duration, flags.settle)
		if err != nil {
			t.Fatalf("%s: %v", f.name, err)
		}
		_, _ = fmt.Fprintln(os.Stdout, y.Line(f.name, time.Since(began)))
		if len(y.Violations) > 0 {
			t.Errorf("%s, seed %d:\n%s", f.name, flags.seed, Report(y.Violations))
		}
		checkKinds(t, f.name, y)
	}
}

// program returns the path of the server program. The path is the value of the flag, if set;
// otherwise program builds the server.
func program(t *testing.T) string {
	t.Helper()
	if flags.program != "" {
		return flags.program
	}
	path := filepath.Join(t.TempDir(), "lyceum")
	build := exec.CommandContext(t.Context(), "go", "build", "-tags", "nomsgpack", "-o", path, "lyceum/cmd/lyceum")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// checkKinds fails the test if no write was acknowledged. In a round that is long enough for rare
// kinds, every kind must have an acknowledged write.
func checkKinds(t *testing.T, name string, y *Tally) {
	t.Helper()
	if y.Acknowledged == 0 {
		t.Errorf("%s: no write was acknowledged", name)
	}
	for _, k := range kinds {
		if y.Acknowledged > 2000 && y.Kinds[k.name] == 0 {
			t.Errorf("%s: no write of the kind %q was acknowledged", name, k.name)
		}
	}
}

// selectedFaults returns the faults that the flag names.
func selectedFaults(t *testing.T) []fault {
	t.Helper()
	if flags.faults == "all" {
		return faults
	}
	var some []fault
	for name := range strings.SplitSeq(flags.faults, ",") {
		i := slices.IndexFunc(faults, func(f fault) bool { return f.name == name })
		if i < 0 {
			t.Fatalf("no fault is called %q", name)
		}
		some = append(some, faults[i])
	}
	return some
}
