package docs_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/lib/pq"
	"github.com/matryer/is"
	"lyceum/test/kit/pgtest"
	"lyceum/test/lyceumtest"
)

func TestReadmeIsShort(t *testing.T) {
	is := is.New(t)
	text, err := os.ReadFile(root + "README.md")
	is.NoErr(err)
	is.True(strings.Count(string(text), "\n") <= 200)
}

// TestQuickStart checks that the request in the quick start of README.md gets the printed response.
func TestQuickStart(t *testing.T) {
	is := is.New(t)
	lines := console(t, "README.md", "Quick start")
	is.Equal(len(lines), 2)
	is.Equal(lines[0], "make run")
	demo := lyceumtest.Start(t, lyceumtest.WithDemo())
	const printed = "http://127.0.0.1:8080"
	response := shell(t, t.TempDir(), []string{strings.ReplaceAll(lines[1], printed, demo.URL)})[0]
	want := strings.ReplaceAll(block(t, "Quick start", "json"), printed, demo.URL)
	var got, wanted any
	is.NoErr(json.Unmarshal([]byte(response), &got))
	is.NoErr(json.Unmarshal([]byte(want), &wanted))
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Error(diff)
	}
}

// TestPostgresCommands runs the commands of README.md for PostgreSQL and sends a request to the
// server.
func TestPostgresCommands(t *testing.T) {
	is := is.New(t)
	lines := console(t, "README.md", "Run on PostgreSQL")
	is.Equal(len(lines), 6)
	createRole, lines := lines[0], lines[1:]
	is.True(strings.HasPrefix(createRole, "sudo -u postgres psql -c "))
	const printed = "postgres://lyceum:change-me@localhost/lyceum?sslmode=disable"
	is.True(strings.Contains(lines[0], printed))
	lines[0] = strings.Replace(lines[0], printed, asPrinted(t, createRole, printed), 1)
	secret, _, _ := strings.Cut(lines[3], "#")
	lines[3] = "KEY=$(" + secret + ")"
	is.True(strings.HasSuffix(lines[4], "lyceum serve"))
	lines[4] += " > output.txt 2>&1 & SERVER=$!"
	lines = append(lines,
		"until grep -q Listening output.txt; do kill -0 $SERVER || { cat output.txt; exit 1; }; sleep 0.1; done",
		`curl -s -H "X-Api-Key: $KEY" "$(grep -o 'Listening on http[^ ]*' output.txt | cut -d ' ' -f 3)/v2/school"`)
	responses := shell(t, workDir(t), lines, "LYCEUM_ADDR=127.0.0.1:0")
	is.True(strings.Contains(responses[6], `"name":"My school"`))
}

// TestProductionSettings checks that the settings for production in README.md are valid and cause
// no warnings.
func TestProductionSettings(t *testing.T) {
	is := is.New(t)
	lines := console(t, "README.md", "Production")
	last := len(lines) - 1
	is.Equal(lines[last], "./bin/lyceum doctor")
	lines[last] = "./bin/lyceum config --strict-env"
	responses := shell(t, workDir(t), lines)
	for _, part := range []string{"store: postgres", "mode: proxy", "mode: smtp", "trusted-proxies: "} {
		is.True(strings.Contains(responses[last], part))
	}
	is.True(!strings.Contains(responses[last], "warning"))
}

// TestRule checks that the rule in the README, its entry in the set of rules and the function main
// are part of examples/academy, which make test-examples tests.
func TestRule(t *testing.T) {
	is := is.New(t)
	text, err := os.ReadFile(root + "examples/academy/rules.go")
	is.NoErr(err)
	is.True(strings.Contains(string(text), "\n"+block(t, "Add a rule", "go")))
	program, err := os.ReadFile(root + "examples/academy/main.go")
	is.NoErr(err)
	spans := regexp.MustCompile("`([^`]*smallGroup[^`]*|func main[^`]*)`").FindAllStringSubmatch(page{text: section(t, "README.md", "Add a rule")}.prose(), -1)
	is.Equal(len(spans), 2) // the entry of the set and the function main
	for _, m := range spans {
		code := strings.TrimSuffix(m[1], ") }") // the function main of the example passes one more option
		is.True(strings.Contains(strings.Join(strings.Fields(string(program)), " "), code))
	}
}

// asPrinted runs the statements of a psql command with a unique name instead of lyceum for the role
// and the database. It returns the printed URL with this name and with the host and port of the
// test database.
func asPrinted(t *testing.T, psql, printed string) string {
	t.Helper()
	is := is.New(t)
	dsn := pgtest.Fresh(t)
	admin, err := pq.NewConfig(dsn)
	is.NoErr(err)
	db, err := sql.Open("postgres", dsn)
	is.NoErr(err)
	t.Cleanup(func() { _ = db.Close() })
	name := "readme_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	statements := regexp.MustCompile(`-c "([^"]+)"`).FindAllStringSubmatch(psql, -1)
	is.Equal(len(statements), 2)
	for _, m := range statements {
		_, err := db.ExecContext(t.Context(), strings.ReplaceAll(m[1], "lyceum", name))
		is.NoErr(err)
	}
	t.Cleanup(func() {
		for _, drop := range []string{"DROP DATABASE " + name + " WITH (FORCE)", "DROP ROLE " + name} {
			if _, err := db.ExecContext(context.Background(), drop); err != nil {
				t.Error(err)
			}
		}
	})
	shown, err := url.Parse(strings.ReplaceAll(printed, "lyceum", name))
	is.NoErr(err)
	shown.Host = ""
	shown.RawQuery += fmt.Sprintf("&host=%s&port=%d", url.QueryEscape(admin.Host), admin.Port)
	return shown.String()
}

// TestOtherModule checks that another module with the printed lines of go.mod can import the server
// for its tests.
func TestOtherModule(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	lines := block(t, "Use it in your tests", "")
	is.True(strings.Contains(lines, "require lyceum v0.0.0\n"))
	here, err := filepath.Abs(root)
	is.NoErr(err)
	own, err := os.ReadFile(root + "go.mod")
	is.NoErr(err)
	_, required, _ := strings.Cut(string(own), "\n\nrequire") // go mod tidy adds these lines, but needs a network
	sums, err := os.ReadFile(root + "go.sum")
	is.NoErr(err)
	module := "module shop.test\n\ngo 1.26.0\n\n" + strings.Replace(lines, "=> ../lyceum", "=> "+here, 1) + "\nrequire" + required
	is.NoErr(os.WriteFile(filepath.Join(dir, "go.mod"), []byte(module), 0o600))
	is.NoErr(os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o600))
	is.NoErr(os.WriteFile(filepath.Join(dir, "shop_test.go"), []byte("package shop\n\nimport _ \"lyceum/test/lyceumtest\"\n"), 0o600))
	list := exec.CommandContext(t.Context(), "go", "list", "-tags", "nomsgpack", "-mod=mod", "-test", "-deps", "./...")
	list.Dir, list.Env = dir, append(os.Environ(), "GOFLAGS=", "GOPROXY=off", "GOWORK=off")
	out, err := list.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	is.True(strings.Contains(string(out), "\nlyceum/test/lyceumtest\n"))
}

// TestSnippet checks that the test in README.md is the test in snippet_test.go, which is compiled
// and run.
func TestSnippet(t *testing.T) {
	is := is.New(t)
	text, err := os.ReadFile("snippet_test.go")
	is.NoErr(err)
	is.True(strings.Contains(string(text), block(t, "Use it in your tests", "go")))
}

// TestServeLoad checks that the command of README.md for tests in other languages prints a URL and
// a key.
func TestServeLoad(t *testing.T) {
	is := is.New(t)
	lines := console(t, "README.md", "Use it in your tests")
	is.Equal(len(lines), 1)
	responses := shell(t, workDir(t), []string{
		lines[0] + " > output.txt 2>&1 & SERVER=$!",
		"until grep -q Listening output.txt && grep -q lyc_ output.txt; do kill -0 $SERVER || { cat output.txt; exit 1; }; sleep 0.1; done",
		`curl -s "$(grep -o 'Listening on http[^ ]*' output.txt | cut -d ' ' -f 3)/v2/school?api_key=$(grep -o 'lyc_[0-9A-Za-z]*' output.txt | head -n 1)"`,
	})
	is.True(strings.Contains(responses[2], "Lakeside School of Craft"))
}
