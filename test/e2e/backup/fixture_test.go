package backup_test

import (
	"database/sql"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	_ "github.com/lib/pq"
	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/app"
	"lyceum/app/learning"
	"lyceum/app/transfer"
	"lyceum/cmd/server"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/test/kit"
	"lyceum/test/kit/pgtest"
)

// recipe returns the shell commands of docs/operations/backup.md about backups, by block.
func recipe(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/operations/backup.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Back up and restore everything\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var blocks []string
	for _, m := range regexp.MustCompile("(?s)\n```sh\n(.*?)```").FindAllStringSubmatch(section, -1) {
		blocks = append(blocks, m[1])
	}
	return blocks
}

// newCluster starts a PostgreSQL server that archives its changes with pgBackRest.
func newCluster(t *testing.T) *pgtest.Cluster {
	t.Helper()
	repo, work := folder(t), folder(t)
	if err := os.WriteFile(filepath.Join(work, "pgbackrest.conf"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"CONFIG": filepath.Join(work, "pgbackrest.conf"), "REPO1_PATH": repo, "REPO1_RETENTION_FULL": "2", "LOG_PATH": work, "LOCK_PATH": work,
		"SPOOL_PATH": work, "LOG_LEVEL_CONSOLE": "warn", "PG1_USER": "postgres", "START_FAST": "y",
	} {
		t.Setenv("PGBACKREST_"+name, value)
	}
	c := pgtest.NewCluster(t)
	_, port, err := net.SplitHostPort(c.Addr())
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"PATH": c.Data(), "PORT": port, "SOCKET_PATH": c.Socket()} {
		t.Setenv("PGBACKREST_PG1_"+name, value)
	}
	execute(t, c.DSN(), `ALTER SYSTEM SET archive_mode = on`)
	execute(t, c.DSN(), `ALTER SYSTEM SET archive_command = 'pgbackrest --stanza=lyceum archive-push %p'`)
	c.Stop()
	if err := c.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c
}

// psqlVariables returns the variables with which psql connects to c.
func psqlVariables(c *pgtest.Cluster) []string {
	_, port, _ := net.SplitHostPort(c.Addr()) // the address has a port
	return []string{"PGHOST=" + c.Socket(), "PGPORT=" + port, "PGUSER=postgres", "PGDATABASE=postgres"}
}

// folder returns a directory that every user can change.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "lyceum-backup-") //lint:ignore usetesting other users must be able to enter the directory
	if err == nil {
		err = os.Chmod(dir, 0o777)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// allowReading lets every user read the files below dir.
func allowReading(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return os.Chmod(path, 0o777)
		}
		return os.Chmod(path, 0o666)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// start starts a server of Lyceum.
func start(t *testing.T, dsn, files string) *server.Server {
	t.Helper()
	cfg := server.Defaults()
	cfg.Transport.Addr, cfg.Store, cfg.Postgres.DSN, cfg.Files.Dir = "127.0.0.1:0", server.Postgres, dsn, files
	cfg.Postgres.MigrateAtStart = true
	s, err := server.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// load imports the demo school.
func load(t *testing.T, s *server.Server) {
	t.Helper()
	if _, err := s.App().Transfers.ImportNew(t.Context(), transfer.Import{Open: demo.School}); err != nil {
		t.Fatal(err)
	}
}

// export returns the export of the demo school.
func export(t *testing.T, s *server.Server) string {
	t.Helper()
	return send(t, s, http.MethodGet, "/v2/export", "", http.StatusOK)
}

// createCategory creates a category in the demo school.
func createCategory(t *testing.T, s *server.Server, name string) {
	t.Helper()
	send(t, s, http.MethodPost, "/v2/categories", `{"data":{"type":"categories","attributes":{"name":"`+name+`"}}}`, http.StatusCreated)
}

// submitted is a submission to the demo school.
type submitted struct{ person, id string }

// submit submits a file for one of the people without a role, after skip others.
func submit(t *testing.T, s *server.Server, skip int) submitted {
	t.Helper()
	is, ctx, a := is.New(t), t.Context(), app.SystemActor(demo.SchoolID)
	everything := query.Query{Page: query.AllRows()}
	people, err := s.App().People.List(ctx, a, everything)
	is.NoErr(err)
	learners := slices.DeleteFunc(people.Items, func(p person.Summary) bool { return len(p.Partnerships) > 0 })
	p := learners[skip].ID
	activities, err := s.App().Activities.List(ctx, a, everything)
	is.NoErr(err)
	i := slices.IndexFunc(activities.Items, func(one activity.State) bool { return one.Content.Assignment != assignment.ID{} })
	to := activities.Items[i]
	is.NoErr(s.App().Enrollments.Enroll(ctx, a, p, []app.CourseRole{{Course: to.Course, Role: enrollment.Learner}}))
	made, err := kit.NewLearning(s.App()).Submit(ctx, a, p, to.ID, learning.Upload{Name: "a.txt", Bytes: strings.NewReader("an essay")})
	is.NoErr(err)
	return submitted{p.String(), made.ID.String()}
}

// stored reports whether files.dir has the file of the submission.
func (s submitted) stored(files string) bool {
	found, err := filepath.Glob(filepath.Join(files, "submissions", "*", s.id+".file"))
	return err == nil && len(found) == 1
}

// nextChanges returns the path of the second page of the change feed.
func nextChanges(t *testing.T, s *server.Server) string {
	t.Helper()
	var page struct{ Links struct{ Next string } }
	if err := json.Unmarshal([]byte(send(t, s, http.MethodGet, "/v2/changes?limit=1", "", http.StatusOK)), &page); err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(page.Links.Next, s.URL())
}

// send sends a request with the key of the demo school and returns the body of the response, whose
// status must be want.
func send(t *testing.T, s *server.Server, method, path, body string, want int) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, s.URL()+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Api-Key", demo.Key)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != want {
		t.Fatalf("%s %s: %s: %s", method, path, response.Status, text)
	}
	return string(text)
}

func execute(t *testing.T, dsn, statement string) {
	t.Helper()
	db, err := sql.Open("postgres", dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

// archive waits until all changes so far are archived.
func archive(t *testing.T, dsn string) {
	t.Helper()
	db, err := sql.Open("postgres", dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	var segment string
	if err := db.QueryRowContext(t.Context(), `SELECT pg_walfile_name(pg_switch_wal())`).Scan(&segment); err != nil {
		t.Fatal(err)
	}
	waitFor(t, dsn, `SELECT last_archived_wal >= '`+segment+`' FROM pg_stat_archiver`)
}

// waitForPrimary waits until the server accepts writes.
func waitForPrimary(t *testing.T, dsn string) {
	t.Helper()
	waitFor(t, dsn, `SELECT NOT pg_is_in_recovery()`)
}

// waitFor waits until a query returns true, at most for a minute.
func waitFor(t *testing.T, dsn, query string) {
	t.Helper()
	db, err := sql.Open("postgres", dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		var done sql.NullBool
		if err := db.QueryRowContext(t.Context(), query).Scan(&done); err == nil && done.Bool {
			return
		}
	}
	t.Fatalf("not true within a minute: %s", query)
}
