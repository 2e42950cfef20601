package faults

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Violation is a violation of one promise of the server.
type Violation struct {
	Class string // one of the constants below
	What  string
}

// The classes of violations.
const (
	Lost       = "lost"           // an acknowledged write is missing, or an acknowledged removal was undone
	Doubled    = "doubled"        // a row exists more than once
	Partial    = "partial"        // a write was applied in part
	Extra      = "extra"          // a row exists that no acknowledged write has added
	Counter    = "counter"        // derived data does not match its source records
	Stuck      = "stuck"          // a request had no certain response in time
	Defect     = "defect"         // 500, or another unexpected status
	NoRetry    = "no retry"       // 503 without Retry-After
	Slow       = "slow"           // slower than the longest time limit
	Unfinished = "unfinished job" // a job was not completed in time
	Missed     = "missed"         // a reader of the feed missed an event
	Twice      = "twice"          // a reader of the feed saw an event twice
	Unordered  = "unordered"      // a reader of the feed saw events in a different order
	Different  = "different"      // a retry got a different response
)

// Counts is a derived value that the API returned, and its expected value.
type Counts struct {
	Of           string
	Shown, Right string
}

// Found contains the data that was read through the API after the round.
type Found struct {
	Rows   map[Row]int
	Counts []Counts
	Used   map[string]int // usages_count of coupons, by code
	Feed   []Row          // events in the order of the feed, with the ids of people
}

// Check compares the data in found with the data that the history requires.
func Check(h History, found Found) []Violation {
	x := h.expect()
	var bad []Violation
	lost := map[int][]Row{} // missing rows by entry
	for f, want := range x.rows {
		switch got := found.Rows[f]; {
		case got < want:
			lost[x.by[f]] = append(lost[x.by[f]], f)
		case got > want+x.optional[f] && f.Kind != idKind:
			bad = append(bad, Violation{Doubled, fmt.Sprintf("%v: %d, want %d", f, got, want)})
		}
	}
	for i, rows := range lost {
		bad = append(bad, Violation{x.lostOrPartial(h[i], rows, found), fmt.Sprintf("%s of client %d: %v", h[i].Kind, h[i].Client, rows)})
	}
	for f, got := range found.Rows {
		if x.rows[f] > 0 || f.Kind == idKind || got <= x.optional[f] {
			continue
		}
		if i, ok := x.gone[f]; ok {
			bad = append(bad, Violation{Lost, fmt.Sprintf("%s of client %d: %v is still there", h[i].Kind, h[i].Client, f)})
			continue
		}
		bad = append(bad, Violation{Extra, fmt.Sprint(f)})
	}
	return append(bad, x.checkCounts(found)...)
}

// lostOrPartial returns the class of an entry with missing rows: Lost or Partial.
func (x expectation) lostOrPartial(e Entry, missing []Row, found Found) string {
	for _, f := range e.Adds {
		if x.rows[f] > 0 && found.Rows[f] > 0 && !slices.Contains(missing, f) {
			return Partial
		}
	}
	return Lost
}

func (x expectation) checkCounts(found Found) []Violation {
	var bad []Violation
	for _, c := range found.Counts {
		if c.Shown != c.Right {
			bad = append(bad, Violation{Counter, fmt.Sprintf("%s is %s, want %s", c.Of, c.Shown, c.Right)})
		}
	}
	for _, code := range slices.Sorted(maps.Keys(found.Used)) {
		if shown, right := found.Used[code], x.used[code]; shown < right || shown > right+x.optionalUses(code) {
			bad = append(bad, Violation{Counter, fmt.Sprintf("usages_count of %s is %d, want %d", code, shown, right)})
		}
	}
	return bad
}

func (x expectation) optionalUses(code string) int {
	n := 0
	for f, times := range x.optional {
		if f.Kind == redemptions && f.Detail == code {
			n += times
		}
	}
	return n
}

// CheckFeed compares the events that a reader has seen with the feed at the end. The reader may,
// but need not, have seen events of people who were deleted later.
func CheckFeed(seen, feed []Row) []Violation {
	var bad []Violation
	at := map[Row]int{}
	for i, f := range seen {
		if _, again := at[f]; again {
			bad = append(bad, Violation{Twice, fmt.Sprint(f)})
		}
		at[f] = i
	}
	last := -1
	for _, f := range feed {
		i, ok := at[f]
		switch {
		case !ok:
			bad = append(bad, Violation{Missed, fmt.Sprint(f)})
		case i < last:
			bad = append(bad, Violation{Unordered, fmt.Sprint(f)})
		default:
			last = i
		}
	}
	return bad
}

// CheckReconciled parses the output of lyceum reconcile, which has a line for each wrong value.
func CheckReconciled(output string) []Violation {
	var bad []Violation
	for line := range strings.Lines(output) {
		bad = append(bad, Violation{Counter, "reconciled: " + strings.TrimSpace(line)})
	}
	return bad
}
