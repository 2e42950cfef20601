package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/matryer/is"
	"lyceum/test/kit/pgtest"
)

// unaudited contains the commands that change no record of a school, with the reason.
var unaudited = map[string]string{
	"serve": "its requests and jobs have actors", "migrate": "schema only", "school list": "reads", "key list": "reads",
	"jobs list": "reads", "jobs retry": "changes only the queue", "reconcile": "fixes derived data, and saves no record that is correct",
	"audit list": "reads", "audit expire": "deletes expired events", "config show": "reads", "config sample": "reads",
	"config schema": "reads", "doctor": "reads", "healthcheck": "reads", "completion": "reads", "__complete": "reads", "version": "reads",
	"school delete": "deletes the trail with the school; app tests its event",
}

// TestCommandsAreAudited runs every command that changes a school, and checks that each adds audit
// events of the operator. A new command must be added here or to unaudited.
func TestCommandsAreAudited(t *testing.T) {
	is := is.New(t)
	env, files := onPostgres(t, pgtest.Migrated(t)), "--files.dir="+t.TempDir()
	env["LYCEUM_SERVER_SECRET"] = strings.Repeat("s", 32)
	must(t, env, "school", "create", "--name=Source", "--owner=grace@example.test")
	key := func() string {
		for line := range strings.SplitSeq(must(t, env, "key", "list", "--school=Audited"), "\n") {
			if strings.Contains(line, "API key") {
				return strings.Fields(line)[0]
			}
		}
		t.Fatal("no key")
		return ""
	}
	exported := t.TempDir() + "/source.jsonl"
	must(t, env, "export", "--school=Source", "--output="+exported, files)
	commands := []struct {
		name string
		args []string
		want string // the action and the type of one of the events
	}{
		{"school create", []string{"--name=Audited", "--owner=ada@example.test"}, "created schools"},
		{"key create", []string{"--school=Audited"}, "created api_keys"},
		{"key revoke", nil, "revoked api_keys"},
		{"school rename", []string{"Audited", "Audited again", "--yes"}, "updated schools"},
		{"school rename", []string{"Audited again", "Audited", "--yes"}, "updated schools"},
		{"school update", []string{"Audited", "--slug=other"}, "updated schools"},
		{"school entry-secret", []string{"Audited"}, "rotated schools"},
		{"school suspend", []string{"Audited"}, "suspended schools"},
		{"school resume", []string{"Audited"}, "resumed schools"},
		{"demo", []string{"--school=Audited", "--people=20", files}, "created people"},
		{"export", []string{"--school=Audited", files, "--output=" + t.TempDir() + "/e"}, "exported schools"},
		{"import", []string{"--school=Audited", files, exported}, "created people"},
		{"sign-in-link", []string{"--school=Audited", "--person=ada@example.test", "--base-url=https://lms.example"}, "created sign_in_links"},
	}
	last, id := int64(0), ""
	for _, c := range commands {
		args := append(strings.Fields(c.name), c.args...)
		if c.name == "key revoke" {
			args = append(args, key())
		}
		code, stdout, stderr := lyceum(t, env, args...)
		if code != 0 {
			t.Errorf("%s: %s", c.name, stderr)
			continue
		}
		if c.name == "school create" {
			id = strings.TrimSpace(stdout)
		}
		var found []string
		lines := bufio.NewScanner(strings.NewReader(must(t, env, "audit", "list", "--school="+id)))
		newest := last
		for lines.Scan() {
			var e auditLine
			is.NoErr(json.Unmarshal(lines.Bytes(), &e))
			if e.ID > last {
				is.Equal(e.ActorType, "operator") // of each event of the command
				found = append(found, e.Action+" "+e.RecordType)
			}
			newest = max(newest, e.ID)
		}
		if last = newest; !slices.Contains(found, c.want) {
			t.Errorf("%s: no event %q in %q", c.name, c.want, found)
		}
	}
	parser, err := newParser(&cli{}, "lyceum", env.lookup)
	is.NoErr(err)
	for _, name := range leaves(parser.Model.Node) {
		known := slices.ContainsFunc(commands, func(c struct {
			name string
			args []string
			want string
		},
		) bool {
			return c.name == name
		})
		if !known && unaudited[name] == "" {
			t.Errorf("the command %q is neither audited nor in unaudited", name)
		}
	}
	must(t, env, "audit", "expire", "--audit.retention-days=1", "--changes.retention-days=1")
	is.True(must(t, env, "audit", "list", "--school=Audited") != "") // no event is a day old
}

// leaves returns the names of the commands below n that have no commands of their own.
func leaves(n *kong.Node) (names []string) {
	for _, c := range n.Children {
		if len(c.Children) == 0 {
			names = append(names, strings.TrimSpace(strings.TrimPrefix(fmt.Sprint(c.Path()), "lyceum")))
		}
		names = append(names, leaves(c)...)
	}
	return names
}
