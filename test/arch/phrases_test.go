package arch_test

import (
	"go/ast"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// phrase is a row of the table of denied phrases in docs/style.md.
type phrase struct {
	expr    *regexp.Regexp
	instead string // phrase to use instead
}

// passage is a text for people: a comment, a string, or a paragraph.
type passage struct {
	path string
	line int
	text string
}

// TestPhrases enforces docs/style.md, section "Denied phrases", for all comments, strings, pages
// and descriptions of the API.
func TestPhrases(t *testing.T) {
	root := rootOf(t)
	denied := deniedPhrases(t, root)
	excepted := exceptions(t, "testdata/phrases.txt")
	used := map[string]bool{}
	for _, p := range passages(t, root) {
		for _, d := range denied {
			for _, hit := range d.expr.FindAllString(p.text, -1) {
				key := p.path + "\t" + strings.ToLower(strings.Trim(hit, ".;:, "))
				if excepted[key] {
					used[key] = true
					continue
				}
				t.Errorf("%s:%d: %q: write %s", p.path, p.line, hit, d.instead)
			}
		}
	}
	for key := range excepted {
		if !used[key] {
			t.Errorf("testdata/phrases.txt: %q is an exception that nothing needs", key)
		}
	}
}

// TestPhrasesAreFound checks that texts of every kind are read, and that the expressions match
// denied phrases and nothing else.
func TestPhrasesAreFound(t *testing.T) {
	is := is.New(t)
	root := rootOf(t)
	kinds := map[string]bool{}
	for _, p := range passages(t, root) {
		kinds[filepath.Ext(p.path)] = true
	}
	is.True(kinds[".go"] && kinds[".md"] && kinds[".yaml"]) // all kinds of files are read
	denied := deniedPhrases(t, root)
	is.True(len(denied) >= 40) // the table of docs/style.md is read
	finds := func(text string) bool {
		return slices.ContainsFunc(denied, func(d phrase) bool { return d.expr.MatchString(text) })
	}
	for _, text := range []string{
		"It tells whether nobody is there.", "Who comes late waits.", "The record stands in the list.",
		"an answer that there is not.", "The school has not.", "It sets all counts right.",
	} {
		if !finds(text) {
			t.Errorf("no expression finds %q", text)
		}
	}
	for _, text := range []string{
		"Active reports whether the key is valid.", "TLS stands for Transport Layer Security.",
		"The server runs behind a proxy.", "There is no such course.",
	} {
		if finds(text) {
			t.Errorf("an expression finds %q", text)
		}
	}
}

// deniedPhrases returns the rows of the table in docs/style.md.
func deniedPhrases(t *testing.T, root string) []phrase {
	t.Helper()
	text := read(t, filepath.Join(root, "docs/style.md"))
	row := regexp.MustCompile("(?m)^\\| `(.+)` \\| (.+) \\|$")
	var denied []phrase
	_, table, _ := strings.Cut(text, "## Denied phrases")
	for _, m := range row.FindAllStringSubmatch(table, -1) {
		denied = append(denied, phrase{regexp.MustCompile(strings.ReplaceAll(m[1], `\|`, "|")), m[2]})
	}
	return denied
}

// passages returns all texts in the repository that people read.
func passages(t *testing.T, root string) []passage {
	t.Helper()
	tr := repository(t)
	var all []passage
	for _, s := range tr.sources {
		if s.path == "test/arch/names_test.go" || s.path == "test/arch/local_names_test.go" || s.path == "test/arch/phrases_test.go" { // these files quote the phrases
			continue
		}
		all = append(all, commentsOf(tr.fset, s)...)
		all = append(all, stringsOf(tr.fset, s)...)
	}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, p)
		name = filepath.ToSlash(name)
		switch {
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") && name != "." || d.Name() == "node_modules" || d.Name() == "testdata"):
			return filepath.SkipDir
		case d.IsDir(), name == "docs/style.md", name == "docs/vocabulary.md": // these pages quote the phrases
		case strings.HasSuffix(name, ".md"):
			all = append(all, paragraphs(name, read(t, p))...)
		case strings.HasSuffix(name, ".yaml") && strings.HasPrefix(name, "adapters/httpapi/openapi/"):
			all = append(all, descriptions(name, read(t, p))...)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// commentsOf returns the comments of a Go file, each as one line.
func commentsOf(fset *token.FileSet, s source) []passage {
	var all []passage
	for _, group := range s.file.Comments {
		text := strings.Join(strings.Fields(group.Text()), " ")
		all = append(all, passage{s.path, fset.Position(group.Pos()).Line, text})
	}
	return all
}

// stringsOf returns the string literals of a Go file, without import paths.
func stringsOf(fset *token.FileSet, s source) []passage {
	var all []passage
	ast.Inspect(s.file, func(n ast.Node) bool {
		if _, ok := n.(*ast.ImportSpec); ok {
			return false
		}
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				all = append(all, passage{s.path, fset.Position(lit.Pos()).Line, strings.Join(strings.Fields(text), " ")})
			}
		}
		return true
	})
	return all
}

// paragraphs returns the paragraphs of a Markdown page, without code blocks.
func paragraphs(name, text string) []passage {
	var all []passage
	var lines []string
	first, code := 0, false
	flush := func() {
		if len(lines) > 0 {
			all = append(all, passage{name, first, strings.Join(lines, " ")})
		}
		lines = nil
	}
	for i, line := range strings.Split(text, "\n") {
		switch trimmed := strings.TrimSpace(line); {
		case strings.HasPrefix(trimmed, "```"):
			code = !code
			flush()
		case code:
		case trimmed == "":
			flush()
		default:
			if len(lines) == 0 {
				first = i + 1
			}
			lines = append(lines, trimmed)
		}
	}
	flush()
	return all
}

// descriptions returns the summaries and descriptions of a file of the OpenAPI document, including
// texts of several lines.
func descriptions(name, text string) []passage {
	key := regexp.MustCompile(`^(\s*)(?:- )?(?:summary|description): *(.*)$`)
	var all []passage
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		m := key.FindStringSubmatch(lines[i])
		if m == nil {
			continue
		}
		p := passage{name, i + 1, strings.TrimLeft(m[2], "|>-")}
		for i+1 < len(lines) && (strings.TrimSpace(lines[i+1]) == "" || strings.HasPrefix(lines[i+1], m[1]+"  ")) {
			i++
			p.text += " " + strings.TrimSpace(lines[i])
		}
		all = append(all, passage{p.path, p.line, strings.TrimSpace(p.text)})
	}
	return all
}

// exceptions returns the lines of a file of test data without blank lines and comments (#). The
// text after the second tab of a line is the reason and is not returned.
func exceptions(t *testing.T, name string) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for line := range strings.Lines(read(t, name)) {
		line = strings.TrimRight(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if parts := strings.Split(line, "\t"); len(parts) > 2 {
			line = parts[0] + "\t" + parts[1]
		}
		all[line] = true
	}
	return all
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
