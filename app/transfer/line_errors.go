package transfer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"lyceum/domain/fault"
)

// maxImportFaults is the number of faulty lines after which an import gives up.
const maxImportFaults = 100

// LineError is the faults of a line of a file.
type LineError struct {
	Line int    // 1-based
	Kind string // of the line; blank if unknown
	Err  error  // faults on its fields
}

// ImportErrors are the first faulty lines of a file, in their order, maxImportFaults at most.
type ImportErrors []LineError

// sorted returns the faulty lines in their order. Some faults are found after those of later lines.
func (f ImportErrors) sorted() ImportErrors {
	slices.SortStableFunc(f, func(a, b LineError) int { return cmp.Compare(a.Line, b.Line) })
	return f[:min(len(f), maxImportFaults)]
}

// Error implements error. It returns a line of text for each fault.
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
	if len(f) >= maxImportFaults {
		told = append(told, "further errors are not shown")
	}
	return strings.Join(told, "\n")
}

// indexPath returns the path of the element i, 0-based, of a list.
func indexPath(list string, i int) string { return fmt.Sprintf("%s[%d]", list, i) }
