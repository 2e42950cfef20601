// Package arch_test contains the rules of the source tree: which package may import which, which
// calls are banned where, how long a file may be, and which phrases are denied. The tests parse the
// source. docs/adr/0001-layers.md describes the layers.
package arch_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// module is the module path in go.mod.
const module = "lyceum"

// tree contains the source of the module.
type tree struct {
	fset       *token.FileSet
	sources    []source
	migrations map[string]string // text of each SQL migration, by path
	folders    []string          // every folder below the root, with slashes
}

// source is one Go file.
type source struct {
	path  string // path from the root, with slashes
	dir   string
	test  bool // whether this is a _test.go file
	lines int  // number of lines; 0 in a generated file, which people do not read
	file  *ast.File
}

// imports returns the paths that the file imports, sorted.
func (s source) imports() []string {
	var paths []string
	for _, spec := range s.file.Imports {
		p, _ := strconv.Unquote(spec.Path.Value) // the parser has checked the syntax
		paths = append(paths, p)
	}
	slices.Sort(paths)
	return paths
}

// names maps the names of the imported packages in the file to their paths.
func (s source) names() map[string]string {
	names := map[string]string{}
	for _, spec := range s.file.Imports {
		p, _ := strconv.Unquote(spec.Path.Value)
		name := path.Base(p)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = p
	}
	return names
}

// in reports whether the file is in folder or below it.
func (s source) in(folder string) bool {
	return s.dir == folder || strings.HasPrefix(s.dir, folder+"/")
}

// repository returns the tree of the module that contains this test.
func repository(t *testing.T) tree {
	t.Helper()
	return load(t, os.DirFS(rootOf(t)))
}

// rootOf returns the folder that contains go.mod.
func rootOf(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = up
	}
}

// load parses the module whose root is fsys, without hidden folders, test data and nested modules.
func load(t *testing.T, fsys fs.FS) tree {
	t.Helper()
	tr := tree{fset: token.NewFileSet(), migrations: map[string]string{}}
	err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return tr.enter(fsys, p, d.Name())
		case strings.HasSuffix(p, ".go"):
			return tr.parse(fsys, p)
		case strings.HasPrefix(p, "adapters/postgres/") && strings.HasSuffix(p, ".sql"):
			text, err := fs.ReadFile(fsys, p)
			tr.migrations[p] = string(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func (tr *tree) enter(fsys fs.FS, p, name string) error {
	if p == "." {
		return nil
	}
	if strings.HasPrefix(name, ".") || name == "testdata" {
		return fs.SkipDir
	}
	if _, err := fs.Stat(fsys, path.Join(p, "go.mod")); err == nil {
		return fs.SkipDir
	}
	tr.folders = append(tr.folders, p)
	return nil
}

func (tr *tree) parse(fsys fs.FS, p string) error {
	text, err := fs.ReadFile(fsys, p)
	if err != nil {
		return err
	}
	file, err := parser.ParseFile(tr.fset, p, text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return err
	}
	lines := bytes.Count(text, []byte("\n"))
	if ast.IsGenerated(file) {
		lines = 0
	}
	tr.sources = append(tr.sources, source{
		path: p, dir: path.Dir(p), test: strings.HasSuffix(p, "_test.go"), lines: lines, file: file,
	})
	return nil
}

// production returns the files of the program, without tests and packages below test.
func (tr tree) production() []source {
	var shipped []source
	for _, s := range tr.sources {
		if !s.test && !s.in("test") {
			shipped = append(shipped, s)
		}
	}
	return shipped
}
