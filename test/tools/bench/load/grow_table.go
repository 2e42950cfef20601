package main

import (
	"fmt"
	"strings"
	"time"
)

// growthTable returns the results as Markdown: the times in each school, and the ratios of the
// times in the largest school to the times in the smaller schools.
func growthTable(all []growthSchool, w feedRun) string {
	small, middle, large := all[0], all[1], all[len(all)-1]
	var b strings.Builder
	fmt.Fprintf(&b, "%d, %d and %d rows of each kind (the last with %d events) in one database; median response times on two connections.\n\n",
		small.rows, middle.rows, large.rows, large.size.Events)
	fmt.Fprintf(&b, "| Request | %d rows (ms) | %d rows (ms) | %d rows (ms) | Ten times the rows | A hundred times |\n", small.rows, middle.rows, large.rows)
	b.WriteString("|---|--:|--:|--:|--:|--:|\n")
	for _, q := range measuredLists(large.school) {
		first, second, third := small.found[q.name], middle.found[q.name], large.found[q.name]
		fmt.Fprintf(&b, "| %s | %s | %s | %s | × %.1f | × %.1f |\n", q.name, fine(first), fine(second), fine(third),
			float64(third)/float64(second), float64(third)/float64(first))
	}
	fmt.Fprintf(&b, "\nA client that follows `next` through all %d events, %d pages of 1,000: the first twentieth of the pages %s ms each, the last %s ms; "+
		"the server holds %.0f MiB before and %.0f MiB after it.\n", w.rows, w.pages, fine(w.first), fine(w.last), w.before, w.after)
	return b.String()
}

func fine(d time.Duration) string { return fmt.Sprintf("%.2f", float64(d)/float64(time.Millisecond)) }
