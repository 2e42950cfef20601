package arch_test

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Limits on the number of lines of a file. The test logs files with more lines than the first
// number of a pair, and fails for files with more than the second. Tests and the packages below
// test may be longer.
var (
	codeLines = [2]int{250, 400}
	testLines = [2]int{400, 700}
)

// top lists the folders of the first level, without hidden ones. Build output is written to bin and
// dist.
var top = []string{"adapters", "app", "bin", "cmd", "dist", "docs", "domain", "examples", "ports", "sdk", "test"}

// vague lists names that do not say what a package is for.
var vague = []string{"common", "helper", "helpers", "misc", "models", "types", "util", "utils"}

// folders returns the folders whose location or name is not allowed.
func folders(tr tree) []string {
	var bad []string
	for _, dir := range tr.folders {
		if !strings.Contains(dir, "/") && !slices.Contains(top, dir) {
			bad = append(bad, fmt.Sprintf("%s: is no folder of the first level", dir))
		}
		if slices.Contains(vague, path.Base(dir)) {
			bad = append(bad, fmt.Sprintf("%s: has a vague name", dir))
		}
	}
	return bad
}

// tooLong returns the files that are too long.
func tooLong(tr tree) []string { return longer(tr, 1) }

// nearlyTooLong returns the files that are nearly too long.
func nearlyTooLong(tr tree) []string { return longer(tr, 0) }

func longer(tr tree, level int) []string {
	var bad []string
	for _, s := range tr.sources {
		limit := codeLines[level]
		if s.test || s.in("test") {
			limit = testLines[level]
		}
		if s.lines > limit {
			bad = append(bad, fmt.Sprintf("%s: has %d lines, more than %d", s.path, s.lines, limit))
		}
	}
	return bad
}
