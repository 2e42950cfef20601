package text

import (
	"regexp"
	"strings"
)

// formulaGuard is inserted before each formula in a cell of a table, so that spreadsheets do not
// evaluate the formula. It is also inserted before a formula that already has a guard, so that
// UnguardFormula is the inverse of GuardFormula.
const formulaGuard = "'"

// formula matches where a spreadsheet starts to evaluate: at the start of a cell, and after a
// semicolon, which separates cells in locales with a decimal comma. Full-width characters are
// treated like their ASCII equivalents.
var (
	formula        = regexp.MustCompile(`(^|;[ "]*)(` + formulaGuard + `*[=+\-@＝＋－＠\t\r])`)
	guardedFormula = regexp.MustCompile(`(^|;[ "]*)` + formulaGuard + `(` + formulaGuard + `*[=+\-@＝＋－＠\t\r])`)
)

// GuardFormula returns a cell of a table with a guard before each formula, so that spreadsheets
// show the formula as text.
func GuardFormula(cell string) string {
	return formula.ReplaceAllString(cell, "${1}"+formulaGuard+"${2}")
}

// UnguardFormula returns a cell without the guards that GuardFormula adds.
func UnguardFormula(cell string) string {
	if !strings.Contains(cell, formulaGuard) {
		return cell // as most cells, without the time of the expression
	}
	return guardedFormula.ReplaceAllString(cell, "${1}${2}")
}
