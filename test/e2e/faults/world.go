package faults

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"lyceum/test/kit/pgtest"
)

// world consists of two servers on one database.
type world struct {
	t       testing.TB
	program string
	next    string // the program of the next release; blank unless a fault needs it
	seed    uint64
	name    string   // name of the round
	env     []string // environment of commands, which use the database without a proxy
	servers []*server
	db      *pgtest.Cluster // the primary; nil: another package runs the database
}

// newWorld starts a database and two servers, which stop at the end of the test.
func newWorld(t testing.TB, program string, seed uint64) *world {
	t.Helper()
	w := &world{t: t, program: program, seed: seed, db: pgtest.NewCluster(t)}
	w.startServers("LYCEUM_DATABASE_URL=" + address(w.db.Addr()))
	return w
}

// startServers migrates the database and starts two servers, which stop at the end of the test.
// env contains the variables with the URL of the database.
func (w *world) startServers(env ...string) {
	w.t.Helper()
	dir := w.t.TempDir()
	w.setEnvironment(dir, env)
	ctx := w.t.Context()
	if _, err := w.command(ctx, "migrate"); err != nil {
		w.t.Fatal(err)
	}
	for i := range 2 {
		s, err := w.newServer(ctx, dir, i)
		if err == nil {
			err = s.restart(ctx)
		}
		if err != nil {
			w.t.Fatal(err)
		}
	}
}

// setEnvironment sets the environment of commands. They store files in dir.
func (w *world) setEnvironment(dir string, env []string) {
	w.env = nil
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "LYCEUM_") {
			w.env = append(w.env, variable)
		}
	}
	w.env = append(w.env, "LYCEUM_STORE=postgres", "LYCEUM_FILES_SECRET=a secret of more than 32 characters",
		"LYCEUM_FILES_DIR="+filepath.Join(dir, "files"), "LYCEUM_LOG_CLIENTS=false")
	w.env = append(w.env, env...)
}

func address(host string) string { return "postgres://postgres@" + host + "/postgres?sslmode=disable" }

func (w *world) newServer(ctx context.Context, dir string, i int) (*server, error) {
	addr, err := free(ctx)
	if err != nil {
		return nil, err
	}
	metrics, err := free(ctx)
	if err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(dir, "server-"+strconv.Itoa(i)+".log"))
	if err != nil {
		return nil, err
	}
	s := &server{program: w.program, addr: addr, url: "http://" + addr, metrics: "http://" + metrics + "/metrics", log: log}
	s.env = append(w.env[:len(w.env):len(w.env)], "LYCEUM_METRICS_ADDR="+metrics,
		"LYCEUM_BASE_URL=https://school.example", "LYCEUM_WORKER_POLL=1s", "LYCEUM_SHUTDOWN_DELAY=200ms")
	if w.db != nil {
		if s.proxy, err = newProxy(w.db.Addr()); err != nil {
			return nil, err
		}
		s.env = append(s.env, "LYCEUM_DATABASE_URL="+address(s.proxy.addr))
	}
	w.servers = append(w.servers, s)
	w.t.Cleanup(func() {
		s.kill()
		if s.proxy != nil {
			s.proxy.stop()
		}
		_ = log.Close()
		if w.t.Failed() {
			w.t.Logf("errors in the log of server %d:\n%s", i, tail(log.Name()))
		}
	})
	return s, nil
}

// tail returns the last lines of a log that have the level ERROR.
func tail(name string) string {
	const some = 25
	content, err := os.ReadFile(name)
	if err != nil {
		return err.Error()
	}
	var lines []string
	for line := range strings.Lines(string(content)) {
		if strings.Contains(line, "level=ERROR") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines[max(0, len(lines)-some):], "")
}

// command runs a command of the program and returns its output.
func (w *world) command(ctx context.Context, args ...string) (string, error) {
	var out, complaints bytes.Buffer
	cmd := exec.CommandContext(ctx, w.program, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = w.env, &out, &complaints
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("lyceum %s: %w: %s", strings.Join(args, " "), err, complaints.Bytes())
	}
	return strings.TrimSpace(out.String()), nil
}

// rng returns the random number generator of a client in the round.
func (w *world) rng(client int) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(w.name))
	return rand.New(rand.NewPCG(w.seed^h.Sum64(), uint64(client)))
}

// setProxies sets the mode of all proxies.
func (w *world) setProxies(m mode) {
	for _, s := range w.servers {
		s.proxy.set(m)
	}
}

// ready waits until all servers are ready.
func (w *world) ready(ctx context.Context) error {
	var errs []error
	for _, s := range w.servers {
		errs = append(errs, s.ready(ctx))
	}
	return errors.Join(errs...)
}
