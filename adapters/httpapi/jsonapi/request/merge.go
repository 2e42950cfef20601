package request

import (
	"cmp"
	"slices"

	"lyceum/domain/fault"
)

// JoinFaults returns the faults that are known of a document and those that a use case
// found in a dry run of it, in the order of the document's elements. A part that is
// known to be wrong reached the use case as a value that stands for it, so what was
// found there is left out. If the use case refuses the request as a whole, that is all.
func JoinFaults(known, found error) error {
	if found != nil && !fault.IsRefusal(found) {
		return found // a defect or an outage
	}
	of, more := fault.All(known), fault.All(found)
	all, wrong := slices.Clone(of), spotsOf(of)
	for _, f := range more {
		if f.Row == 0 && f.Field == "" {
			return found
		}
		if !wrong.cover(f) {
			all = append(all, f)
		}
	}
	slices.SortStableFunc(all, func(a, b *fault.Fault) int {
		return cmp.Or(cmp.Compare(a.Row, b.Row), cmp.Compare(indexIn(a), indexIn(b)))
	})
	return fault.List(all)
}

// spot is a part of a document that a fault may concern.
type spot struct {
	row            int
	field          string // or the name of the relationship
	isRelationship bool
	index          int // of the resource identifier in a relationship to many; -1: none
}

func spotOf(f *fault.Fault) spot {
	if r, ok := partOf(f.Field); ok {
		return spot{f.Row, r.name, true, r.index}
	}
	return spot{row: f.Row, field: f.Field}
}

// spots are the parts of a document that are known to be wrong.
type spots map[spot]bool

func spotsOf(known []*fault.Fault) spots {
	wrong := spots{}
	for _, k := range known {
		wrong[spotOf(k)] = true
		if isMember(k.Field) { // the element is malformed as a whole
			wrong[spot{row: k.Row}] = true
		}
	}
	return wrong
}

// cover reports whether f concerns a part of the document that is among wrong, or that
// is in one of them.
func (wrong spots) cover(f *fault.Fault) bool {
	at := spotOf(f)
	if wrong[at] || f.Row > 0 && wrong[spot{row: f.Row}] {
		return true
	}
	return at.isRelationship &&
		(wrong[spot{row: f.Row, field: relationshipsMember}] || wrong[spot{f.Row, at.field, true, -1}])
}

// indexIn returns the index of the resource identifier that f concerns, -1 if it
// concerns none.
func indexIn(f *fault.Fault) int {
	if r, ok := partOf(f.Field); ok {
		return r.index
	}
	return -1
}
