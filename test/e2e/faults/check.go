package faults

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Violation is one broken promise.
type Violation struct {
	Class string // one of the classes
	What  string
}

// The classes of violations.
const (
	Lost       = "lost"       // an acknowledged write, or the removal of something, is not there
	Doubled    = "doubled"    // it is there more than once
	Partial    = "half"       // a part of it is there
	Extra      = "extra"      // there is something that no acknowledged write made
	Counter    = "counter"    // a derived value is not what it follows from
	Stuck      = "stuck"      // a request was not answered for certain in time
	Defect     = "defect"     // 500, or another status that no client expects
	NoRetry    = "no retry"   // 503 without Retry-After
	Slow       = "slow"       // longer than the longest request
	Unfinished = "undone job" // a job is not done in time
	Missed     = "missed"     // a reader of the feed missed an event
	Twice      = "twice"      // a reader of the feed saw an event again
	Unordered  = "unordered"  // a reader of the feed saw events in another order
	Different  = "unlike"     // a repeat was answered otherwise than the first time
)

// Counts is a derived value that the API shows, and what it must be.
type Counts struct {
	Of           string
	Shown, Right string
}

// Found is what was read back through the API.
type Found struct {
	Rows   map[Row]int
	Counts []Counts
	Used   map[string]int // usages_count of coupons, by code
	Feed   []Row          // the events in the order of the feed, of people by their IDs
}

// Check compares what was found with what the history promises.
func Check(h History, found Found) []Violation {
	x := h.expect()
	var bad []Violation
	lost := map[int][]Row{} // by entry
	for f, want := range x.rows {
		switch got := found.Rows[f]; {
		case got < want:
			lost[x.by[f]] = append(lost[x.by[f]], f)
		case got > want+x.optional[f] && f.Kind != idKind:
			bad = append(bad, Violation{Doubled, fmt.Sprintf("%v: %d, want %d", f, got, want)})
		}
	}
	for i, facts := range lost {
		bad = append(bad, Violation{x.lostOrPartial(h[i], facts, found), fmt.Sprintf("%s of client %d: %v", h[i].Kind, h[i].Client, facts)})
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

// lostOrPartial returns the class of an entry of which some facts are missing.
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

// CheckFeed compares what a reader has seen with the feed in the end. Events of
// people who were deleted since may or may not have been seen.
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

// CheckReconciled reads what the command has printed: a line for each value that
// was wrong.
func CheckReconciled(output string) []Violation {
	var bad []Violation
	for line := range strings.Lines(output) {
		bad = append(bad, Violation{Counter, "reconciled: " + strings.TrimSpace(line)})
	}
	return bad
}
