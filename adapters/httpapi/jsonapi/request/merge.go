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
	all := slices.Clone(of)
	for _, f := range more {
		if f.Row == 0 && f.Field == "" {
			return found
		}
		if !slices.ContainsFunc(of, func(k *fault.Fault) bool { return covers(k, f) }) {
			all = append(all, f)
		}
	}
	slices.SortStableFunc(all, func(a, b *fault.Fault) int {
		return cmp.Or(cmp.Compare(a.Row, b.Row), cmp.Compare(indexIn(a), indexIn(b)))
	})
	return fault.List(all)
}

// covers reports whether f concerns a part of the document that k says is wrong.
func covers(k, f *fault.Fault) bool {
	if k.Row != f.Row {
		return false
	}
	if k.Row > 0 && (k.Field == "" || isMember(k.Field)) { // the element is malformed as a whole
		return true
	}
	wrong, isPart := partOf(k.Field)
	if r, ok := partOf(f.Field); ok {
		return k.Field == relationshipsMember || isPart && wrong.contains(r)
	}
	return k.Field == f.Field
}

// indexIn returns the index of the resource identifier that f concerns, -1 if it
// concerns none.
func indexIn(f *fault.Fault) int {
	if r, ok := partOf(f.Field); ok {
		return r.index
	}
	return -1
}
