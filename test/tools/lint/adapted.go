package main

import (
	"go/ast"
	"go/token"

	"github.com/golangci/misspell"
	"github.com/golangci/unconvert"
	"github.com/tetafro/godot"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/buildssa"
	"golang.org/x/tools/go/packages"
	"mvdan.cc/unparam/check"
)

// adapted contains published checkers that do not provide an analysis.Analyzer. The functions below
// call them.
var adapted = []*analysis.Analyzer{
	{Name: "godot", Doc: "check that comments end in a period", Run: periods},
	{Name: "misspell", Doc: "check the spelling of common words", Run: spelling},
	{Name: "unconvert", Doc: "check for conversions that change nothing", Run: conversions},
	{Name: "unparam", Doc: "check for parameters and results without use", Run: parameters, Requires: []*analysis.Analyzer{buildssa.Analyzer}},
}

func periods(pass *analysis.Pass) (any, error) {
	for _, file := range pass.Files {
		issues, err := godot.Run(file, pass.Fset, godot.Settings{Scope: godot.DeclScope, Period: true})
		if err != nil {
			return nil, err
		}
		for _, i := range issues {
			pass.Reportf(at(pass, file, i.Pos.Line, i.Pos.Column), "%s", i.Message)
		}
	}
	return nil, nil
}

func spelling(pass *analysis.Pass) (any, error) {
	words := misspell.New()
	for _, file := range pass.Files {
		text, err := pass.ReadFile(pass.Fset.File(file.Pos()).Name())
		if err != nil {
			return nil, err
		}
		_, found := words.Replace(string(text))
		for _, d := range found {
			pass.Reportf(at(pass, file, d.Line, d.Column+1), "%s should be %s", d.Original, d.Corrected)
		}
	}
	return nil, nil
}

func conversions(pass *analysis.Pass) (any, error) {
	for _, p := range unconvert.Run(pass) {
		for _, file := range pass.Files {
			if pass.Fset.File(file.Pos()).Name() == p.Filename {
				pass.Reportf(at(pass, file, p.Line, p.Column), "unnecessary conversion")
			}
		}
	}
	return nil, nil
}

func parameters(pass *analysis.Pass) (any, error) {
	built := pass.ResultOf[buildssa.Analyzer].(*buildssa.SSA)
	var c check.Checker
	c.Packages([]*packages.Package{{Fset: pass.Fset, Syntax: pass.Files, Types: pass.Pkg, TypesInfo: pass.TypesInfo}})
	c.ProgramSSA(built.Pkg.Prog)
	issues, err := c.Check()
	if err != nil {
		return nil, err
	}
	for _, i := range issues {
		pass.Reportf(i.Pos(), "%s", i.Message())
	}
	return nil, nil
}

// at returns the position of a 1-based line and column in a file.
func at(pass *analysis.Pass, file *ast.File, line, column int) token.Pos {
	return pass.Fset.File(file.Pos()).LineStart(line) + token.Pos(column-1)
}
