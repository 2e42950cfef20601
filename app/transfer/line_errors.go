package transfer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"lyceum/domain/fault"
)

// importFaultsTold is how many lines with faults are told before an import gives
// up.
const importFaultsTold = 100

// LineFault is what is wrong with a line of a file.
type LineFault struct {
	Line int    // from 1
	Kind string // of the line, blank when it has none
	Err  error  // faults on its members
}

// ImportErrors is the lines that are wrong, in their order: the first hundred of
// them.
type ImportErrors []LineFault

// sorted returns the faults in the order of their lines: some are found late.
func (f ImportErrors) sorted() ImportErrors {
	slices.SortStableFunc(f, func(a, b LineFault) int { return cmp.Compare(a.Line, b.Line) })
	return f[:min(len(f), importFaultsTold)]
}

// Error returns a line of text for each fault.
func (f ImportErrors) Error() string {
	var told []string
	for _, l := range f {
		place := fmt.Sprintf("line %d: ", l.Line)
		if l.Kind != "" {
			place += l.Kind + ": "
		}
		for _, one := range fault.All(l.Err) {
			told = append(told, place+strings.TrimPrefix(one.Field+": "+one.Detail, ": "))
		}
	}
	if len(f) >= importFaultsTold {
		told = append(told, "there may be more: these are the first")
	}
	return strings.Join(told, "\n")
}

// element names the element with the 0-based index i of a list.
func element(list string, i int) string { return fmt.Sprintf("%s[%d]", list, i) }
