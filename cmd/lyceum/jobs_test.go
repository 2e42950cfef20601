package main

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/kit/pgtest"
)

// An invitation waits while no worker runs, is listed, is delivered once a worker runs, and is
// no longer listed.
func TestJobsListsInvitations(t *testing.T) {
	is := is.New(t)
	env := onPostgres(t, pgtest.Fresh(t))
	must(t, env, "migrate")
	school := must(t, env, "school", "create", "--name=Post")
	key := must(t, env, "key", "create", "--school", school)
	p := start(t, env, "serve", free, "--worker.count=0")
	url := p.line(t, greeting)
	is.True(strings.HasPrefix(p.line(t, "WARNING: "), "mail.mode is log"))
	status, _, err := post(t.Context(), url+"/v1/learners", key,
		`{"data":{"type":"people","attributes":{"email":"new@example.test"}}}`)
	is.NoErr(err)
	is.Equal(status, http.StatusCreated)

	list := must(t, env, "outbox", "list")
	is.True(strings.HasPrefix(list, "ID "))
	row := regexp.MustCompile(`(?m)^(\S+)  ` + school + `  waiting  0 +20\S+  20\S+  -$`).FindStringSubmatch(list)
	is.True(row != nil)
	is.Equal(must(t, env, "outbox", "list", "--state=waiting"), list)
	is.Equal(strings.Count(must(t, env, "outbox", "list", "--state=dead"), "\n"), 0) // the head alone

	code, stdout, stderr := lyceum(t, env, "outbox", "retry", row[1])
	is.Equal(code, 0)
	is.Equal(stdout, "")
	is.Equal(stderr, "Letter "+row[1]+" is to be delivered again.\n")
	_, _, stderr = lyceum(t, env, "outbox", "retry", "--all-dead")
	is.Equal(stderr, "0 letters are to be delivered again.\n")

	worker := start(t, env, "serve", free)
	worker.line(t, greeting)
	eventually(t, func() bool { return strings.Count(must(t, env, "outbox", "list"), "\n") == 0 })
	is.True(strings.Contains(worker.stderr.String(), "job="+row[1]+" school=Post"))
	is.True(!strings.Contains(worker.stderr.String(), "new@example.test")) // no log names a person
}

// Parts of bulk requests are listed separately from invitations, and can be retried.
func TestJobsListsBulkRequests(t *testing.T) {
	is := is.New(t)
	env := onPostgres(t, pgtest.Fresh(t))
	must(t, env, "migrate")
	school := must(t, env, "school", "create", "--name=Post")
	key := must(t, env, "key", "create", "--school", school)
	p := start(t, env, "serve", free, "--worker.count=0")
	url := p.line(t, greeting)
	status, _, err := post(t.Context(), url+"/v1/bulk/people", key,
		`{"data":{"type":"x","attributes":{"people":[{"email":"new@example.test"}]}}}`)
	is.NoErr(err)
	is.Equal(status, http.StatusAccepted)

	is.Equal(strings.Count(must(t, env, "outbox", "list"), "\n"), 0) // the head alone
	is.Equal(strings.Count(must(t, env, "outbox", "list", "--of=files"), "\n"), 0)
	row := regexp.MustCompile(`(?m)^(\S+)  ` + school + `  waiting  0 `).FindStringSubmatch(must(t, env, "outbox", "list", "--of=bulk"))
	is.True(row != nil)
	code, _, stderr := lyceum(t, env, "outbox", "retry", row[1], "--of=bulk")
	is.Equal(code, 0)
	is.Equal(stderr, "Job "+row[1]+" is to be done again.\n")
	_, _, stderr = lyceum(t, env, "outbox", "retry", "--all-dead", "--of=files")
	is.Equal(stderr, "0 jobs are to be done again.\n")
}

func TestJobsErrors(t *testing.T) {
	env := onPostgres(t, pgtest.DSN(t))
	const none = "018f6f5e-7c1a-7b3e-9d55-0f5b6a2c1d10"
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"no such state", []string{"list", "--state=asleep"}, `outbox list: state must be one of: waiting, leased, dead; got "asleep"`},
		{"no such work", []string{"list", "--of=parcels"}, `outbox list: work must be one of: letters, files, bulk, removals; got "parcels"`},
		{"no such work to retry", []string{"retry", "--all-dead", "--of="}, `outbox retry: work must be one of: letters, files, bulk, removals; got ""`},
		{"no such file", []string{"retry", none, "--of=files"}, "outbox retry: there is no job " + none + ", or it is being done"},
		{"neither", []string{"retry"}, "outbox retry: needs either the id of a letter or --all-dead"},
		{"both", []string{"retry", none, "--all-dead"}, "outbox retry: needs either the id of a letter or --all-dead"},
		{"no id", []string{"retry", "x"}, `outbox retry: "x" is not the id of a letter (lyceum outbox list shows them)`},
		{"no such letter", []string{"retry", none}, "outbox retry: there is no letter " + none + ", or it is being delivered"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			code, stdout, stderr := lyceum(t, env, append([]string{"outbox"}, tt.args...)...)
			is.Equal(code, 1)
			is.Equal(stdout, "")
			is.Equal(stderr, "lyceum: "+tt.want+"\n")
		})
	}
}
