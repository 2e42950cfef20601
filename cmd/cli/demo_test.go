package cli

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/test/kit/pgtest"
)

// A school with generated data of two seeds has no discrepancies. After the test has made one count
// wrong in the database, reconcile finds and fixes it.
func TestDemoCreatesNoDiscrepancies(t *testing.T) {
	is := is.New(t)
	dsn := pgtest.DSN(t)
	env, db := onPostgres(t, dsn), database(t, dsn)
	id := must(t, env, "school", "create", "--name=Filled "+uuid.NewString())
	files := t.TempDir()
	fill := func(seed string) (int, string, string) {
		return lyceum(t, env, "demo", "--school", id, "--people=60", "--courses=7", "--categories=3", "--coupons=4",
			"--groups=8", "--enrollments=200", "--memberships=90", "--answers=333", "--events=500", "--submissions=20",
			"--seed="+seed, "--files.dir="+files)
	}
	code, stdout, stderr := fill("1")
	is.Equal(code, 0)
	is.Equal(stdout, "")
	is.True(strings.HasSuffix(stderr, ": 60 people, 7 courses, 3 categories, 4 coupons, 8 groups, "+
		"200 enrollments, 90 memberships, 333 answers, 20 submissions and 500 events.\n"))
	code, _, stderr = fill("1") // the same seed is refused
	is.Equal(code, 1)
	is.Equal(stderr, "lyceum: demo: the school already has data generated with seed 1; use a different --seed\n")
	code, _, _ = fill("2")
	is.Equal(code, 0)

	for table, want := range map[string]int{
		"people": 120, "courses": 14, "categories": 6, "coupons": 8, "groups": 16, "enrollments": 400, "memberships": 180,
		"quiz_answers": 666, "submissions": 40, "events": 1000, "activities": 70,
	} {
		var rows int
		is.NoErr(db.QueryRowContext(t.Context(), "SELECT count(*) FROM "+table+" WHERE school_id = $1", id).Scan(&rows))
		is.Equal(rows, want) // number of rows in this table
	}

	reconcile := func() (string, string) {
		code, stdout, stderr := lyceum(t, env, "reconcile", "--school", id)
		is.Equal(code, 0)
		return stdout, stderr
	}
	stdout, stderr = reconcile()
	is.Equal(stdout, "")
	is.True(strings.HasSuffix(stderr, ": no discrepancies.\n"))

	var who string
	is.NoErr(db.QueryRowContext(t.Context(), `UPDATE people SET course_count = 77 WHERE school_id = $1
		AND id = (SELECT id FROM people WHERE school_id = $1 AND course_count = 4 LIMIT 1) RETURNING id`, id).Scan(&who))
	stdout, stderr = reconcile()
	is.Equal(stdout, "people "+who+": course_count was 77, now 4\n")
	is.True(strings.HasSuffix(stderr, ": fixed 1 discrepancies.\n"))
	stdout, _ = reconcile()
	is.Equal(stdout, "")
}

// Without --school, the command uses the only school, or creates one if there is none.
func TestDemoWithoutSchool(t *testing.T) {
	is := is.New(t)
	env := onPostgres(t, pgtest.Exclusive(t))
	files := t.TempDir()
	fill := func(seed string) (int, string) {
		code, _, stderr := lyceum(t, env, "demo", "--people=5", "--seed="+seed, "--files.dir="+files)
		return code, stderr
	}
	code, stderr := fill("1")
	is.Equal(code, 0)
	is.True(strings.HasPrefix(stderr, `Created school "Demo Academy". To create an API key: lyceum key create --school `))
	is.True(strings.Contains(stderr, "\nTo sign in to the teaching app as the owner: lyceum sign-in-link --school "))
	link := must(t, env, "sign-in-link", "--school=Demo Academy", "--person=owner@example.test", "--base-url=https://lms.example")
	is.True(strings.HasPrefix(link, "https://lms.example/learn/demo-academy/sign-in/"))
	code, stderr = fill("2")
	is.Equal(code, 0)
	is.True(strings.Contains(stderr, `Added to school "Demo Academy": 5 people`))

	must(t, env, "school", "create", "--name=Another")
	code, stderr = fill("3")
	is.Equal(code, 1)
	is.Equal(stderr, "lyceum: school: there are 2 schools; choose one with --school\n")

	code, _, stderr = lyceum(t, env, "reconcile") // all schools
	is.Equal(code, 0)
	is.Equal(stderr, "School \"Another\": no discrepancies.\nSchool \"Demo Academy\": no discrepancies.\n")
}
