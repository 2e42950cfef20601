package request

import (
	"cmp"
	"slices"

	"lyceum/domain/fault"
)

// JoinFaults merges the known faults of a document and the faults that a dry run found, in the
// order of the document's elements. In the dry run, placeholders replaced the parts that are known
// to be invalid, so JoinFaults drops faults about these parts. If the use case refuses the request
// as a whole, only that fault is returned.
func JoinFaults(known, found error) error {
	if found != nil && !fault.IsRefusal(found) {
		return found // a defect or an outage
	}
	of, more := fault.All(known), fault.All(found)
	all, wrong := slices.Clone(of), pathsOf(of)
	for _, f := range more {
		if f.Row == 0 && f.Field == "" {
			return found
		}
		if !wrong.contains(f) {
			all = append(all, f)
		}
	}
	slices.SortStableFunc(all, func(a, b *fault.Fault) int {
		return cmp.Or(cmp.Compare(a.Row, b.Row), cmp.Compare(indexIn(a), indexIn(b)))
	})
	return fault.List(all)
}

// memberPath is a part of a document that a fault can concern.
type memberPath struct {
	row            int
	field          string // or the name of the relationship
	isRelationship bool
	index          int // index of the resource identifier in a to-many relationship; -1: none
}

func pathOf(f *fault.Fault) memberPath {
	if r, ok := relationshipOf(f.Field); ok {
		return memberPath{f.Row, r.name, true, r.index}
	}
	return memberPath{row: f.Row, field: f.Field}
}

// memberPaths contains the known invalid parts of a document.
type memberPaths map[memberPath]bool

func pathsOf(known []*fault.Fault) memberPaths {
	wrong := memberPaths{}
	for _, k := range known {
		wrong[pathOf(k)] = true
		if isMember(k.Field) { // the whole element is malformed
			wrong[memberPath{row: k.Row}] = true
		}
	}
	return wrong
}

// contains reports whether f concerns one of the parts, or a part within one of them.
func (wrong memberPaths) contains(f *fault.Fault) bool {
	at := pathOf(f)
	if wrong[at] || f.Row > 0 && wrong[memberPath{row: f.Row}] {
		return true
	}
	return at.isRelationship &&
		(wrong[memberPath{row: f.Row, field: relationshipsMember}] || wrong[memberPath{f.Row, at.field, true, -1}])
}

// indexIn returns the index of the resource identifier that f concerns; -1 if there is
// none.
func indexIn(f *fault.Fault) int {
	if r, ok := relationshipOf(f.Field); ok {
		return r.index
	}
	return -1
}
