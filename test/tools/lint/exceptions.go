package main

import (
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gostaticanalysis/nilerr"
	"golang.org/x/tools/go/analysis"
)

// exceptions contains accepted findings: the findings of the named analyzers whose file path and
// message match.
var exceptions = []struct {
	of         []string
	file, says *regexp.Regexp
}{
	// Every package uses fault.Fault and fault.List, and their names are clear without Error.
	{[]string{"errname"}, regexp.MustCompile(`^domain/fault/`), regexp.MustCompile(``)},
	// policy.NoEffect is a verdict and not a failure, like fs.SkipDir.
	{[]string{"errname", "ST1012"}, regexp.MustCompile(`^domain/policy/policy\.go$`), regexp.MustCompile(`NoEffect`)},
	// Adapters and commands implement ports.Clock and ports.IDs. Tests and measurements may use the
	// system clock and random ids.
	{[]string{"forbidigo"}, regexp.MustCompile(`^(adapters|cmd|test)/|_test\.go$`), regexp.MustCompile(`time\.|uuid\.`)},
	// The caller of the SDK limits the time by a context, and examples print.
	{[]string{"forbidigo"}, regexp.MustCompile(`^sdk/go/client\.go$`), regexp.MustCompile(`http\.DefaultClient`)},
	{[]string{"forbidigo"}, regexp.MustCompile(`^sdk/go(_test)?/.*_test\.go$`), regexp.MustCompile(`fmt\.`)},
	// Tests need no time limits for requests to servers that they have started themselves.
	{[]string{"noctx", "forbidigo"}, regexp.MustCompile(`^test/|_test\.go$`), regexp.MustCompile(`http\.|net/http|net\.|exec\.|database/sql`)},
}

// exempt replaces a.Run with a function that drops two kinds of findings: findings that match
// exceptions, and findings on a line with a lint:ignore comment for a. The function also reports
// lint:ignore comments that suppress nothing.
func exempt(a *analysis.Analyzer) {
	run := a.Run
	a.Run = func(pass *analysis.Pass) (any, error) {
		report, ignored := pass.Report, ignored(pass, a.Name)
		needless := map[line]token.Pos{}
		if a != nilerr.Analyzer { // nilerr handles such comments itself
			maps.Copy(needless, ignored)
		}
		pass.Report = func(d analysis.Diagnostic) {
			l := lineOf(pass, d.Pos)
			delete(needless, l)
			if _, ok := ignored[l]; !ok && !excepted(pass, a.Name, d) {
				d.Message = a.Name + ": " + d.Message
				report(d)
			}
		}
		result, err := run(pass)
		for _, pos := range needless {
			report(analysis.Diagnostic{Pos: pos, Message: a.Name + " finds nothing to ignore here"})
		}
		return result, err
	}
}

func excepted(pass *analysis.Pass, name string, d analysis.Diagnostic) bool {
	folder := strings.TrimPrefix(pass.Pkg.Path(), "lyceum/")
	file := path.Join(folder, path.Base(pass.Fset.Position(d.Pos).Filename))
	for _, e := range exceptions {
		if slices.Contains(e.of, name) && e.file.MatchString(file) && e.says.MatchString(d.Message) {
			return true
		}
	}
	return false
}

type line struct {
	file string
	line int
}

func lineOf(pass *analysis.Pass, pos token.Pos) line {
	p := pass.Fset.Position(pos)
	return line{p.Filename, p.Line}
}

// ignored returns the lines that end in //lint:ignore and the name of the analyzer. The comment
// must contain a reason.
func ignored(pass *analysis.Pass, name string) map[line]token.Pos {
	lines := map[line]token.Pos{}
	for _, file := range pass.Files {
		for _, group := range file.Comments {
			for _, c := range group.List {
				words := strings.Fields(c.Text)
				if words[0] == "//lint:ignore" && len(words) > 1 && slices.Contains(strings.Split(words[1], ","), name) {
					lines[lineOf(pass, c.Pos())] = c.Pos()
				}
			}
		}
	}
	return lines
}
