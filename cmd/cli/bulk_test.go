package cli

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/lib/pq"
	"github.com/matryer/is"
	"lyceum/test/kit/pgtest"
)

// A server is killed during a bulk request. Another server continues the request, and the killed
// server restarts. Every row must be applied once, and every person must be invited once.
func TestBulkRequestSurvivesKilledServer(t *testing.T) {
	is := is.New(t)
	const rows, everyDouble = 2000, 10
	dsn := pgtest.Exclusive(t)
	env := onPostgres(t, dsn)
	key := must(t, env, "key", "create", "--name=tests", "--school", must(t, env, "school", "create", "--name=Acme"))
	db := database(t, dsn)

	// The server front accepts requests and runs no jobs. Invitations are not delivered, because
	// these servers have no mail server.
	front := start(t, env, "serve", free, "--worker.count=0").line(t, greeting)
	status, _, err := post(t.Context(), front+"/v1/groups", key, `{"data":{"type":"groups","attributes":{"name":"All"}}}`)
	is.NoErr(err)
	is.Equal(status, http.StatusCreated)
	status, answer, err := post(t.Context(), front+"/v1/bulk/people", key, manyPeople(rows, everyDouble))
	is.NoErr(err)
	is.Equal(status, http.StatusAccepted)
	var accepted struct {
		Data struct{ Links struct{ Self string } }
	}
	is.NoErr(json.Unmarshal([]byte(answer), &accepted))
	done := func() (rows int, status string) {
		_, answer, err := get(t.Context(), accepted.Data.Links.Self, key)
		is.NoErr(err)
		var shown struct {
			Data struct {
				Attributes struct {
					Status     string
					RowsDone   int `json:"rows_done"`
					RowsFailed int `json:"rows_failed"`
				}
			}
		}
		is.NoErr(json.Unmarshal([]byte(answer), &shown))
		is.Equal(shown.Data.Attributes.RowsFailed, 0)
		return shown.Data.Attributes.RowsDone, shown.Data.Attributes.Status
	}

	work := func() *exec.Cmd {
		cmd, _ := launch(t, "serve", free, "--store=postgres", "--database.url="+dsn, "--files.dir="+env["LYCEUM_FILES_DIR"], "--worker.poll=50ms",
			"--mail.mode=smtp", "--mail.from=a@school.example", "--mail.host=127.0.0.1", "--mail.port=1")
		return cmd
	}
	first := work()
	eventually(t, func() bool { n, _ := done(); return n >= rows/10 }) // the first server has applied rows
	is.NoErr(first.Process.Kill())
	_ = first.Wait()
	before, state := done()
	is.Equal(state, "running") // not completed yet

	second, again := work(), work()
	eventually(t, func() bool { n, _ := done(); return n > before }) // the other servers have applied rows
	// Let the leases of the killed server expire now.
	_, err = db.ExecContext(t.Context(), `UPDATE jobs SET run_at = now() WHERE kind = 'bulk' AND state = 'leased'`)
	is.NoErr(err)
	eventually(t, func() bool { _, state := done(); return state == "completed" })
	for _, cmd := range []*exec.Cmd{second, again} {
		is.NoErr(cmd.Process.Kill())
		_ = cmd.Wait()
	}

	const people = rows - rows/everyDouble
	for statement, want := range map[string]int{
		`SELECT count(*) FROM people`:                                        people,
		`SELECT count(*) FROM memberships`:                                   people,
		`SELECT group_count FROM people ORDER BY group_count DESC LIMIT 1`:   1,
		`SELECT count(*) FROM jobs WHERE kind = 'invitation'`:                people,
		`SELECT count(DISTINCT payload) FROM jobs WHERE kind = 'invitation'`: people,
		`SELECT sum(rows_done) FROM bulk_parts`:                              rows,
		`SELECT count(*) FROM bulk_parts WHERE rows IS NOT NULL`:             0, // finished parts keep no rows
	} {
		var got int
		is.NoErr(db.QueryRowContext(t.Context(), statement).Scan(&got))
		is.Equal(got, want) // the result of statement
	}
}

// manyPeople returns a bulk request with the given number of rows. Every n-th row repeats an
// earlier email address.
func manyPeople(rows, n int) string {
	lines := make([]string, rows)
	for i := range lines {
		who := i
		if i%n == n-1 {
			who = i / 2 / n * n
		}
		lines[i] = fmt.Sprintf(`{"email":"p%d@example.test","groups":["all"]}`, who)
	}
	return `{"data":{"type":"people","attributes":{"people":[` + strings.Join(lines, ",") + `]}}}`
}

// database returns a connection to the database.
func database(t *testing.T, dsn string) *sql.DB {
	t.Helper()
	c, err := pq.NewConnector(dsn)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(c)
	db.SetConnMaxIdleTime(time.Second)
	t.Cleanup(func() { _ = db.Close() })
	return db
}
