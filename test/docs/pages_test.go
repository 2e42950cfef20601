package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// page is a Markdown file.
type page struct {
	path string // path from the root, with slashes
	text string
}

// pages returns all Markdown files of the repository except the introduction of the API
// description, which is not shown as a page of the repository.
func pages(t *testing.T) []page {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && (name == "node_modules" || name == "bin" || name == "testdata" || path != root && strings.HasPrefix(name, ".")):
			return filepath.SkipDir
		case strings.HasSuffix(name, ".md") && name != "description.md":
			paths = append(paths, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var all []page
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, page{filepath.ToSlash(strings.TrimPrefix(path, root)), string(text)})
	}
	return all
}

// section returns the text below a heading of level 2, up to the next heading of level 2.
func section(t *testing.T, path, title string) string {
	t.Helper()
	text, err := os.ReadFile(root + path)
	if err != nil {
		t.Fatal(err)
	}
	_, below, found := strings.Cut(string(text), "\n## "+title+"\n")
	if !found {
		t.Fatalf("%s has no section %q", path, title)
	}
	below, _, _ = strings.Cut(below, "\n## ")
	return below
}

// console returns the lines of a section that start with a prompt, with the prompt removed.
func console(t *testing.T, path, title string) []string {
	t.Helper()
	var lines []string
	for line := range strings.Lines(section(t, path, title)) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			lines = append(lines, strings.TrimSpace(command))
		}
	}
	if len(lines) == 0 {
		t.Fatalf("%s has no commands below %q", path, title)
	}
	return lines
}

// block returns the first code block of a language in a section of the README.
func block(t *testing.T, title, language string) string {
	t.Helper()
	_, after, found := strings.Cut(section(t, "README.md", title), "\n```"+language+"\n")
	code, _, closed := strings.Cut(after, "```")
	if !found || !closed {
		t.Fatalf("README.md has no %s below %q", language, title)
	}
	return code
}

var fence = regexp.MustCompile("(?ms)^ *```.*?^ *```$")

// prose returns the text without code blocks.
func (p page) prose() string { return fence.ReplaceAllString(p.text, "") }

// blocks returns the code blocks.
func (p page) blocks() []string { return fence.FindAllString(p.text, -1) }

var span = regexp.MustCompile("`([^`\n]+)`")

// spans returns the texts between backticks outside code blocks.
func (p page) spans() []string {
	var all []string
	for _, m := range span.FindAllStringSubmatch(p.prose(), -1) {
		all = append(all, m[1])
	}
	return all
}
