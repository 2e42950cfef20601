package replicas_test

import (
	"database/sql"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	_ "github.com/lib/pq"
	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/app"
	"lyceum/app/transfer"
	"lyceum/cmd/server"
	"lyceum/domain/school"
	"lyceum/test/kit/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// maxAge is the maximum age of the state of replicas in the tests.
const maxAge = 2 * time.Second

// world is a server with the demo school on a primary with two replicas.
type world struct {
	t         *testing.T
	url       string
	app       *app.App
	otherKey  string // a key that never writes
	primary   *pgtest.Cluster
	replicas  [2]*pgtest.Cluster
	databases []*sql.DB // the primary, then the replicas
}

func newWorld(t *testing.T) *world {
	t.Helper()
	is := is.New(t)
	w := &world{t: t, primary: pgtest.NewFastCluster(t)}
	cfg := server.Defaults()
	cfg.Transport.Addr, cfg.Store, cfg.Files.Dir = "127.0.0.1:0", server.Postgres, t.TempDir()
	cfg.Postgres.DSN, cfg.Postgres.MigrateAtStart, cfg.Postgres.ReplicaAge = w.primary.DSN(), true, maxAge
	w.open(w.primary)
	for i := range w.replicas {
		var err error
		w.replicas[i], err = w.primary.Replica(t)
		is.NoErr(err)
		cfg.Postgres.ReplicaDSNs = append(cfg.Postgres.ReplicaDSNs, w.replicas[i].DSN())
		w.open(w.replicas[i])
	}
	s, err := server.New(cfg)
	is.NoErr(err)
	_, err = s.App().Transfers.ImportNew(t.Context(), transfer.Import{Open: demo.School})
	is.NoErr(err)
	is.NoErr(s.Start(t.Context()))
	t.Cleanup(func() { is.NoErr(s.Stop()) })
	w.url, w.app = s.URL(), s.App()
	k, err := s.App().Auth.Authenticate(t.Context(), demo.Key)
	is.NoErr(err)
	_, w.otherKey, err = s.App().Provision.CreateKey(t.Context(), k.School(), school.KeyParams{Name: "other", Scope: school.Admin})
	is.NoErr(err)
	return w
}

func (w *world) open(c *pgtest.Cluster) {
	w.t.Helper()
	db, err := sql.Open("postgres", c.DSN())
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = db.Close() })
	w.databases = append(w.databases, db)
}

// answer is a response.
type answer struct {
	status int
	age    time.Duration // negative: the primary served the request
	body   string
}

// send sends a request. stale adds Cache-Control: max-stale.
func (w *world) send(method, path, key, body string, stale bool) answer {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), method, w.url+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("X-Api-Key", key)
	if stale {
		req.Header.Set("Cache-Control", "max-stale")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	a := answer{resp.StatusCode, -1, string(text)}
	if age := resp.Header.Get("Age"); age != "" {
		seconds, err := strconv.Atoi(age)
		if err != nil {
			w.t.Fatal(err)
		}
		a.age = time.Duration(seconds) * time.Second
	}
	return a
}

// stale requests a list that a replica may serve, with the key that never writes.
func (w *world) stale(path string) answer { return w.send(http.MethodGet, path, w.otherKey, "", true) }

// create creates a category with the key of the demo school.
func (w *world) create(name string) {
	w.t.Helper()
	a := w.send(http.MethodPost, "/v2/categories", demo.Key, `{"data":{"type":"categories","attributes":{"name":"`+name+`"}}}`, false)
	if a.status != http.StatusCreated {
		w.t.Fatal(a)
	}
}

// on executes a statement on a replica.
func (w *world) on(i int, statement string) {
	w.t.Helper()
	if _, err := w.databases[1+i].ExecContext(w.t.Context(), statement); err != nil {
		w.t.Fatal(err)
	}
}

// waitFor waits until done returns true, at most for 20 seconds.
func (w *world) waitFor(what string, done func() bool) {
	w.t.Helper()
	for end := time.Now().Add(20 * time.Second); !done(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("%s: not within 20 seconds", what)
		}
	}
}

// transactions returns how many transactions each database has ended.
func (w *world) transactions() (all [3]int) {
	w.t.Helper()
	for i, db := range w.databases {
		if err := db.QueryRowContext(w.t.Context(), `SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = 'postgres'`).Scan(&all[i]); err != nil {
			w.t.Fatal(err)
		}
	}
	return all
}
