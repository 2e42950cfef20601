package transfer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"lyceum/domain/fault"
)

// maxImportFaults is the number of faulty lines after which an import stops.
const maxImportFaults = 100

// LineError contains the faults of a line of a file.
type LineError struct {
	Line int    // 1-based
	Kind string // kind of the line; blank if unknown
	Err  error  // faults on its fields
}

// ImportErrors contains the first faulty lines of a file, at most maxImportFaults, sorted by line.
type ImportErrors []LineError

// sorted returns the first maxImportFaults faulty lines in the order of the file. An import may
// find them in a different order.
func (f ImportErrors) sorted() ImportErrors {
	slices.SortStableFunc(f, func(a, b LineError) int { return cmp.Compare(a.Line, b.Line) })
	return f[:min(len(f), maxImportFaults)]
}

// atLine returns err with the number and kind of the line during whose import it occurred. Faults
// and context errors are returned unchanged.
func atLine(line int, kind string, err error) error {
	if fault.All(err) != nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("%s%w", linePrefix(line, kind), err)
}

func linePrefix(line int, kind string) string {
	if kind == "" {
		return fmt.Sprintf("line %d: ", line)
	}
	return fmt.Sprintf("line %d: %s: ", line, kind)
}

// Error implements error. It returns one line of text for each fault.
func (f ImportErrors) Error() string {
	var texts []string
	for _, l := range f {
		prefix := linePrefix(l.Line, l.Kind)
		for _, one := range fault.All(l.Err) {
			texts = append(texts, prefix+strings.TrimPrefix(one.Field+": "+one.Detail, ": "))
		}
	}
	if len(f) >= maxImportFaults {
		texts = append(texts, "further errors are not shown")
	}
	return strings.Join(texts, "\n")
}

// indexPath returns the path of the i-th element (0-based) of a list.
func indexPath(list string, i int) string { return fmt.Sprintf("%s[%d]", list, i) }
