package arch_test

import (
	"fmt"
	"go/ast"
	"regexp"
	"strings"
)

// bannedNames lists names of other packages that the packages of a folder must not use. Times and
// ids come from ports.Clock and ports.IDs. A use case may derive an id from other values; the
// domain creates no ids.
var bannedNames = map[string][]ban{
	"domain": {clocks, {uuid, regexp.MustCompile(`^New`)}},
	"app":    {clocks, {uuid, regexp.MustCompile(`^New(String|UUID|Random.*|V6|V7.*|DCE.*)?$`)}},
}

// ban matches names of the package with the import path path.
type ban struct {
	path string
	name *regexp.Regexp
}

var clocks = ban{"time", regexp.MustCompile(`^(Now|Since|Until|After|AfterFunc|Tick|NewTicker|NewTimer|Sleep)$`)}

// bannedInDomain lists the packages that no domain package may import: packages that wait, do input
// or output, or encode records for transport or storage.
var bannedInDomain = []string{
	"context", "crypto/rand", "database/sql", "encoding/json", "html", "log", "math/rand", "math/rand/v2",
	"net", "net/http", "net/url", "os", "text/template",
}

// calls returns the uses of banned names.
func calls(tr tree) []string {
	var bad []string
	for _, s := range tr.production() {
		for folder, bans := range bannedNames {
			if s.in(folder) {
				bad = append(bad, named(tr, s, bans)...)
			}
		}
	}
	return bad
}

func named(tr tree, s source, bans []ban) []string {
	imported := s.names()
	var bad []string
	ast.Inspect(s.file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		pkg, ok := sel.X.(*ast.Ident)
		if !ok {
			return true
		}
		for _, b := range bans {
			if imported[pkg.Name] == b.path && b.name.MatchString(sel.Sel.Name) {
				bad = append(bad, fmt.Sprintf("%s: names %s.%s", tr.fset.Position(sel.Pos()), pkg.Name, sel.Sel.Name))
			}
		}
		return true
	})
	return bad
}

// impurities returns imports of the standard library that make a domain package impure, and tags on
// types of the domain.
func impurities(tr tree) []string {
	var bad []string
	for _, s := range tr.production() {
		if !s.in("domain") {
			continue
		}
		for _, p := range s.imports() {
			for _, o := range bannedInDomain {
				if within(p, o) && p != "net/mail" { // net/mail contains the grammar of email addresses
					bad = append(bad, fmt.Sprintf("%s: imports %s", s.path, p))
					break
				}
			}
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if f, ok := n.(*ast.Field); ok && f.Tag != nil {
				bad = append(bad, fmt.Sprintf("%s: has a tag", tr.fset.Position(f.Pos())))
			}
			return true
		})
	}
	return bad
}

// goroutines returns the go statements in the domain and in the use cases, whose functions must not
// start goroutines.
func goroutines(tr tree) []string {
	var bad []string
	for _, s := range tr.production() {
		if !s.in("domain") && !s.in("app") {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if g, ok := n.(*ast.GoStmt); ok {
				bad = append(bad, fmt.Sprintf("%s: starts a goroutine", tr.fset.Position(g.Pos())))
			}
			return true
		})
	}
	return bad
}

// testImports returns production files that import packages meant for tests.
func testImports(tr tree) []string {
	var bad []string
	for _, s := range tr.production() {
		for _, p := range s.imports() {
			if within(p, module+"/test") || p == "testing" || strings.HasPrefix(p, "testing/") {
				bad = append(bad, fmt.Sprintf("%s: imports %s", s.path, p))
			}
		}
	}
	return bad
}
