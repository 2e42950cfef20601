package arch_test

import (
	"fmt"
	"maps"
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

// folderFiles is the maximum number of files in a folder, not counting tests. A package with more
// has several purposes, or files that belong together.
const folderFiles = 50

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

// tooFull returns the folders with too many files. It ignores tests, but not suites of tests.
func tooFull(tr tree) []string {
	files := map[string]int{}
	for _, s := range tr.sources {
		if !s.test {
			files[s.dir]++
		}
	}
	var bad []string
	for _, dir := range slices.Sorted(maps.Keys(files)) {
		if files[dir] > folderFiles {
			bad = append(bad, fmt.Sprintf("%s: has %d files, more than %d", dir, files[dir], folderFiles))
		}
	}
	return bad
}

// undescribed returns the packages without exactly one package comment, and the files whose package
// comment does not start with the name of the package. It ignores tests.
func undescribed(tr tree) []string {
	comments := map[string]int{}
	var bad []string
	for _, s := range tr.sources {
		if s.test {
			continue
		}
		comments[s.dir] += 0
		if s.file.Doc == nil {
			continue
		}
		comments[s.dir]++
		start := "Package " + s.file.Name.Name
		if s.file.Name.Name != "main" && !strings.HasPrefix(s.file.Doc.Text(), start+" ") {
			bad = append(bad, fmt.Sprintf("%s: the package comment does not start with %q", s.path, start))
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(comments)) {
		if comments[dir] != 1 {
			bad = append(bad, fmt.Sprintf("%s: has %d package comments, want 1", dir, comments[dir]))
		}
	}
	slices.Sort(bad)
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
