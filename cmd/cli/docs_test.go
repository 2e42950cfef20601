package cli

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/matryer/is"
)

// setting is the name, the default and the help of a setting.
type setting struct{ name, standard, help string }

// model returns kong's model of the command line.
func model(t *testing.T) *kong.Application {
	t.Helper()
	parser, err := newParser(&cli{}, "lyceum", environment{}.lookup)
	if err != nil {
		t.Fatal(err)
	}
	return parser.Model
}

// allSettings returns every setting of every command once, in the order of the help of serve.
func allSettings(t *testing.T) []setting {
	t.Helper()
	var all []setting
	_ = kong.Visit(model(t), func(node kong.Visitable, next kong.Next) error {
		flag, ok := node.(*kong.Flag)
		known := func(s setting) bool { return s.name == flag.Name }
		if ok && (flag.Group != nil || isGlobal(flag)) && !slices.ContainsFunc(all, known) {
			all = append(all, setting{flag.Name, flag.Default, flag.Help})
		}
		return next(nil)
	})
	return all
}

// row matches a row of the table in docs/configuration.md.
var row = regexp.MustCompile("(?m)^\\| `--([a-z.-]+)` \\| `(LYCEUM_[A-Z_]+)` \\| (?:`([a-z.-]+)`)? *\\| (?:`([^`]*)`)? *\\| (.+) \\|$")

func TestDocumentationListsEverySetting(t *testing.T) {
	is := is.New(t)
	text, err := os.ReadFile("../../docs/configuration.md")
	is.NoErr(err)
	var documented, want []string
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		documented = append(documented, fmt.Sprintf("%s %s %s %q", m[1], m[2], m[3], m[4]))
	}
	for _, s := range allSettings(t) {
		key := s.name
		if key == configFlag || key == strictFlag {
			key = "" // the file cannot contain it
		}
		want = append(want, fmt.Sprintf("%s %s %s %q", s.name, variable(s.name), key, s.standard))
	}
	is.Equal(documented, want)
}

func TestDocumentedSettingsExist(t *testing.T) {
	is := is.New(t)
	var known []string
	for _, s := range allSettings(t) {
		known = append(known, variable(s.name))
	}
	for _, file := range []string{"configuration.md", "deploy/Dockerfile", "deploy/compose.yaml", "deploy/lyceum.service"} {
		text, err := os.ReadFile("../../docs/" + file)
		is.NoErr(err)
		named := regexp.MustCompile(`LYCEUM_[A-Z_]+`).FindAllString(string(text), -1)
		is.True(len(named) > 0)
		for _, name := range named {
			if !slices.Contains(known, name) {
				t.Errorf("%s names %s, which is no setting", file, name)
			}
		}
	}
}

// The server accepts the example settings file of the documentation.
func TestDocumentedSettingsFileIsValid(t *testing.T) {
	is := is.New(t)
	text, err := os.ReadFile("../../docs/configuration.md")
	is.NoErr(err)
	_, after, _ := strings.Cut(string(text), "```yaml\n")
	example, _, found := strings.Cut(after, "```")
	is.True(found)
	secret := write(t, "database-url", "postgres://x")
	example = strings.Replace(example, "/run/secrets/database-url", secret, 1)
	example = strings.Replace(example, "/run/secrets/files-secret", write(t, "files-secret", strings.Repeat("s", 64)), 1)
	cfg, err := parse(nil, "--config="+write(t, "lyceum.yaml", example))
	is.NoErr(err)
	is.Equal(cfg.Postgres.DSN, "postgres://x")
}

func TestEveryCommandAndFlagHasHelp(t *testing.T) {
	is := is.New(t)
	var seen int
	_ = kong.Visit(model(t), func(node kong.Visitable, next kong.Next) error {
		var name, help string
		switch n := node.(type) {
		case *kong.Node:
			name, help = n.Name, n.Help
		case *kong.Flag:
			name, help = "--"+n.Name, n.Help
		case *kong.Positional:
			name, help = n.Name, n.Help
		default:
			return next(nil)
		}
		seen++
		if !strings.HasSuffix(help, ".") || strings.Contains(help, "$") {
			t.Errorf("%s: the help is no sentence: %q", name, help)
		}
		return next(nil)
	})
	is.True(seen > 40)
}

func TestHelpNamesEveryVariable(t *testing.T) {
	is := is.New(t)
	_, help, _ := lyceum(t, nil, "serve", "--help")
	for _, s := range allSettings(t) {
		is.True(strings.Contains(strings.Join(strings.Fields(help), " "), "($"+variable(s.name)+")")) // the help names the variable
	}
}
