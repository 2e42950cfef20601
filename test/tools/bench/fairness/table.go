package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
)

const heading = "| Attack | Responses per second | Quiet p50 | Quiet p99 | p50 | p99 | p99 / quiet | Page, quiet p99 | Page p99 | Page p99 / quiet | Failed | Not ready | Bulk request, quiet | Bulk request | Rare request, quiet | Rare request |\n" +
	"|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"

// result combines all rounds of one attack.
type result struct {
	name         string
	quiet, under []time.Duration
	pages        [2][]time.Duration // quiet and under attack
	failed       int
	notReady     int
	bulks        [2][]time.Duration // quiet and under attack
	rares        [2][]time.Duration // quiet and under attack
	late         int                // bulk requests that were not applied in time
	sent         map[int]int        // operations of the attackers by status
	lasted       time.Duration
}

// add adds the results of a round.
func (f *result) add(quiet, under measurement, sent map[int]int, lasted time.Duration) {
	f.quiet = append(f.quiet, quiet.took...)
	f.under = append(f.under, under.took...)
	f.pages[0], f.pages[1] = append(f.pages[0], quiet.pages...), append(f.pages[1], under.pages...)
	f.failed += under.failed
	f.notReady += under.notReady
	for i, took := range []time.Duration{quiet.bulk, under.bulk} {
		if took > 0 {
			f.bulks[i] = append(f.bulks[i], took)
		} else if i == 1 {
			f.late++
		}
	}
	f.rares[0], f.rares[1] = append(f.rares[0], quiet.rare), append(f.rares[1], under.rare)
	for status, n := range sent {
		f.sent[status] += n
	}
	f.lasted += lasted
}

// row returns the attack's row in the table.
func (f *result) row() string {
	bulk := shown(at(f.bulks[1], 1))
	if f.late > 0 {
		bulk = fmt.Sprintf("%d of %d not in time", f.late, f.late+len(f.bulks[1]))
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %.1f | %s | %s | %.1f | %d of %d | %d | %s | %s | %s | %s |\n", f.name,
		f.responses(), shown(at(f.quiet, .5)), shown(at(f.quiet, .99)), shown(at(f.under, .5)),
		shown(at(f.under, .99)), ratio(f.under, f.quiet),
		shown(at(f.pages[0], .99)), shown(at(f.pages[1], .99)), ratio(f.pages[1], f.pages[0]),
		f.failed, len(f.under)+len(f.pages[1]), f.notReady, shown(at(f.bulks[0], 1)), bulk, shown(at(f.rares[0], 1)), shown(at(f.rares[1], 1)))
}

// responses returns the number of responses to the attackers per second, by status.
func (f *result) responses() string {
	var all []string
	for _, status := range slices.Sorted(maps.Keys(f.sent)) {
		all = append(all, fmt.Sprintf("%d: %.0f", status, float64(f.sent[status])/f.lasted.Seconds()))
	}
	return strings.Join(all, ", ")
}

// ratio returns the p99 under an attack divided by that of the quiet phases.
func ratio(under, quiet []time.Duration) float64 {
	return float64(at(under, .99)) / float64(max(at(quiet, .99), 1))
}

// at returns a quantile of took, or 0 if took is empty. part is between 0 and 1; 0.5 is the median.
func at(took []time.Duration, part float64) time.Duration {
	if len(took) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(took))
	return sorted[min(int(part*float64(len(sorted))), len(sorted)-1)]
}

func shown(d time.Duration) string {
	if d == 0 {
		return "-"
	}
	return d.Round(100 * time.Microsecond).String()
}

// publish replaces the table in a file, or prints the table if file is blank.
func publish(file, table string) error {
	if file == "" {
		_, err := fmt.Fprint(os.Stdout, table)
		return err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	begin, end := []byte("<!-- table: make bench-fairness writes the text below -->\n"), []byte("<!-- end of the table -->\n")
	before, rest, found := bytes.Cut(text, begin)
	_, after, closed := bytes.Cut(rest, end)
	if !found || !closed {
		return fmt.Errorf("%s: no place for the table", file)
	}
	return os.WriteFile(file, slices.Concat(before, begin, []byte("\n"+table+"\n"), end, after), 0o644)
}
