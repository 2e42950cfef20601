package httpapi

import (
	"cmp"
	"slices"

	"lyceum/app"
	"lyceum/domain/fault"
)

// try does what a request asks for. When its document is known to be wrong
// it is rehearsed instead, so that the client learns at once of everything that
// is: what the document shows by itself, what the rules say of the rest, and what
// other records stand in the way.
func try[T any](known []error, a app.Actor, do func(a app.Actor) (T, error)) (T, error) {
	if len(known) == 0 {
		return do(a)
	}
	var none T
	_, found := do(a.DryRun())
	return none, together(fault.Join(known...), found)
}

// together returns the faults of a document and those that a rehearsal found,
// in the order of the document's elements. Of a place that is known to be wrong
// the rehearsal has seen nothing but a stand-in, and a request that is refused as
// a whole has no parts.
func together(known, found error) error {
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
