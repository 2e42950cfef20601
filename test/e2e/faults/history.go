package faults

import (
	"cmp"
	"slices"
)

// Row is a row of a list in the API, as text.
type Row struct {
	Kind   string // kind of the row, such as enrolled
	Of     string // email address of the person; blank: none
	Detail string // further data, such as the name of the course
}

// idKind is the kind of rows whose Detail is the id of a record. Check accepts unexpected ids,
// because a client knows the ids only of its acknowledged writes.
const idKind = "id"

// Outcome is the result of a write from the client's point of view.
type Outcome int

// The outcomes.
const (
	Unknown      Outcome = iota // retried until the time limit
	Acknowledged                // 2xx
	Refused                     // an expected 4xx
	Pending                     // acknowledged, but the job is leased to a killed server
)

// Entry is one write in the history, including its retries.
type Entry struct {
	Client, N int    // the client, and the position in its sequence
	Kind      string // name of the write
	Outcome   Outcome
	Adds      []Row  // added rows, with multiplicity
	Drops     []Row  // removed rows
	Erases    string // email address of the person whose rows are removed; blank: none
	Job       string // id of its bulk job; blank: none
}

// History contains all writes of a round. Clients never write the same rows, so the order between
// clients does not matter.
type History []Entry

// expectation is the data that the API must contain according to the history.
type expectation struct {
	rows     map[Row]int
	by       map[Row]int // index of the last entry that added the row
	gone     map[Row]int // index of the entry that removed the row
	optional map[Row]int // rows of pending and unknown entries, which may exist
	used     map[string]int
}

// expect derives the expectation from the history.
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
			x.used[f.Detail]++ // the count is not reduced when the person is deleted
		}
	}
}

func (x expectation) drop(i int, f Row) {
	delete(x.rows, f)
	x.gone[f] = i
}
