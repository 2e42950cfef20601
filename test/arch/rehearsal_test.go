package arch_test

import (
	"fmt"
	"go/ast"
	"slices"
)

// untold is the files of use cases that open transactions by themselves: the one
// that knows of rehearsals, and those of the operator and of workers, who have no
// actor.
var untold = []string{"app/rehearsal.go", "app/keep.go", "app/bulkwork.go", "app/rebuild.go"}

// unrehearsed finds transactions of use cases that would be kept although their
// actor only rehearses.
func unrehearsed(tr tree) []string {
	var bad []string
	for _, s := range tr.production() {
		if !s.in("app") || slices.Contains(untold, s.path) {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "InTx" {
				bad = append(bad, fmt.Sprintf("%s: opens a transaction without inTx", tr.fset.Position(sel.Pos())))
			}
			return true
		})
	}
	return bad
}
