package arch_test

import (
	"go/ast"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// deniedNames contains the words that must not be names of packages, files, declarations, methods
// or fields: metaphors, and words that only refer to other words. docs/vocabulary.md lists the
// words to use instead.
var deniedNames = words(`
	herald bell ear ears ring nudge crowd circle circles sighting sightings sitting sittings seat
	seats seated unseat roll handedIn redeemed together patience hasty goingBy stillSo later told
	tell rehearses rehearsing spoilt trade hopeless given keeper shelf restand rescore misplaced
	standing standings survive wordly unset truthOf wholeOf slack roof garbage figures journal
	bookmark bookmarks spot ending leaf other others meanwhile anew`)

// fragments contains participles and adverbs that must not be the whole name of a type, function or
// file.
var fragments = words(`learned taught begun left beyond behind beside`)

func words(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[strings.ToLower(w)] = true
	}
	return set
}

// declaredName is the name of a declaration, method, field, file or package.
type declaredName struct {
	path, name string
	field      bool
}

// TestDeniedNames enforces docs/style.md for the names of the module, except for names of locals
// and parameters.
func TestDeniedNames(t *testing.T) {
	for _, s := range repository(t).sources {
		for _, n := range namesOf(s) {
			if denied(n) {
				t.Errorf("%s: the name %s is denied: see docs/vocabulary.md", n.path, n.name)
			}
		}
	}
}

func TestDeniedNamesAreFound(t *testing.T) {
	is := is.New(t)
	for _, name := range []string{"bell", "Seats", "handedin", "taught"} {
		is.True(denied(declaredName{name: name})) // name is denied
	}
	for _, name := range []string{"Label", "leftJoin", "notifier"} {
		is.True(!denied(declaredName{name: name})) // name is not denied
	}
	is.True(!denied(declaredName{name: "left", field: true})) // allowed as a field
	seen := map[string]bool{}
	for _, s := range repository(t).sources {
		for _, n := range namesOf(s) {
			seen[n.name] = true
		}
	}
	is.True(seen["Restore"] && seen["CreatedAt"] && seen["InTx"]) // functions, fields and methods are found
}

func denied(n declaredName) bool {
	name := strings.ToLower(n.name)
	return deniedNames[name] || fragments[name] && !n.field
}

// suffixes matches the parts at the end of a file name that are not part of its words.
var suffixes = regexp.MustCompile(`(_internal)?(_test)?\.go$`)

// namesOf returns all names in a file except local ones.
func namesOf(s source) []declaredName {
	all := []declaredName{{path: s.path, name: s.file.Name.Name}, {path: s.path, name: suffixes.ReplaceAllString(path.Base(s.path), "")}}
	add := func(id *ast.Ident, field bool) { all = append(all, declaredName{s.path, id.Name, field}) }
	for _, d := range s.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			add(d.Name, false)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						add(id, true)
					}
				case *ast.TypeSpec:
					add(spec.Name, false)
					members(spec.Type, func(id *ast.Ident) { add(id, true) })
				}
			}
		}
	}
	return all
}

// members calls add for the fields and methods of a type.
func members(t ast.Expr, add func(*ast.Ident)) {
	ast.Inspect(t, func(n ast.Node) bool {
		var list *ast.FieldList
		switch n := n.(type) {
		case *ast.StructType:
			list = n.Fields
		case *ast.InterfaceType:
			list = n.Methods
		case *ast.FuncType:
			return false
		}
		if list != nil {
			for _, f := range list.List {
				for _, id := range f.Names {
					add(id)
				}
			}
		}
		return true
	})
}
