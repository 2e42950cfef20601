// Command lint runs the analyzers of go vet and staticcheck, and others, as a tool of go vet, which caches their results together
// with the results of builds:
//
//	go vet -vettool=bin/lint ./...
//
// A comment //lint:ignore NAME reason at the end of a line suppresses the findings of NAME there.
// exceptions.go has further exceptions by folder.
package main

import (
	"os"
	"runtime/debug"
	"slices"

	"codeberg.org/polyfloyd/go-errorlint/errorlint"
	errname "github.com/Antonboom/errname/pkg/analyzer"
	"github.com/golangci/rowserrcheck/passes/rowserr"
	"github.com/gordonklaus/ineffassign/pkg/ineffassign"
	"github.com/gostaticanalysis/nilerr"
	"github.com/kisielk/errcheck/errcheck"
	"github.com/ldez/usetesting"
	sqlclosecheck "github.com/ryanrolds/sqlclosecheck/pkg/analyzer"
	"github.com/sanposhiho/wastedassign/v2"
	"github.com/sonatard/noctx"
	"github.com/timakin/bodyclose/passes/bodyclose"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"
	"honnef.co/go/tools/analysis/facts/deprecated"
)

// published contains analyzers of other projects, in addition to the analyzers of go vet.
var published = []*analysis.Analyzer{
	bodyclose.Analyzer,
	errcheck.Analyzer,
	errname.New(),
	wrapped,
	ineffassign.Analyzer,
	nilerr.Analyzer,
	noctx.Analyzer,
	rowserr.NewAnalyzer(),
	sqlclosecheck.NewAnalyzer(),
	usetesting.NewAnalyzer(),
	wastedassign.Analyzer,
}

// wrapped requires, among other rules, that errors are wrapped with %w.
var wrapped = errorlint.NewAnalyzer()

func main() {
	// The go command starts the program once for each package. Without a memory limit as the only
	// reason to collect garbage, the program would take three times as much processor time.
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(1 << 30)

	if file := os.Args[len(os.Args)-1]; foreign(file) {
		unitchecker.Run(file, []*analysis.Analyzer{deprecated.Analyzer}) // exits the program
	}
	// Errors of output to a terminal are ignored, because they could not be reported.
	errcheck.DefaultExcludedSymbols = append(errcheck.DefaultExcludedSymbols, "fmt.Fprint", "fmt.Fprintf", "fmt.Fprintln")

	set(wrapped, "errorf", "true")
	all := slices.Concat(passes, published, adapted, staticchecks(), []*analysis.Analyzer{forbidden()})
	for _, a := range all {
		exempt(a)
	}
	unitchecker.Main(all...)
}
