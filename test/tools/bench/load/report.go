package main

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"lyceum/adapters/demo"
)

// report contains the results of a run.
type report struct {
	options options
	size    demo.Size
	rows    []row
	sent    uint64 // number of the next request, so that no request is repeated
	// The memory of the process with the memory store, in MiB; 0: not measured. live is the live
	// heap after a collection; loaded and busy are the resident memory before and after the
	// requests.
	live, loaded, busy float64
}

// differing is the difference of a ratio between runs above which the table says so.
const differing = 0.1

// medianRows returns the rows of several runs. Each result is that of the run with the median
// ratio.
func medianRows(runs [][]row) []row {
	merged := slices.Clone(runs[0])
	for i := range merged {
		merged[i].at = slices.Clone(merged[i].at)
		for k := range merged[i].at {
			all := make([]result, len(runs))
			for n, run := range runs {
				all[n] = run[i].at[k]
			}
			slices.SortFunc(all, func(a, b result) int { return cmp.Compare(a.ratio, b.ratio) })
			merged[i].at[k] = all[len(all)/2]
			if k == 0 {
				merged[i].spread = all[len(all)-1].ratio - all[0].ratio
			}
		}
	}
	return merged
}

// table returns the rows as Markdown.
func (r report) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d processors, %d connections, %d runs, %d rounds of %s for each; %d people, %d courses, %d groups, %d enrollments, %d events, %d answers, and a second school.\n\n",
		runtime.NumCPU(), r.options.connections, r.options.runs, r.options.rounds, r.options.duration,
		r.size.People, r.size.Courses, r.size.Groups, r.size.Enrollments, r.size.Events, r.size.Answers)
	b.WriteString("| Operation | Compared with | Its requests/s | Lyceum's | Ratio |")
	rule := "|---|---|--:|--:|--:|"
	for _, gogc := range r.options.gogc[1:] {
		fmt.Fprintf(&b, " GOGC=%s |", gogc)
		rule += "--:|"
	}
	b.WriteString(" Processor | Goal | p50, p99 of both (ms) | Shares: Lyceum, Postgres, driver (%) |\n" + rule + "--:|--:|---|---|\n")
	for _, one := range r.rows {
		b.WriteString(one.markdown(r.options))
	}
	if r.loaded > 0 {
		size := sized(r.options.scale)
		fmt.Fprintf(&b, "\nThe process with %d people and %d enrollments in memory has a live heap of %.0f MiB; it holds %.0f MiB before the requests and %.0f MiB after them.\n",
			size.People, size.Enrollments, r.live, r.loaded, r.busy)
	}
	return b.String()
}

// markdown returns the row of the table.
func (r row) markdown(o options) string {
	var b strings.Builder
	first := r.result()
	server, database, driver := first.ours.use.Shares()
	fmt.Fprintf(&b, "| %s | %s | %.0f | %.0f | **%.2f**", r.name, cmp.Or(r.own, "bare"), first.bare.rate, first.ours.rate, first.ratio)
	if r.spread > differing {
		fmt.Fprintf(&b, " (± %.2f)", r.spread/2)
	}
	for k := range o.gogc[1:] {
		b.WriteString(" | ")
		if k+1 < len(r.at) {
			fmt.Fprintf(&b, "%.2f", r.at[k+1].ratio)
		}
	}
	mark := ""
	if first.ratio < r.goal {
		mark = " (missed)"
	}
	fmt.Fprintf(&b, " | %.2f | %.2f%s | %s, %s; %s, %s | %.0f, %.0f, %.0f |\n", first.work, r.goal, mark,
		ms(first.bare.p50), ms(first.bare.p99), ms(first.ours.p50), ms(first.ours.p99), server, database, driver)
	return b.String()
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1f", float64(d)/float64(time.Millisecond)) }

// publish prints or writes the results.
func (r report) publish() error {
	return r.options.publish("bench-load", r.table(), r.svg())
}
