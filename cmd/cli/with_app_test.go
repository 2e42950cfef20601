package cli

import (
	"database/sql"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/school"
	"lyceum/test/kit/pgtest"
)

// onPostgres returns an environment in which commands use the database dsn.
func onPostgres(t *testing.T, dsn string) environment {
	t.Helper()
	return environment{"LYCEUM_STORE": "postgres", "LYCEUM_DATABASE_URL": dsn, "LYCEUM_FILES_DIR": t.TempDir()}
}

// must runs a command that must succeed and returns its standard output without the final
// newline.
func must(t *testing.T, env environment, args ...string) string {
	t.Helper()
	code, stdout, stderr := lyceum(t, env, args...)
	if code != 0 {
		t.Fatalf("%v ended with %d: %s", args, code, stderr)
	}
	return strings.TrimSuffix(stdout, "\n")
}

func TestMigrate(t *testing.T) {
	is := is.New(t)
	env := onPostgres(t, pgtest.Fresh(t))
	outdated := regexp.MustCompile(`^lyceum: the database schema is not up to date: the database has no schema; ` +
		`this program needs version \d+: run lyceum migrate\n$`)
	for _, command := range [][]string{{"migrate", "--status"}, {"school", "list"}, {"serve", free}} {
		code, stdout, stderr := lyceum(t, env, command...)
		is.Equal(code, 1)
		is.Equal(stdout, "")
		is.True(outdated.MatchString(stderr))
	}
	is.Equal(must(t, env, "migrate"), "The database schema is up to date.")
	is.Equal(must(t, env, "migrate"), "The database schema is up to date.") // nothing is pending any longer
	is.Equal(must(t, env, "migrate", "--status"), "The database schema is up to date.")
	is.Equal(must(t, env, "school", "list"), "ID  NAME  SLUG  AUTHENTICATION  CREATED  SUSPENDED")
}

// Every command refuses a database that a newer release has migrated.
func TestNewerSchema(t *testing.T) {
	is := is.New(t)
	dsn := pgtest.Migrated(t)
	db, err := sql.Open("postgres", dsn)
	is.NoErr(err)
	defer func() { is.NoErr(db.Close()) }()
	_, err = db.ExecContext(t.Context(), `INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, true)`)
	is.NoErr(err)
	newer := regexp.MustCompile(`^lyceum: the database schema is newer than this program: it has version 9999; ` +
		`this program needs version \d+: install the release of lyceum that migrated it, or a newer one\n$`)
	for _, command := range [][]string{{"migrate"}, {"migrate", "--status"}, {"school", "list"}, {"serve", free}, {"serve", free, "--migrate"}} {
		code, stdout, stderr := lyceum(t, onPostgres(t, dsn), command...)
		is.Equal(code, 1)
		is.Equal(stdout, "")
		is.True(newer.MatchString(stderr))
	}
}

func TestMigrateReportsLogSettings(t *testing.T) {
	is := is.New(t)
	code, _, stderr := lyceum(t, environment{"LYCEUM_LOG_LEVEL": "x"}, "migrate")
	is.Equal(code, 1)
	is.Equal(stderr, "lyceum: log.level: must be one of: debug, info, warn, error; got \"x\"\n")
}

// An operator creates a school and a key, a client uses the key, and the operator revokes the
// key.
func TestSchoolKeyAndRequest(t *testing.T) {
	is := is.New(t)
	env := onPostgres(t, pgtest.DSN(t))
	id := must(t, env, "school", "create", "--name=Operated", "--auth=open", "--owner=owner@example.test")
	is.NoErr(uuid.Validate(id)) // the output is only the ID

	code, secret, stderr := lyceum(t, env, "key", "create", "--school", id, "--name=Website")
	is.Equal(code, 0)
	secret = strings.TrimSuffix(secret, "\n")
	is.True(school.ValidSecret(secret)) // the output is only the secret
	is.True(!strings.Contains(stderr, secret))
	is.True(regexp.MustCompile(`(?m)^` + id + `  Operated +operated +open +20\d\d-`).MatchString(must(t, env, "school", "list")))

	keys := must(t, env, "key", "list", "--school=Operated")
	m := regexp.MustCompile(`(?m)^(\S+)  ` + secret[:8] + `  Website  admin  20\S+  -         -        -$`).FindStringSubmatch(keys)
	is.True(m != nil) // scope admin, never used, never expires, not revoked
	is.True(!strings.Contains(keys, secret))

	p := start(t, env, "serve", free)
	url := p.line(t, greeting)
	is.True(!strings.Contains(p.stdout.String(), "IN-MEMORY STORE"))
	status, body, err := get(t.Context(), url+"/v1/people", secret)
	is.NoErr(err)
	is.Equal(status, http.StatusOK)
	is.True(strings.Contains(body, "owner@example.test"))
	is.True(regexp.MustCompile(`Website  admin  20\S+  20\S+  -        -`).MatchString(must(t, env, "key", "list", "--school", id))) // LAST USE is set

	is.Equal(must(t, env, "key", "revoke", m[1]), "")
	is.True(regexp.MustCompile(`Website  admin  20\S+  20\S+  -        20\S+`).MatchString(must(t, env, "key", "list", "--school", id))) // REVOKED is set
	is.True(!strings.Contains(p.stderr.String(), secret))                                                                                // not in the log
}

func TestKeysHaveAScopeAndAnEnd(t *testing.T) {
	is := is.New(t)
	env := onPostgres(t, pgtest.DSN(t))
	id := must(t, env, "school", "create", "--name=Scoped")
	must(t, env, "key", "create", "--school", id, "--name=Day", "--scope=read", "--expires=2099-12-31")
	must(t, env, "key", "create", "--school", id, "--name=Span", "--scope=write", "--expires=90d")
	must(t, env, "key", "create", "--school", id, "--name=Hours", "--expires=720h")
	keys := must(t, env, "key", "list", "--school", id)
	is.True(regexp.MustCompile(`Day +read +20\S+ +- +2099-12-31T00:00:00Z +-`).MatchString(keys))
	end := time.Now().UTC().AddDate(0, 0, 90).Format("2006-01")
	is.True(regexp.MustCompile(`Span +write +20\S+ +- +` + end + `\S+ +-`).MatchString(keys))
	is.True(regexp.MustCompile(`Hours +admin +20\S+ +- +20\S+ +-`).MatchString(keys))
}

func TestServeMigratesAtStart(t *testing.T) {
	is := is.New(t)
	env := onPostgres(t, pgtest.Fresh(t))
	p := start(t, env, "serve", free, "--migrate")
	status, _, err := get(t.Context(), p.line(t, greeting)+"/readyz", "")
	is.NoErr(err)
	is.Equal(status, http.StatusOK)
	is.Equal(must(t, env, "migrate", "--status"), "The database schema is up to date.")
	p.stop()
	is.Equal(<-p.code, 0)
}

func TestOperatorErrors(t *testing.T) {
	env := onPostgres(t, pgtest.DSN(t))
	const none = "018f6f5e-7c1a-7b3e-9d55-0f5b6a2c1d10"
	first := must(t, env, "school", "create", "--name=Twice")
	twice := must(t, env, "school", "create", "--name=Thrice")
	_, err := database(t, pgtest.DSN(t)).ExecContext(t.Context(),
		"UPDATE schools SET (name, name_fold) = (SELECT name, name_fold FROM schools WHERE id = $2) WHERE id = $1", twice, first) // as if both schools were created concurrently
	is.New(t).NoErr(err)
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"a blank name", []string{"school", "create", "--name="}, "school.name: can't be blank"},
		{"a UUID as the name", []string{"school", "create", "--name=" + none}, "school.name: must not be a UUID"},
		{
			"no such method",
			[]string{"school", "create", "--name=x", "--auth=ldap"},
			"authentication: must be one of: preregistration, open, url, sso",
		},
		{"no address", []string{"school", "create", "--name=x", "--owner=x"}, "owner: is not a valid email address"},
		{"no such school", []string{"key", "create", "--school=x"}, `school: no school matches "x"`},
		{"two such schools", []string{"key", "list", "--school=Twice"}, `school: 2 schools are named "Twice"; use the id: ` + first + ", " + twice},
		{"no such scope", []string{"key", "create", "--school=" + twice, "--scope=root"}, "scope: must be one of: read, write, admin"},
		{
			"no such time",
			[]string{"key", "create", "--school=" + twice, "--expires=soon"},
			`expires: "soon" is not a valid duration or date, such as 720h, 90d or 2027-01-31`,
		},
		{"a time that is over", []string{"key", "create", "--school=" + twice, "--expires=2020-01-31"}, "expires_at: must be in the future"},
		{"no such key", []string{"key", "revoke", none}, "key revoke: there is no key " + none},
		{"no id", []string{"key", "revoke", "x"}, `key revoke: "x" is not a key ID; to list keys: lyceum key list`},
		{"no school to fill", []string{"demo", "--school=x"}, `school: no school matches "x"`},
		{"no school to check", []string{"reconcile", "--school=x"}, `school: no school matches "x"`},
		{"no such size", []string{"demo", "--school=x", "--people=-1", "--seed=0"}, "people: must not be negative\nlyceum: seed: must be at least 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			code, stdout, stderr := lyceum(t, env, tt.args...)
			is.Equal(code, 1)
			is.Equal(stdout, "")
			is.Equal(stderr, "lyceum: "+tt.want+"\n")
		})
	}
}
