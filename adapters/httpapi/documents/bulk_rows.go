package documents

import (
	"slices"
	"strconv"
	"strings"

	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/domain/bulk"
	"lyceum/domain/fault"
	"lyceum/domain/property"
)

// BulkRows returns the rows of a bulk request. It adds faults of the array, such as too many
// elements, to d. Faults of a row become errors of that row.
func BulkRows(d *request.Document, kind bulk.Kind) []bulk.Row {
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
		return nil // not parsed: the parsed rows would need far more memory than the body
	}
	elements, _ := sent.Array()
	rows := make([]bulk.Row, len(elements))
	named := 0
	for i, e := range elements {
		var n int
		rows[i], n = readBulkRow(kind, i, e)
		named += n
		if err := kind.CheckTargets(i, named); err != nil {
			d.Fail(err)
			return nil // each comma can add a target, which needs far more memory than the comma
		}
	}
	return rows
}

// rowMembers maps a kind to the names of its row's attributes: the subject and the targets.
var rowMembers = map[bulk.Kind]struct{ subject, targets string }{
	bulk.People: {"email", "groups"},
	bulk.Groups: {"name", "courses"},
}

// readBulkRow returns a row and the number of its targets and properties, including malformed ones.
func readBulkRow(kind bulk.Kind, number int, v jsonapi.Value) (row bulk.Row, named int) {
	o, ok := v.Object()
	if !ok {
		return kind.NewRow(number, "", nil, nil, fault.Invalidf("", "must be an object")), 0
	}
	members := rowMembers[kind]
	subject, errSubject := request.TextOf(members.subject, o[members.subject])
	targets, errTargets := readTargets(members.targets, o[members.targets], kind == bulk.Groups)
	properties, errProperties := readRowProperties(o[property.Field])
	row = kind.NewRow(number, subject, targets, properties, fault.Join(errSubject, errTargets, errProperties))
	return row, len(targets) + len(fault.All(errTargets)) + len(properties)
}

// readRowProperties returns the properties of a row, or nil if they are absent.
func readRowProperties(v jsonapi.Value) (map[string]property.Raw, error) {
	if v.Absent() {
		return nil, nil
	}
	members, ok := v.Object()
	if !ok {
		return nil, fault.Invalidf(property.Field, "must be an object")
	}
	return RawProperties(members), nil
}

// tooManyTargets is returned for a row with more than bulk.MaxTargets targets, which are not
// parsed. It is too long as well, so that the domain reports the fault.
var tooManyTargets = make([]bulk.Target, bulk.MaxTargets+1)

// readTargets returns the targets of a row: v is absent, a string or an array of strings. If list
// is true, each string is a comma-separated list. Empty names are ignored.
func readTargets(field string, v jsonapi.Value, list bool) ([]bulk.Target, error) {
	n, ok := v.Len()
	if !ok {
		s, err := request.TextOf(field, v)
		if err != nil {
			return nil, fault.Invalidf(field, "must be a string or an array of strings")
		}
		return splitTargets(field, s, list), nil
	}
	if n > bulk.MaxTargets {
		return tooManyTargets, nil
	}
	elements, _ := v.Array()
	var targets []bulk.Target
	var errs []error
	for i, e := range elements {
		path := field + "/" + strconv.Itoa(i)
		s, ok := e.Text()
		if !ok {
			errs = append(errs, fault.Invalidf(path, "must be a string"))
			continue
		}
		targets = append(targets, splitTargets(path, s, list)...)
		if len(targets) > bulk.MaxTargets {
			return tooManyTargets, fault.Join(errs...)
		}
	}
	return targets, fault.Join(errs...)
}

// splitTargets returns the targets in a text, or tooManyTargets.
func splitTargets(field, s string, list bool) []bulk.Target {
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
			return tooManyTargets
		}
	}
	return targets
}

// RawProperties returns the values of properties as they were sent.
func RawProperties(members jsonapi.Object) map[string]property.Raw {
	sent := make(map[string]property.Raw, len(members))
	for name, v := range members {
		sent[name] = rawProperty(v)
	}
	return sent
}

func rawProperty(v jsonapi.Value) property.Raw {
	if s, ok := v.Text(); ok {
		return property.RawText(s)
	}
	if n, ok := v.Number(); ok {
		return property.RawNumber(n)
	}
	if truth, ok := v.Bool(); ok {
		return property.RawBoolean(truth)
	}
	if v.Null() {
		return property.Raw{}
	}
	return property.RawOther()
}
