// Command lint is the project's own choice of published analyzers, as a tool for
// go vet, which keeps its results with those of its builds:
//
//	go vet -vettool=bin/lint ./...
//
// A comment //lint:ignore NAME why, at the end of a line, allows what NAME finds
// there; exceptions.go names the folders in which more is allowed.
package main

import (
	"os"
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
)

// published is what others made, beside the passes of go vet.
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

// wrapped wants errors wrapped, too.
var wrapped = errorlint.NewAnalyzer()

func main() {
	if file := os.Args[len(os.Args)-1]; foreign(file) {
		unitchecker.Run(file, nil) // ends the program
	}
	// Writing to a person's terminal: there is nobody to tell of a failure.
	errcheck.DefaultExcludedSymbols = append(errcheck.DefaultExcludedSymbols, "fmt.Fprint", "fmt.Fprintf", "fmt.Fprintln")

	set(wrapped, "errorf", "true")
	all := slices.Concat(passes, published, adapted, []*analysis.Analyzer{forbidden()})
	for _, a := range all {
		exempt(a)
	}
	unitchecker.Main(all...)
}
