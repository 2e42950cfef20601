package faults

import (
	"bytes"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "github.com/lib/pq"
	"github.com/matryer/is"
)

// learnerCount is the number of learners of the course that TestRemovalSurvivesKill removes.
const learnerCount = 3000

// TestRemovalSurvivesKill kills a server during the removal of a course with many learners. Clients
// must not see the course, its learners must be able to write on another server, and the job must
// complete after the restart.
func TestRemovalSurvivesKill(t *testing.T) {
	if flags.faults == "" {
		t.Skip("builds the program and boots a database: make test-faults")
	}
	is, ctx := is.New(t), t.Context()
	w := newWorld(t, program(t), flags.seed)
	y := &tally{}
	c := newCaller(w.servers, "", rand.New(rand.NewPCG(1, 1)), y)
	t.Cleanup(c.close)
	var err error
	school, err := w.command(ctx, "school", "create", "--name", "Removal")
	is.NoErr(err)
	c.key, err = w.command(ctx, "key", "create", "--school", school, "--name", "removal")
	is.NoErr(err)
	must := func(r request) string {
		t.Helper()
		answer, ok := c.sendUntilCertain(ctx, r)
		if !ok || answer.status != r.expected[0] {
			t.Fatalf("%s %s: %d %s", r.method, r.path, answer.status, answer.body)
		}
		return idOf(answer.body)
	}
	const named = `{"data":{"type":%q,"attributes":{"name":%q}}}`
	large, other := must(post(201, "/v2/courses", named, "courses", "Large")), must(post(201, "/v2/courses", named, "courses", "Other"))
	class := must(post(201, "/v2/groups", named, "groups", "Class"))
	must(relate("/v2/groups/"+class+"/relationships/courses", "courses", large))
	var people strings.Builder
	people.WriteString("email,groups\n")
	for i := range learnerCount {
		fmt.Fprintf(&people, "p%04d@example.test,Class\n", i)
	}
	file := filepath.Join(t.TempDir(), "people.csv")
	is.NoErr(os.WriteFile(file, []byte(people.String()), 0o600))
	_, err = w.command(ctx, "import", "--school", school, file)
	is.NoErr(err)

	db, err := sql.Open("postgres", address(w.db.Addr()))
	is.NoErr(err)
	t.Cleanup(func() { _ = db.Close() })
	// Each batch is so slow that the server is killed during the removal.
	_, err = db.ExecContext(ctx, `CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.3); RETURN NULL; END';
		CREATE TRIGGER dawdling BEFORE DELETE ON enrollments FOR EACH STATEMENT EXECUTE FUNCTION dawdle()`)
	is.NoErr(err)
	left := func() (n int) {
		t.Helper()
		is.NoErr(db.QueryRowContext(ctx, `SELECT count(*) FROM enrollments WHERE course_id = $1`, large).Scan(&n))
		return n
	}
	server := w.servers[1]
	at := newCaller(w.servers[1:], c.key, rand.New(rand.NewPCG(1, 2)), y)
	t.Cleanup(at.close)
	unlisted := func() {
		t.Helper()
		is.Equal(at.send(ctx, request{method: http.MethodGet, path: "/v2/courses/" + large}).status, 404)
		for _, path := range []string{
			"/v2/analytics/courses?filter[course.id][eq]=" + large, "/v2/people?filter[course_count][gt]=0",
		} {
			list := at.send(ctx, request{method: http.MethodGet, path: path})
			is.Equal(list.status, 200)
			is.True(bytes.Contains(list.body, []byte(`"data":[]`)))
		}
	}

	is.Equal(left(), learnerCount)
	is.Equal(at.send(ctx, request{method: http.MethodDelete, path: "/v2/courses/" + large + "?force=true"}).status, 200)
	unlisted()
	for began := left(); began == learnerCount; began = left() {
		time.Sleep(10 * time.Millisecond)
	}
	for _, s := range w.servers { // one of the servers has leased the job
		s.kill()
	}
	rest := left()
	is.True(rest > 0 && rest < learnerCount) // the removal is incomplete
	is.NoErr(server.restart(ctx))
	is.NoErr(w.servers[0].restart(ctx))
	unlisted()
	writes := 0
	for gone := false; !gone; writes++ {
		var person string
		is.NoErr(db.QueryRowContext(ctx, `SELECT id FROM people WHERE email = $1`, fmt.Sprintf("p%04d@example.test", at.rng.IntN(learnerCount))).Scan(&person))
		enroll := relate("/v2/people/"+person+"/relationships/courses", "enrolled-courses", other)
		is.Equal(at.send(ctx, enroll).status, 204)
		is.NoErr(db.QueryRowContext(ctx, `SELECT NOT EXISTS (SELECT FROM all_courses WHERE id = $1)`, large).Scan(&gone))
	}
	is.True(writes > 10) // while the job was running
	is.Equal(left(), 0)
	discrepancies, err := w.command(ctx, "reconcile", "--school", school)
	is.NoErr(err)
	is.Equal(len(CheckReconciled(discrepancies)), 0)
	t.Logf("%d of %d enrollments were left at the kill; %d writes until the end of the removal", rest, learnerCount, writes)
}
