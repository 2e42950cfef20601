package cluster_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	_ "github.com/lib/pq"
)

// The addresses and passwords in docs/deploy/cluster.
const (
	adminURL  = "postgres://postgres:change-me-1@127.0.0.1:5000/postgres?sslmode=disable&connect_timeout=2"
	directURL = "postgres://lyceum:change-me-3@127.0.0.1:5000/lyceum?sslmode=disable"
	pooledURL = "postgres://lyceum:change-me-3@127.0.0.1:6432/lyceum?sslmode=disable"
)

// nodes is a running cluster.
type nodes struct {
	t   *testing.T
	all []*node
}

// newNodes starts a cluster, HAProxy and PgBouncer.
func newNodes(t *testing.T) *nodes {
	t.Helper()
	dir, err := os.MkdirTemp("", "lyceum-cluster-") //lint:ignore usetesting the user postgres must be able to enter the directory
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	isolate(t, dir)
	c := &nodes{t: t}
	t.Cleanup(func() {
		for _, n := range c.all {
			n.signal(9)
			_ = n.holder.Kill()
		}
		if !t.Failed() {
			_ = os.RemoveAll(dir)
		}
	})
	for i := range 3 {
		c.all = append(c.all, newNode(t, dir, i+1))
	}
	for _, n := range c.all {
		n.start()
	}
	config, err := filepath.Abs(folder)
	if err != nil {
		t.Fatal(err)
	}
	launch(t, dir, "haproxy.log", nil, "haproxy", "-db", "-f", filepath.Join(config, "haproxy.cfg"))
	c.await(t.Context())
	c.execute(`CREATE ROLE lyceum LOGIN PASSWORD 'change-me-3'`, `CREATE DATABASE lyceum OWNER lyceum`, `CREATE TABLE probes (at timestamptz)`)
	c.startPgBouncer(dir)
	return c
}

func (c *nodes) startPgBouncer(dir string) {
	users := filepath.Join(dir, "userlist.txt")
	if err := os.WriteFile(users, []byte(`"lyceum" "change-me-3"`+"\n"), 0o644); err != nil {
		c.t.Fatal(err)
	}
	// A later value of a setting takes precedence.
	config := filepath.Join(dir, "pgbouncer.ini")
	if err := os.WriteFile(config, []byte(read(c.t, folder+"pgbouncer.ini")+"auth_file = "+users+"\n"), 0o644); err != nil {
		c.t.Fatal(err)
	}
	launch(c.t, dir, "pgbouncer.log", nil, append(asPostgres(c.t), "pgbouncer", config)...)
}

// execute executes statements on the primary.
func (c *nodes) execute(statements ...string) {
	c.t.Helper()
	db, err := sql.Open("postgres", adminURL)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for _, s := range statements {
		if _, err := db.ExecContext(c.t.Context(), s); err != nil {
			c.t.Fatalf("%s: %v", s, err)
		}
	}
}

// member is a member of the cluster as Patroni reports it.
type member struct {
	Name, Role, State string
	Timeline          int
}

// members returns the members that the node reports.
func (n *node) members(ctx context.Context) ([]member, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+n.name+":8008/cluster", nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	var answer struct{ Members []member }
	err = json.NewDecoder(resp.Body).Decode(&answer)
	return answer.Members, err
}

// await waits until all nodes run and agree that one of them leads and one is synchronous, and
// returns the primary.
func (c *nodes) await(ctx context.Context) *node {
	c.t.Helper()
	var last error
	for end := time.Now().Add(3 * time.Minute); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		var primary *node
		if primary, last = c.healthy(ctx); last == nil {
			return primary
		}
	}
	c.t.Fatalf("the cluster is not healthy after three minutes: %v", last)
	return nil
}

func (c *nodes) healthy(ctx context.Context) (*node, error) {
	var primary *node
	for _, n := range c.all {
		members, err := n.members(ctx)
		if err != nil {
			return nil, err
		}
		roles, running := map[string]string{}, 0
		for _, m := range members {
			roles[m.Role] = m.Name
			if m.State == "running" || m.State == "streaming" {
				running++
			}
		}
		if running != len(c.all) || roles["leader"] == "" || roles["sync_standby"] == "" {
			return nil, fmt.Errorf("%s reports %+v", n.name, members)
		}
		for _, one := range c.all {
			if one.name == roles["leader"] {
				if primary != nil && primary != one {
					return nil, errors.New("the nodes do not agree")
				}
				primary = one
			}
		}
	}
	return primary, nil
}
