package arch_test

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Lines of a file: beyond the first number of a pair a file is named in the
// test's log, beyond the second the test fails. Tests and the suites below test
// have more room.
var (
	codeLines = [2]int{250, 400}
	testLines = [2]int{400, 700}
)

// top is the folders of the first level; hidden ones are not looked at. What is
// built goes to bin.
var top = []string{"adapters", "app", "bin", "cmd", "docs", "domain", "ports", "test"}

// vague is names that say nothing of what a package is for.
var vague = []string{"common", "helper", "helpers", "misc", "models", "types", "util", "utils"}

// folders finds folders that have no place or no proper name.
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

// tooLong finds the files that are too long to be read at once.
func tooLong(tr tree) []string { return longer(tr, 1) }

// rather finds the files that are about to be too long.
func rather(tr tree) []string { return longer(tr, 0) }

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
