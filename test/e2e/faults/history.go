package faults

import (
	"cmp"
	"slices"
)

// Row is something that the API shows after a write: a row of a list, in words.
type Row struct {
	Kind   string // what it is, such as enrolled
	Of     string // email address of the person it belongs to; "" if to none
	Detail string // such as the name of the course
}

// idKind is the kind of facts about IDs: only those of acknowledged writes are
// known, so further ones are no fault.
const idKind = "id"

// Outcome is how a write ended for the client.
type Outcome int

// The outcomes.
const (
	Unknown      Outcome = iota // it was repeated until the client gave up
	Acknowledged                // 2xx
	Refused                     // 4xx that the client had to expect
	Pending                     // acknowledged, and its job is leased to a killed server
)

// Entry is one write in the history, with all of its repeats.
type Entry struct {
	Client, N int    // the client, and the position in the client's sequence
	Kind      string // name of the write
	Outcome   Outcome
	Adds      []Row  // what it adds, with multiplicity
	Drops     []Row  // what it removes
	Erases    string // email address of the person whose facts it removes; "" for none
	Job       string // ID of its bulk job; "" for none
}

// History is all writes of a round. The facts of one client are touched by no
// other client, so the order between clients does not matter.
type History []Entry

// expectation is what the history says that the API must show.
type expectation struct {
	rows     map[Row]int
	by       map[Row]int // the entry that added the fact last, by its index
	gone     map[Row]int // the entry that removed it
	optional map[Row]int // may be shown, of pending and unknown entries
	used     map[string]int
}

// expect replays the history.
func (h History) expect() expectation {
	x := expectation{map[Row]int{}, map[Row]int{}, map[Row]int{}, map[Row]int{}, map[string]int{}}
	slices.SortStableFunc(h, func(a, b Entry) int { return cmp.Or(a.Client-b.Client, a.N-b.N) })
	for i, e := range h {
		switch e.Outcome {
		case Acknowledged:
			x.apply(i, e)
		case Pending, Unknown:
			for _, f := range e.Adds {
				x.optional[f]++
			}
		case Refused:
		}
	}
	return x
}

func (x expectation) apply(i int, e Entry) {
	for _, f := range e.Drops {
		x.drop(i, f)
	}
	if e.Erases != "" {
		for f := range x.rows {
			if f.Of == e.Erases {
				x.drop(i, f)
			}
		}
	}
	for _, f := range e.Adds {
		x.rows[f]++
		x.by[f] = i
		delete(x.gone, f)
		if f.Kind == redemptions {
			x.used[f.Detail]++ // also after the person is deleted
		}
	}
}

func (x expectation) drop(i int, f Row) {
	delete(x.rows, f)
	x.gone[f] = i
}
