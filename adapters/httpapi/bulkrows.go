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
	named := 0
	for i, e := range elements {
		var n int
		rows[i], n = readRow(kind, i, e)
		named += n
		if err := kind.CheckTargets(i, named); err != nil {
			d.Fail(err)
			return nil // a comma makes a target, which costs far more than its byte
		}
	}
	return rows
}

// rowMembers is how the members of a row are called: its subject and its targets.
var rowMembers = map[bulk.Kind]struct{ subject, targets string }{
	bulk.People: {"email", "groups"},
	bulk.Groups: {"name", "courses"},
}

// readRow returns a row, and how many targets it names, those that are malformed among
// them.
func readRow(kind bulk.Kind, number int, v jsonapi.Value) (row bulk.Row, named int) {
	o, ok := v.Object()
	if !ok {
		return kind.NewRow(number, "", nil, fault.Invalidf("", "must be an object")), 0
	}
	members := rowMembers[kind]
	subject, errSubject := request.TextOf(members.subject, o[members.subject])
	targets, errTargets := readTargets(members.targets, o[members.targets], kind == bulk.Groups)
	row = kind.NewRow(number, subject, targets, fault.Join(errSubject, errTargets))
	return row, len(targets) + len(fault.All(errTargets))
}

// tooMany stands for more targets than a row may name, which are not read.
var tooMany = make([]bulk.Target, bulk.MaxTargets+1)

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
		return tooMany, nil
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
		if len(targets) > bulk.MaxTargets {
			return tooMany, fault.Join(errs...)
		}
	}
	return targets, fault.Join(errs...)
}

// targetsIn returns the targets that a text names, or tooMany.
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
			return tooMany
		}
	}
	return targets
}
