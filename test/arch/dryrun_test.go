package arch_test

import (
	"fmt"
	"go/ast"
	"slices"
)

// withoutActor lists the files of use cases that open transactions of the store directly: the file
// that implements dry runs, and the files of the operator and of workers, which have no actor.
var withoutActor = []string{"app/usecase/tx.go", "app/bulk/apply.go", "app/operator/reconcile.go"}

// committedByDryRun returns transactions of use cases that would be committed even in a dry run.
// They use a store, as in u.deps.Store.InTx, instead of u.deps.InTx.
func committedByDryRun(tr tree) []string {
	var bad []string
	for _, s := range tr.production() {
		if !s.in("app") || slices.Contains(withoutActor, s.path) {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "InTx" && isStore(sel.X) {
				bad = append(bad, fmt.Sprintf("%s: opens a transaction without Deps.InTx", tr.fset.Position(sel.Pos())))
			}
			return true
		})
	}
	return bad
}

// isStore reports whether an expression has the name of a store.
func isStore(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "store"
	case *ast.SelectorExpr:
		return e.Sel.Name == "Store" || e.Sel.Name == "store"
	}
	return false
}
