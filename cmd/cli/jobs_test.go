package cli

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/kit/pgtest"
)

// While no worker runs, an invitation waits and is listed. When a worker runs, the invitation is
// delivered and no longer listed.
func TestJobsListsInvitations(t *testing.T) {
	is := is.New(t)
	env := onPostgres(t, pgtest.Exclusive(t))
	school := must(t, env, "school", "create", "--name=Post")
	key := must(t, env, "key", "create", "--school", school)
	p := start(t, env, "serve", free, "--worker.count=0")
	url := p.line(t, greeting)
	is.True(strings.HasPrefix(p.line(t, "WARNING: "), "mail.mode is log"))
	status, _, err := post(t.Context(), url+"/v1/learners", key,
		`{"data":{"type":"people","attributes":{"email":"new@example.test"}}}`)
	is.NoErr(err)
	is.Equal(status, http.StatusCreated)

	list := must(t, env, "jobs", "list")
	is.True(strings.HasPrefix(list, "ID "))
	row := regexp.MustCompile(`(?m)^(\S+)  ` + school + `  waiting  0 +20\S+  20\S+  -$`).FindStringSubmatch(list)
	is.True(row != nil)
	is.Equal(must(t, env, "jobs", "list", "--state=waiting"), list)
	is.Equal(strings.Count(must(t, env, "jobs", "list", "--state=dead"), "\n"), 0) // only the heading

	code, stdout, stderr := lyceum(t, env, "jobs", "retry", row[1])
	is.Equal(code, 0)
	is.Equal(stdout, "")
	is.Equal(stderr, "Job "+row[1]+" will be retried.\n")
	_, _, stderr = lyceum(t, env, "jobs", "retry", "--all-dead")
	is.Equal(stderr, "0 jobs will be retried.\n")

	worker := start(t, env, "serve", free)
	worker.line(t, greeting)
	eventually(t, func() bool { return strings.Count(must(t, env, "jobs", "list"), "\n") == 0 })
	is.True(strings.Contains(worker.stderr.String(), "job="+row[1]+" school=Post"))
	is.True(!strings.Contains(worker.stderr.String(), "new@example.test")) // no email address in the log
}

// Parts of bulk requests are listed separately from invitations, and can be retried.
func TestJobsListsBulkRequests(t *testing.T) {
	is := is.New(t)
	env := onPostgres(t, pgtest.Exclusive(t))
	school := must(t, env, "school", "create", "--name=Post")
	key := must(t, env, "key", "create", "--school", school)
	p := start(t, env, "serve", free, "--worker.count=0")
	url := p.line(t, greeting)
	status, _, err := post(t.Context(), url+"/v1/bulk/people", key,
		`{"data":{"type":"x","attributes":{"people":[{"email":"new@example.test"}]}}}`)
	is.NoErr(err)
	is.Equal(status, http.StatusAccepted)

	is.Equal(strings.Count(must(t, env, "jobs", "list"), "\n"), 0) // only the heading
	is.Equal(strings.Count(must(t, env, "jobs", "list", "--kind=files"), "\n"), 0)
	row := regexp.MustCompile(`(?m)^(\S+)  ` + school + `  waiting  0 `).FindStringSubmatch(must(t, env, "jobs", "list", "--kind=bulk"))
	is.True(row != nil)
	code, _, stderr := lyceum(t, env, "jobs", "retry", row[1], "--kind=bulk")
	is.Equal(code, 0)
	is.Equal(stderr, "Job "+row[1]+" will be retried.\n")
	_, _, stderr = lyceum(t, env, "jobs", "retry", "--all-dead", "--kind=files")
	is.Equal(stderr, "0 jobs will be retried.\n")
}

func TestJobsErrors(t *testing.T) {
	env := onPostgres(t, pgtest.DSN(t))
	const none = "018f6f5e-7c1a-7b3e-9d55-0f5b6a2c1d10"
	tests := []struct {
		name string
		args []string
		code int
		want string
	}{
		{"unknown state", []string{"list", "--state=asleep"}, 1, `jobs list --state: must be one of: waiting, leased, dead; got "asleep"`},
		{"unknown kind", []string{"list", "--kind=parcels"}, 2, `--kind: must be invitations, files, bulk, removals, sign-ins, stranger-sign-ins, webhooks, or reaction:NAME; got "parcels" (see lyceum --help)`},
		{"unknown kind to retry", []string{"retry", "--all-dead", "--kind="}, 2, `--kind: must be invitations, files, bulk, removals, sign-ins, stranger-sign-ins, webhooks, or reaction:NAME; got "" (see lyceum --help)`},
		{"reaction without a name", []string{"list", "--kind=reaction:"}, 2, `--kind: must be invitations, files, bulk, removals, sign-ins, stranger-sign-ins, webhooks, or reaction:NAME; got "reaction:" (see lyceum --help)`},
		{"unknown job of a reaction", []string{"retry", none, "--kind=reaction:greet"}, 1, "jobs retry: job " + none + " of the kind reaction:greet does not exist or is running"},
		{"unknown file", []string{"retry", none, "--kind=files"}, 1, "jobs retry: job " + none + " of the kind files does not exist or is running"},
		{"neither ID nor --all-dead", []string{"retry"}, 1, "jobs retry: give either the ID of a job or --all-dead"},
		{"both ID and --all-dead", []string{"retry", none, "--all-dead"}, 1, "jobs retry: give either the ID of a job or --all-dead"},
		{"invalid ID", []string{"retry", "x"}, 1, `jobs retry: "x" is not a job ID; to list jobs: lyceum jobs list`},
		{"unknown invitation", []string{"retry", none}, 1, "jobs retry: job " + none + " of the kind invitations does not exist or is running"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			code, stdout, stderr := lyceum(t, env, append([]string{"jobs"}, tt.args...)...)
			is.Equal(code, tt.code)
			is.Equal(stdout, "")
			is.Equal(stderr, "lyceum: "+tt.want+"\n")
		})
	}
}
