package arch_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"

	"github.com/matryer/is"
)

// deniedLocals contains the words that must not be names of variables, parameters or results in
// functions. docs/vocabulary.md lists the words to use instead.
var deniedLocals = words(`
	told tell letter letters place places crowd seat seats nobody somebody everybody whoever books
	house houses behind beside handed herald bell ear anew meanwhile taught`)

// TestDeniedLocalNames enforces docs/vocabulary.md for the names that TestDeniedNames ignores.
func TestDeniedLocalNames(t *testing.T) {
	is := is.New(t)
	seen := map[string]bool{}
	for _, s := range repository(t).sources {
		for _, id := range localNames(s.file) {
			seen[id.Name] = true
			if deniedLocals[id.Name] {
				t.Errorf("%s: the local name %s is denied: see docs/vocabulary.md", s.path, id.Name)
			}
		}
	}
	is.True(seen["err"] && seen["ctx"] && seen["i"]) // variables, parameters and loop variables are found
}

func TestLocalNamesAreFound(t *testing.T) {
	is := is.New(t)
	const text = `package p
func f(a int) (b int) {
	c, d := 1, 2
	var e int
	for g, h := range [2]int{} {
		func(k int) {}(g + h)
	}
	a, b = b, a
	return c + d + e
}`
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", text, 0)
	is.NoErr(err)
	found := ""
	for _, id := range localNames(file) {
		found += id.Name
	}
	is.Equal(found, "abcdeghk")
}

// localNames returns the names that the functions of a file define: parameters, results and
// variables.
func localNames(file *ast.File) (found []*ast.Ident) {
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncType:
				found = append(found, fieldNames(n.Params)...)
				found = append(found, fieldNames(n.Results)...)
			case *ast.AssignStmt:
				if n.Tok == token.DEFINE {
					found = append(found, identifiers(n.Lhs...)...)
				}
			case *ast.RangeStmt:
				if n.Tok == token.DEFINE {
					found = append(found, identifiers(n.Key, n.Value)...)
				}
			case *ast.ValueSpec:
				found = append(found, n.Names...)
			}
			return true
		})
	}
	return found
}

func fieldNames(list *ast.FieldList) (names []*ast.Ident) {
	if list == nil {
		return nil
	}
	for _, f := range list.List {
		names = append(names, f.Names...)
	}
	return names
}

func identifiers(all ...ast.Expr) (names []*ast.Ident) {
	for _, e := range all {
		if id, ok := e.(*ast.Ident); ok {
			names = append(names, id)
		}
	}
	return names
}
