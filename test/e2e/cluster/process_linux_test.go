package cluster_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// folder contains the configuration files of the cluster.
const folder = "../../../docs/deploy/cluster/"

// run runs a command.
func run(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v: %s", name, args, err, out)
	}
}

// launch starts a program in a directory that writes to a log there. It ends with the namespaces of
// the test.
func launch(t *testing.T, dir, log string, env []string, args ...string) {
	t.Helper()
	out, err := os.OpenFile(filepath.Join(dir, log), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = out.Close() }()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.Env = dir, out, out, append(os.Environ(), env...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { _ = cmd.Wait() }()
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// asPostgres returns the command that runs a program as the user postgres.
func asPostgres(t *testing.T) []string {
	t.Helper()
	return []string{"setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"}
}

// programs returns the directory of the programs of PostgreSQL.
func programs(t *testing.T) string {
	t.Helper()
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err != nil || len(found) == 0 {
		t.Fatal("install PostgreSQL (Debian: apt-get install postgresql)")
	}
	return found[len(found)-1]
}

// isolate builds the network of the test and names the nodes, both visible only in the namespaces
// of the test.
func isolate(t *testing.T, dir string) {
	t.Helper()
	if all, err := net.Interfaces(); err != nil || len(all) > 1 || os.Getpid() > 100 {
		t.Fatal("needs namespaces of its own: make test-cluster")
	}
	for _, args := range [][]string{
		{"link", "set", "lo", "up"},
		{"link", "add", "bridge", "type", "bridge"},
		{"addr", "add", "10.0.0.254/24", "dev", "bridge"},
		{"link", "set", "bridge", "up"},
	} {
		run(t, "ip", args...)
	}
	hosts := filepath.Join(dir, "hosts")
	if err := os.WriteFile(hosts, []byte("127.0.0.1 localhost\n10.0.0.1 db1\n10.0.0.2 db2\n10.0.0.3 db3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount(hosts, "/etc/hosts", "", syscall.MS_BIND, ""); err != nil {
		t.Fatal(err)
	}
}
