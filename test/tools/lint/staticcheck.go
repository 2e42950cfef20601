package main

import (
	"go/ast"
	"slices"

	"golang.org/x/tools/go/analysis"
	"honnef.co/go/tools/simple"
	"honnef.co/go/tools/staticcheck"
	"honnef.co/go/tools/stylecheck"
	"honnef.co/go/tools/unused"
)

// unwantedChecks contains the checks of staticcheck that the code need not pass: they require
// comments of one form and other names than the Go standard library uses.
var unwantedChecks = []string{"ST1000", "ST1003", "ST1016", "ST1020", "ST1021", "ST1022"}

// staticchecks returns the analyzers of staticcheck. The program staticcheck itself would also
// collect all facts about dependencies, which takes longer than all other checks together.
func staticchecks() (all []*analysis.Analyzer) {
	for _, a := range slices.Concat(simple.Analyzers, staticcheck.Analyzers, stylecheck.Analyzers) {
		if !slices.Contains(unwantedChecks, a.Analyzer.Name) {
			all = append(all, a.Analyzer)
		}
	}
	return append(all, unusedCode())
}

// unusedCode returns an analyzer that reports what unused.Analyzer finds. The go command analyzes a
// package together with its tests, so code that only tests use is used.
func unusedCode() *analysis.Analyzer {
	find := unused.Analyzer.Analyzer
	return &analysis.Analyzer{
		Name: find.Name, Doc: find.Doc, Requires: []*analysis.Analyzer{find},
		Run: func(pass *analysis.Pass) (any, error) {
			found := pass.ResultOf[find].(unused.Result)
			for _, o := range found.Unused {
				// A field of a generic type has several objects at one place.
				isUsed := slices.ContainsFunc(found.Used, func(u unused.Object) bool { return u.Position == o.Position })
				if file := fileOf(pass, o.Position.Filename); file != nil && !isUsed {
					pass.Reportf(at(pass, file, o.Position.Line, o.Position.Column), "%s %s is unused", o.Kind, o.Name)
				}
			}
			return nil, nil
		},
	}
}

// fileOf returns the file of the package with the given name, or nil.
func fileOf(pass *analysis.Pass, name string) *ast.File {
	for _, f := range pass.Files {
		if pass.Fset.File(f.Pos()).Name() == name {
			return f
		}
	}
	return nil
}
