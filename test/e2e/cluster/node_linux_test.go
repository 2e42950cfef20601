package cluster_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// node is a machine of the cluster: a network namespace with etcd, Patroni and PostgreSQL.
type node struct {
	t      *testing.T
	name   string
	dir    string // of all its files
	port   string // the end of its cable at the bridge
	holder *os.Process
}

// newNode creates the namespace of a node with a network address, and its configuration files.
func newNode(t *testing.T, dir string, number int) *node {
	t.Helper()
	n := &node{t: t, name: fmt.Sprintf("db%d", number), port: fmt.Sprintf("port%d", number)}
	n.dir = filepath.Join(dir, n.name)
	if err := os.Mkdir(n.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	holder := exec.Command("unshare", "--net", "sleep", "infinity")
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	n.holder = holder.Process
	for n.namespace(n.holder.Pid) == n.namespace(os.Getpid()) {
		time.Sleep(10 * time.Millisecond)
	}
	run(t, "ip", "link", "add", n.port, "type", "veth", "peer", "name", "eth0", "netns", strconv.Itoa(n.holder.Pid))
	run(t, "ip", "link", "set", n.port, "master", "bridge", "up")
	for _, command := range []string{"link set lo up", fmt.Sprintf("addr add 10.0.0.%d/24 dev eth0", number), "link set eth0 up"} {
		run(t, "nsenter", append([]string{"--net", "--target", strconv.Itoa(n.holder.Pid), "ip"}, strings.Fields(command)...)...)
	}
	n.configure("etcd.env")
	n.configure("patroni.yaml")
	run(t, "chown", "-R", "postgres:", n.dir)
	return n
}

// configure copies a configuration file as its comment says. The directories of the machine become
// those of the node.
func (n *node) configure(file string) {
	n.t.Helper()
	text := strings.NewReplacer("NODE", n.name, "/var/lib/etcd/lyceum", n.dir+"/etcd", "/var/lib/postgresql/15/lyceum", n.dir+"/data",
		"/var/run/postgresql", n.dir, "/usr/lib/postgresql/15/bin", programs(n.t)).Replace(read(n.t, folder+file))
	if err := os.WriteFile(filepath.Join(n.dir, file), []byte(text), 0o600); err != nil {
		n.t.Fatal(err)
	}
}

// start starts etcd and Patroni, which starts PostgreSQL.
func (n *node) start() {
	n.t.Helper()
	var env []string
	for line := range strings.Lines(read(n.t, filepath.Join(n.dir, "etcd.env"))) {
		if strings.HasPrefix(line, "ETCD_") {
			env = append(env, strings.TrimSpace(line))
		}
	}
	enter := append([]string{"nsenter", "--net", "--target", strconv.Itoa(n.holder.Pid)}, asPostgres(n.t)...)
	launch(n.t, n.dir, "etcd.log", env, append(enter, "etcd")...)
	launch(n.t, n.dir, "patroni.log", []string{"HOME=" + n.dir, "PYTHONUNBUFFERED=1"}, append(enter, "patroni", "patroni.yaml")...)
}

// namespace returns the network namespace of a process; blank if the process has ended.
func (n *node) namespace(process int) string {
	name, _ := os.Readlink(fmt.Sprintf("/proc/%d/ns/net", process)) // the process may have ended
	return name
}

// processes returns the processes of the node.
func (n *node) processes() []int {
	var all []int
	entries, err := os.ReadDir("/proc")
	if err != nil {
		n.t.Fatal(err)
	}
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil && pid != n.holder.Pid && n.namespace(pid) == n.namespace(n.holder.Pid) {
			all = append(all, pid)
		}
	}
	return all
}

// signal sends a signal to all processes of the node and returns their number.
func (n *node) signal(s syscall.Signal) int {
	all := n.processes()
	for _, pid := range all {
		_ = syscall.Kill(pid, s) // it may have ended
	}
	return len(all)
}

// kill kills all processes of the node.
func (n *node) kill() {
	for n.signal(syscall.SIGKILL) > 0 {
		time.Sleep(5 * time.Millisecond)
	}
}

// connect connects the node to the network, or cuts it off.
func (n *node) connect(on bool) {
	state := "down"
	if on {
		state = "up"
	}
	run(n.t, "ip", "link", "set", n.port, state)
}
