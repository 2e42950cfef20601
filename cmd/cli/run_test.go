package cli

import (
	"context"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/domain/school"
	"lyceum/test/kit/pgtest"
)

// Without flags, serve creates a school. The key of the school appears only on standard output.
func TestServeAloneCreatesSchool(t *testing.T) {
	is := is.New(t)
	p := start(t, nil, "serve", free)
	url := p.line(t, greeting)
	key := p.line(t, `Key "admin": `)
	is.True(school.ValidSecret(key))
	status, body, err := get(t.Context(), url+"/v2/school", key)
	is.NoErr(err)
	is.Equal(status, 200)
	is.True(strings.Contains(body, `"name":"My school"`))
	is.True(!strings.Contains(p.stderr.String(), key))
	is.Equal(p.line(t, memoryNotice), "all data is lost when the server stops.")
	p.line(t, "Try it: ") // the last line
	is.Equal(strings.Count(p.stdout.String(), "The key is not shown again"), 1)
}

func TestServeNamesNextCommands(t *testing.T) {
	is := is.New(t)
	dsn := pgtest.Fresh(t)
	env := onPostgres(t, dsn)
	code, _, stderr := lyceum(t, env, "serve", free)
	is.Equal(code, 1)
	is.True(strings.HasSuffix(stderr, ": run lyceum migrate\n"))
	must(t, env, "migrate")
	p := start(t, env, "serve", free)
	p.line(t, "There is no school yet. ")
	p.line(t, "  lyceum school create --name ")
	p.line(t, "  lyceum key create --school ")
	p.line(t, `  lyceum sign-in-link --school "My school" --person me@example.test --base-url http://127.0.0.1:`)
	p.stop()
	is.Equal(<-p.code, 0)
	must(t, env, "school", "create", "--name=First")
	p = start(t, env, "serve", free)
	p.line(t, greeting)
	p.stop()
	<-p.code
	is.True(!strings.Contains(p.stdout.String(), "There is no school yet"))
}

// An interrupted command says either that nothing was changed or that the command must be run
// again.
func TestInterruptedCommand(t *testing.T) {
	is := is.New(t)
	env := onPostgres(t, pgtest.DSN(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"demo", "--people=10"}, "nothing was changed"},
		{[]string{"school", "delete", "x", "--yes"}, "nothing was changed"},
		{[]string{"migrate"}, "run the command again"},
	} {
		var out, err output
		code := terminal{out: &out, err: &err}.run(ctx, tt.args, env.lookup)
		is.Equal(code, 130)
		is.True(strings.HasPrefix(err.String(), "lyceum: interrupted: ") && strings.Contains(err.String(), tt.want))
	}
}

func TestPortsInUse(t *testing.T) {
	is := is.New(t)
	url := start(t, nil, "serve", free).line(t, greeting)
	taken := strings.TrimPrefix(url, "http://")
	for setting, args := range map[string][]string{
		"addr": {"--addr=" + taken}, "metrics.addr": {free, "--metrics.addr=" + taken},
	} {
		code, _, stderr := lyceum(t, nil, append([]string{"serve"}, args...)...)
		is.Equal(code, 1)
		is.True(strings.HasSuffix(stderr, "lyceum: "+setting+": "+taken+" is already in use\n"))
	}
}

func TestDemoSizeFollowsPeople(t *testing.T) {
	is := is.New(t)
	none, two := 0, 2
	is.Equal((&demoCmd{People: 10, Seed: 1}).size(), demo.DefaultSize(10))
	got := (&demoCmd{People: 10, Seed: 1, Courses: &two}).size()
	is.NoErr(got.Validate())
	is.Equal(got.Enrollments, 18)
	got = (&demoCmd{People: 10, Seed: 1, Enrollments: &none}).size()
	is.NoErr(got.Validate())
	is.Equal(got.Submissions, 0)
}
