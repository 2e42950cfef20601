package postgres

import (
	"fmt"
	"strings"
)

// ending is where a page ended: the texts of the sort keys of its last row, in
// the order of the keys; nil for a null.
type ending []*string

// behind is the rows behind an ending. They are those of all ranges together,
// none of which have a row in common, and each of which is one range of an index
// on the sort keys.
type behind struct {
	ranges []string
	lead   string // holds for all of them, and is one range too; blank for none
}

// behind returns the condition that a row comes after e in the order of keys.
//
// The keys are taken in runs of one direction, each compared as a row; a key
// that may be null is a run of its own. A row is behind e when it equals e in
// some runs and is behind it in the next one.
func (r *rendering) behind(keys []sortKey, e ending) behind {
	var b behind
	same := "true"
	places := r.places(e)
	for _, run := range runs(keys) {
		after, equal := compareRun(keys[run.from:run.to], places[run.from:run.to])
		for _, a := range after {
			b.ranges = append([]string{both(same, a)}, b.ranges...)
		}
		if run.from == 0 && !keys[0].nullable {
			b.lead = compareRow(keys[:run.to], "=", places)
		}
		same = both(same, equal)
	}
	return b
}

// condition is the whole of b as one condition.
func (b behind) condition() string {
	all := join(b.ranges, " OR ", "false")
	if b.lead == "" {
		return all
	}
	return both(b.lead, all)
}

// places binds the values of an ending; a null has no place.
func (r *rendering) places(e ending) []string {
	texts := make([]string, len(e))
	for i, v := range e {
		if v != nil {
			texts[i] = r.bind(*v)
		}
	}
	return texts
}

type run struct{ from, to int }

// runs cuts keys into runs that can be compared as rows.
func runs(keys []sortKey) []run {
	var all []run
	for i, k := range keys {
		last := len(all) - 1
		if last >= 0 && !k.nullable && !keys[i-1].nullable && k.desc == keys[i-1].desc {
			all[last].to = i + 1
			continue
		}
		all = append(all, run{i, i + 1})
	}
	return all
}

// compareRun returns the ranges behind the values of a run, from the last to the
// first, and the condition that equals them. Behind a null there is nothing.
func compareRun(keys []sortKey, places []string) (after []string, equal string) {
	if places[0] == "" {
		return nil, keys[0].row() + " IS NULL"
	}
	equals := make([]string, len(keys))
	for i, k := range keys {
		equals[i] = k.row() + " = " + places[i]
	}
	if keys[0].nullable {
		after = []string{keys[0].row() + " IS NULL"}
	}
	return append(after, compareRow(keys, "", places)), strings.Join(equals, " AND ")
}

// compareRow compares keys of one direction with values: behind them or, with =,
// not before them.
func compareRow(keys []sortKey, orEqual string, places []string) string {
	symbol := " >"
	if keys[0].desc {
		symbol = " <"
	}
	exprs := make([]string, len(keys))
	for i, k := range keys {
		exprs[i] = k.row()
	}
	return rowOf(exprs) + symbol + orEqual + " " + rowOf(places[:len(keys)])
}

// row is the key as an operand.
func (k sortKey) row() string { return "(" + k.expr + ")" }

func rowOf(texts []string) string {
	if len(texts) == 1 {
		return texts[0]
	}
	return "(" + strings.Join(texts, ", ") + ")"
}

func both(one, other string) string {
	if one == "true" {
		return other
	}
	return one + " AND " + other
}

// placePrefix begins the names of the columns that shown returns.
const placePrefix = "place_"

// shown returns the sort keys as columns of the select list, as texts: what the
// database writes it reads back as the same value.
func shown(keys []sortKey) string {
	var b strings.Builder
	for i, k := range keys {
		fmt.Fprintf(&b, ", (%s)::text AS %s%d", k.expr, placePrefix, i)
	}
	return b.String()
}
