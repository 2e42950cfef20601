package main

import (
	"cmp"
	"fmt"
	"runtime"
	"strings"
	"time"

	"lyceum/adapters/demo"
)

// report contains the results of a run.
type report struct {
	options  options
	size     demo.Size
	rows     []row
	resident float64 // resident memory of the process with the memory store, in MiB; 0: not measured
}

// table returns the rows as Markdown.
func (r report) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d processors, %d connections, %d rounds of %s for each; %d people, %d courses, %d groups, %d enrollments, %d events, %d answers, and a second school.\n\n",
		runtime.NumCPU(), r.options.connections, r.options.rounds, r.options.duration,
		r.size.People, r.size.Courses, r.size.Groups, r.size.Enrollments, r.size.Events, r.size.Answers)
	b.WriteString("| Operation | Compared with | Its requests/s | Lyceum's | Ratio | Goal | p50, p99 of both (ms) | Processor: Lyceum, Postgres, driver (%) |\n")
	b.WriteString("|---|---|--:|--:|--:|--:|---|---|\n")
	for _, one := range r.rows {
		server, database, driver := one.ours.use.shares()
		mark := ""
		if one.ratio < one.goal {
			mark = " (missed)"
		}
		fmt.Fprintf(&b, "| %s | %s | %.0f | %.0f | **%.2f** | %.2f%s | %s, %s; %s, %s | %.0f, %.0f, %.0f |\n",
			one.name, cmp.Or(one.own, "bare"), one.bare.rate, one.ours.rate, one.ratio, one.goal, mark,
			ms(one.bare.p50), ms(one.bare.p99), ms(one.ours.p50), ms(one.ours.p99), server, database, driver)
	}
	if r.resident > 0 {
		fmt.Fprintf(&b, "\nThe process with %d people and %d enrollments in memory holds %.0f MiB.\n", sized(r.options.scale).People, sized(r.options.scale).Enrollments, r.resident)
	}
	return b.String()
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1f", float64(d)/float64(time.Millisecond)) }

// publish prints or writes the results.
func (r report) publish() error {
	return r.options.publish("bench-load", r.table(), r.svg())
}
