package cli

import (
	"encoding/json"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/test/kit/pgtest"
)

// A server that is killed while it has a leased job, and then restarts, must continue the job long
// before the lease expires. A second process with the same name must not take over leases while the
// server runs.
func TestRestartReleasesLeases(t *testing.T) {
	is := is.New(t)
	dsn := pgtest.Fresh(t)
	env := onPostgres(t, dsn)
	must(t, env, "migrate")
	key := must(t, env, "key", "create", "--name=tests", "--school", must(t, env, "school", "create", "--name=Acme"))
	db := database(t, dsn)
	front := start(t, env, "serve", free, "--worker.count=0").line(t, greeting)

	// The job runs as long as the table slow has a row, so that the server dies while it holds the
	// lease. A lock would not work, because jobs do not wait for locks.
	_, err := db.ExecContext(t.Context(), `CREATE TABLE slow AS SELECT 1 AS one;
		CREATE FUNCTION wait_while_slow() RETURNS trigger LANGUAGE plpgsql AS
			'BEGIN WHILE EXISTS (SELECT FROM slow) LOOP PERFORM pg_sleep(0.05); END LOOP; RETURN NULL; END';
		CREATE TRIGGER slow BEFORE INSERT ON people EXECUTE FUNCTION wait_while_slow()`)
	is.NoErr(err)
	run := func() *exec.Cmd {
		cmd, _ := launch(t, "serve", free, "--store=postgres", "--database.url="+dsn, "--files.dir="+env["LYCEUM_FILES_DIR"], "--worker.poll=50ms", "--server.name=one",
			"--database.statement-timeout=5m")
		return cmd
	}
	leased := func() (attempts int, name string) {
		err := db.QueryRowContext(t.Context(), `SELECT coalesce(max(attempts), 0), coalesce(max(leased_by), '') FROM jobs
			WHERE kind = 'bulk' AND state = 'leased' AND run_at > now() + interval '1 minute'`).Scan(&attempts, &name)
		is.NoErr(err)
		return attempts, name
	}
	sessions := func() (n int) {
		err := db.QueryRowContext(t.Context(), `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock'
			AND objid = hashtextextended('lyceum server one', 0) & 4294967295`).Scan(&n)
		is.NoErr(err)
		return n
	}
	first := run()
	eventually(t, func() bool { return sessions() == 1 })
	status, _, err := post(t.Context(), front+"/v1/groups", key, `{"data":{"type":"groups","attributes":{"name":"All"}}}`)
	is.NoErr(err)
	is.Equal(status, http.StatusCreated)
	status, answer, err := post(t.Context(), front+"/v1/bulk/people", key, manyPeople(3, 10))
	is.NoErr(err)
	is.Equal(status, http.StatusAccepted)
	eventually(t, func() bool { n, name := leased(); return n == 1 && name == "one" })

	second := run() // started by mistake with the same name
	eventually(t, func() bool { return sessions() == 2 })
	time.Sleep(5 * time.Second) // longer than a server waits before it releases earlier leases
	attempts, _ := leased()
	is.Equal(attempts, 1)
	for _, cmd := range []*exec.Cmd{second, first} {
		is.NoErr(cmd.Process.Kill())
		_ = cmd.Wait()
	}
	eventually(t, func() bool { return sessions() == 0 })
	attempts, _ = leased()
	is.Equal(attempts, 1) // the killed server still has the lease

	again := run()
	eventually(t, func() bool { n, _ := leased(); return n == 2 })
	_, err = db.ExecContext(t.Context(), `DELETE FROM slow`)
	is.NoErr(err)
	var accepted struct {
		Data struct{ Links struct{ Self string } }
	}
	is.NoErr(json.Unmarshal([]byte(answer), &accepted))
	eventually(t, func() bool {
		_, shown, err := get(t.Context(), accepted.Data.Links.Self, key)
		return err == nil && strings.Contains(shown, `"status":"completed"`)
	})
	is.NoErr(again.Process.Kill())
	_ = again.Wait()
}
