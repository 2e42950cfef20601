package cluster_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	"lyceum/test/e2e/faults"
)

var flags struct {
	program          string
	seed             uint64
	duration, settle time.Duration
}

func init() {
	flag.StringVar(&flags.program, "program", "", "the program; default: the tests are skipped")
	flag.Uint64Var(&flags.seed, "seed", 1, "seed of the random choices of clients")
	flag.DurationVar(&flags.duration, "duration", 15*time.Second, "how long clients write, in addition to the time of faults")
	flag.DurationVar(&flags.settle, "settle", 5*time.Minute, "how long jobs may take afterwards")
}

// resume is the maximum time in which a server must write again after the database does.
const resume = 5 * time.Second

// fault is a way in which the primary fails and returns.
type fault struct {
	name         string
	strike, heal func(n *node)
}

var (
	kill   = fault{"kill", (*node).kill, (*node).start}
	freeze = fault{"freeze", func(n *node) { n.signal(syscall.SIGSTOP) }, func(n *node) { n.signal(syscall.SIGCONT) }}
	cutOff = fault{"cut-off", func(n *node) { n.connect(false) }, func(n *node) { n.connect(true) }}
)

func TestCluster(t *testing.T) {
	if flags.program == "" {
		t.Skip("takes minutes and needs root: make test-cluster")
	}
	c := newNodes(t)
	t.Run("directly", func(t *testing.T) {
		c.rounds(t, []fault{kill, freeze, cutOff}, "LYCEUM_DATABASE_URL="+directURL)
	})
	t.Run("through PgBouncer", func(t *testing.T) {
		c.execute(`ALTER ROLE lyceum SET statement_timeout = '15s'`, `ALTER ROLE lyceum SET idle_in_transaction_session_timeout = '60s'`,
			`ALTER ROLE lyceum SET jit = off`)
		c.rounds(t, []fault{kill}, "LYCEUM_DATABASE_URL="+pooledURL, "LYCEUM_DATABASE_POOLER=transaction", "LYCEUM_DATABASE_DIRECT_URL="+directURL)
	})
}

// rounds runs a round with each fault on new servers.
func (c *nodes) rounds(t *testing.T, all []fault, env ...string) {
	t.Helper()
	r := faults.NewRounds(t, flags.program, flags.seed, append(env, "LYCEUM_STORE=postgres")...)
	_, _ = fmt.Fprintln(os.Stdout, faults.Header+"  database  servers")
	for _, f := range all {
		began := time.Now()
		name := t.Name()[len("TestCluster/"):] + ": " + f.name
		var database, servers time.Duration
		y, err := r.Run(t.Context(), name, func(ctx context.Context) (err error) {
			database, servers, err = c.strike(ctx, t, r, f)
			return err
		}, flags.duration, flags.settle)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		_, _ = fmt.Fprintf(os.Stdout, "%s %9.1f %8.1f\n", y.Line(f.name, time.Since(began)), database.Seconds(), servers.Seconds())
		if len(y.Violations) > 0 {
			t.Errorf("%s, seed %d:\n%s", name, flags.seed, faults.Report(y.Violations))
		}
		if y.Acknowledged == 0 {
			t.Errorf("%s: no write was acknowledged", name)
		}
	}
}

// strike makes the primary fail and return. It returns how long the database and the servers
// accepted no writes.
func (c *nodes) strike(ctx context.Context, t *testing.T, r *faults.Rounds, f fault) (database, servers time.Duration, err error) {
	t.Helper()
	school, err := r.Command(ctx, "school", "create", "--name", "Watch "+t.Name()+" "+f.name)
	if err != nil {
		return 0, 0, err
	}
	key, err := r.Command(ctx, "key", "create", "--school", school, "--name", "watch")
	if err != nil {
		return 0, 0, err
	}
	watching, end := context.WithCancel(ctx)
	defer end()
	primary := c.await(ctx)
	w := newWatch(watching, t, r, key)
	time.Sleep(2 * time.Second)
	f.strike(primary)
	at := time.Now()
	database, servers, err = w.recovered(ctx, at)
	if err != nil {
		return 0, 0, err
	}
	time.Sleep(2 * resume) // the servers write without a fault for a while
	f.heal(primary)
	if leader := c.await(ctx); leader == primary {
		t.Errorf("%s: the cluster chose no other primary", f.name)
	}
	if servers > database+resume {
		t.Errorf("%s: the database accepted writes after %s, the servers after %s", f.name, database, servers)
	}
	for _, bad := range w.falsehoods(at, max(database, servers)) {
		t.Errorf("%s: %s", f.name, bad)
	}
	return database, servers, nil
}
