package main

import (
	"fmt"
	"strings"
	"time"
)

// Goals. Ten times the records should take ten times as long; a tenth more is within the differences
// between runs.
const (
	maxGrowth = 11
	maxRatio  = 10 // of the neighbor's p99 during the operation to its p99 before it
)

const heading = "| Operation | Records | Time | Rate | Growth | Processor | Its growth | Quiet p50, p99 (ms) | p50, p99 (ms) | p99 / quiet | GETs |\n" +
	"|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n"

// row contains the results of an operation, by size and run.
type row struct {
	operation
	runs [len(sizes)][]measurement
}

func (r *row) add(size int, m measurement) { r.runs[size] = append(r.runs[size], m) }

// table returns the rows as Markdown.
func table(rows []*row) string {
	var b strings.Builder
	b.WriteString(heading)
	for _, one := range rows {
		for i := range sizes {
			b.WriteString(one.markdown(i))
		}
	}
	return b.String()
}

// markdown returns the line of the table for one size.
func (r *row) markdown(size int) string {
	runs := r.runs[size]
	of := func(value func(measurement) float64) float64 { return medianOf(runs, value) }
	part := func(p float64, took func(measurement) []time.Duration) float64 {
		return of(func(m measurement) float64 { return ms(quantile(took(m), p)) })
	}
	quiet, during := func(m measurement) []time.Duration { return m.quiet }, func(m measurement) []time.Duration { return m.during }
	growth, processor := "", ""
	if size > 0 {
		growth = judged(r.growth(measurement.seconds), maxGrowth)
		processor = fmt.Sprintf("%.1f", r.growth(used))
	}
	failed, least := 0, len(runs[0].during)
	for _, m := range runs {
		failed, least = failed+m.failed, min(least, len(m.during))
	}
	gets := fmt.Sprint(least)
	if failed > 0 {
		gets += fmt.Sprintf(", %d failed", failed)
	}
	return fmt.Sprintf("| %s | %d %s | %s | %s | %s | %.2f s | %s | %.1f, %.1f | %.1f, %.1f | %s | %s |\n", r.name, runs[0].records, r.unit,
		r.time(runs), r.rate(runs), growth, of(used), processor, part(.5, quiet), part(.99, quiet), part(.5, during), part(.99, during),
		judged(of(measurement.ratio), maxRatio), gets)
}

// time returns the median duration of an operation, and of its response if that is earlier.
func (r *row) time(runs []measurement) string {
	text := fmt.Sprintf("%.2f s", medianOf(runs, measurement.seconds))
	if response := medianOf(runs, func(m measurement) float64 { return ms(m.response) }); response > 0 {
		text += fmt.Sprintf(", response %.0f ms", response)
	}
	return text
}

// rate returns the records per second, or the speed of an export.
func (r *row) rate(runs []measurement) string {
	if runs[0].bytes > 0 {
		speed := medianOf(runs, func(m measurement) float64 { return float64(m.bytes) / 1e6 / m.seconds() })
		lines := medianOf(runs, func(m measurement) float64 { return float64(m.lines) / m.seconds() })
		return fmt.Sprintf("%.1f MB/s, %.0f lines/s", speed, lines)
	}
	return fmt.Sprintf("%.0f/s", medianOf(runs, func(m measurement) float64 { return float64(m.records) / m.seconds() }))
}

// growth returns the median ratio of a value at the larger size to that at the smaller size.
func (r *row) growth(value func(measurement) float64) float64 {
	var all []float64
	for i, large := range r.runs[1] {
		all = append(all, value(large)/max(value(r.runs[0][i]), .01))
	}
	return median(all)
}

func used(m measurement) float64 { return m.processor }

func (m measurement) seconds() float64 { return m.took.Seconds() }

// ratio returns the ratio of the neighbor's p99 during the operation to its p99 before it.
func (m measurement) ratio() float64 {
	return ms(quantile(m.during, .99)) / max(ms(quantile(m.quiet, .99)), .001)
}

// judged returns a ratio, marked if it exceeds its goal.
func judged(ratio, goal float64) string {
	text := fmt.Sprintf("%.1f", ratio)
	if ratio > goal {
		text += " (missed)"
	}
	return text
}
