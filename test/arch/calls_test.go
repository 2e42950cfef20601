package arch_test

import (
	"fmt"
	"go/ast"
	"regexp"
	"strings"
)

// banned is what the packages of a folder may not name. Time and identifiers
// come from ports.Clock and ports.IDs; a use case may derive an identifier from
// other values, the domain makes none.
var banned = map[string][]ban{
	"domain": {clocks, {uuid, regexp.MustCompile(`^New`)}},
	"app":    {clocks, {uuid, regexp.MustCompile(`^New(String|UUID|Random.*|V6|V7.*|DCE.*)?$`)}},
}

// ban is names of the package that is imported as path.
type ban struct {
	path string
	name *regexp.Regexp
}

var clocks = ban{"time", regexp.MustCompile(`^(Now|Since|Until|After|AfterFunc|Tick|NewTicker|NewTimer|Sleep)$`)}

// outside is what no domain package may import: what waits, speaks to the
// world, or knows how a record is sent or stored.
var outside = []string{
	"context", "crypto/rand", "database/sql", "encoding/json", "html", "log", "math/rand", "math/rand/v2",
	"net", "net/http", "net/url", "os", "text/template",
}

// calls finds the banned names.
func calls(tr tree) []string {
	var bad []string
	for _, s := range tr.production() {
		for folder, bans := range banned {
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

// impurities finds what keeps a domain package from being pure although the
// standard library offers it, and tags on its types.
func impurities(tr tree) []string {
	var bad []string
	for _, s := range tr.production() {
		if !s.in("domain") {
			continue
		}
		for _, p := range s.imports() {
			for _, o := range outside {
				if within(p, o) && p != "net/mail" { // the grammar of addresses, no mail
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

// goroutines finds go statements where nothing may run beside the caller: in
// the domain and in the use cases.
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

// backdoors finds shipped files that import what is there for tests.
func backdoors(tr tree) []string {
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
