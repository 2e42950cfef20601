package httpapi

import (
	"slices"
	"strconv"
	"strings"

	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/domain/bulk"
	"lyceum/domain/fault"
)

// bulkRows returns the rows of a bulk request. What is wrong with the array is
// wrong with the document; what is wrong with a row is that row's.
func bulkRows(d *request.Document, kind bulk.Kind) []bulk.Row {
	sent := d.Attributes[kind.String()]
	n, ok := sent.Len()
	switch {
	case sent.NullOrAbsent():
		d.Fail(fault.Blank(kind.String()))
	case !ok:
		d.Fail(fault.Invalidf(kind.String(), "must be an array"))
	}
	if err := kind.CheckSize(n); err != nil {
		d.Fail(err)
		return nil // they are not even read: so many cost far more than the body
	}
	elements, _ := sent.Array()
	rows := make([]bulk.Row, len(elements))
	for i, e := range elements {
		rows[i] = readRow(kind, i, e)
	}
	return rows
}

// rowMembers is how the members of a row are called: its subject and its targets.
var rowMembers = map[bulk.Kind]struct{ subject, targets string }{
	bulk.People: {"email", "groups"},
	bulk.Groups: {"name", "courses"},
}

func readRow(kind bulk.Kind, number int, v jsonapi.Value) bulk.Row {
	o, ok := v.Object()
	if !ok {
		return kind.NewRow(number, "", nil, fault.Invalidf("", "must be an object"))
	}
	members := rowMembers[kind]
	subject, errSubject := request.TextOf(members.subject, o[members.subject])
	targets, errTargets := readTargets(members.targets, o[members.targets], kind == bulk.Groups)
	return kind.NewRow(number, subject, targets, fault.Join(errSubject, errTargets))
}

// readTargets reads what a row names: nothing, one text or an array of them.
// list says that a text may name several, separated by commas. A blank text
// names nothing.
func readTargets(field string, v jsonapi.Value, list bool) ([]bulk.Target, error) {
	n, ok := v.Len()
	if !ok {
		s, err := request.TextOf(field, v)
		if err != nil {
			return nil, fault.Invalidf(field, "must be a string or an array of strings")
		}
		return targetsIn(field, s, list), nil
	}
	if n > bulk.MaxTargets {
		return make([]bulk.Target, bulk.MaxTargets+1), nil // too many to be looked at
	}
	elements, _ := v.Array()
	var targets []bulk.Target
	var errs []error
	for i, e := range elements {
		place := field + "/" + strconv.Itoa(i)
		s, ok := e.Text()
		if !ok {
			errs = append(errs, fault.Invalidf(place, "must be a string"))
			continue
		}
		targets = append(targets, targetsIn(place, s, list)...)
	}
	return targets, fault.Join(errs...)
}

// targetsIn returns the targets that a text names, of a list one more than may
// be at most.
func targetsIn(field, s string, list bool) []bulk.Target {
	names := slices.Values([]string{s})
	if list {
		names = strings.SplitSeq(s, ",")
	}
	var targets []bulk.Target
	for name := range names {
		if name = strings.TrimSpace(name); name != "" {
			targets = append(targets, bulk.Target{Field: field, Name: name})
		}
		if len(targets) > bulk.MaxTargets {
			break
		}
	}
	return targets
}
