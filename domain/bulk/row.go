package bulk

import (
	"slices"

	"lyceum/domain/fault"
	"lyceum/domain/property"
	"lyceum/domain/text"
)

// MaxTargets is the maximum number of groups or courses of one row.
const MaxTargets = 500

// Row is one row of a request: a person and the groups to join, or a group and the courses to add.
type Row struct {
	Number     int    // 0-based, in the request
	Subject    string // the person's email address or the group's name
	Targets    []Target
	FirstName  string                  // name of a new person; existing people keep theirs
	LastName   string                  // like FirstName
	Properties map[string]property.Raw // properties to set, by name; nil: none
	Errors     []RowError              // why the row is not applied; if not empty, the other fields are empty
}

// about reports whether the row is about the person with the given unique key of the email address.
func (r Row) about(key string) bool { return r.Subject != "" && text.UniqueKey(r.Subject) == key }

// names returns the total length of the names of the targets, in bytes.
func (r Row) names() (n int) {
	for _, t := range r.Targets {
		n += len(t.Name)
	}
	return n
}

// Target is a group for a person to join, by name, or a course to add to a group, by id or
// permalink.
type Target struct {
	Field string // its path in the row, such as groups or groups/1
	Name  string
}

// RowError is a fault of a row.
type RowError struct {
	Row    int    // 0-based, in the request
	Field  string // attribute at fault, such as groups/1 or properties.level; blank: the whole row
	Kind   fault.Kind
	Detail string
}

// maxErrors limits the number of errors saved for one row, so that a response is not many times
// larger than its request.
const maxErrors = 5

// maxPartErrors is the number of errors of a part from which only the first one of each row is saved.
// A row of a few bytes can have many errors, and a job keeps them for months.
const maxPartErrors = 100

// rowErrors returns the faults in err, or one error of the kind Defect if err contains none.
func rowErrors(row int, err error) []RowError {
	if err != nil && fault.All(err) == nil {
		return []RowError{{Row: row, Kind: fault.Defect, Detail: fault.DefectDetail}}
	}
	var rowErrs []RowError
	for _, f := range fault.All(err) {
		if len(rowErrs) < maxErrors {
			rowErrs = append(rowErrs, RowError{Row: row, Field: f.Field, Kind: f.Kind, Detail: f.Detail})
		}
	}
	return rowErrs
}

// NewRow returns a row with either its normalized values or its errors. unread contains the faults
// of attributes that could not be read. NewRow checks the other attributes and adds their faults,
// as far as they can be found before the row is applied.
func (k Kind) NewRow(number int, subject string, targets []Target, properties map[string]property.Raw, unread error) Row {
	found := fault.All(unread)
	known := func(f *fault.Fault) bool {
		return slices.ContainsFunc(found, func(other *fault.Fault) bool { return other.Field == f.Field || other.Field == "" })
	}
	subject, targets, broken := k.check(subject, targets)
	broken = fault.Join(broken, property.CheckSent(properties))
	all := slices.Concat(found, slices.DeleteFunc(slices.Clone(fault.All(broken)), known))
	if len(all) > 0 {
		return Row{Number: number, Errors: rowErrors(number, fault.List(all))}
	}
	return Row{Number: number, Subject: subject, Targets: targets, Properties: properties}
}

// check returns the normalized row, or all its faults.
func (k Kind) check(subject string, targets []Target) (string, []Target, error) {
	if k == People {
		email, errEmail := text.Email("email", subject)
		groups, errGroups := k.checkTargets("groups", targets, text.Name)
		return email, groups, fault.Join(errEmail, errGroups)
	}
	name, errName := text.Name("name", subject)
	courses, errCourses := k.checkTargets("courses", targets, func(field, ref string) (string, error) {
		_, isID := text.UUID(ref)
		if _, err := text.Slug(field, ref); err != nil && !isID {
			return "", k.Unknown(field)
		}
		return ref, nil
	})
	return name, courses, fault.Join(errName, errCourses)
}

func (k Kind) checkTargets(
	field string, targets []Target, check func(field, name string) (string, error),
) ([]Target, error) {
	if len(targets) > MaxTargets {
		return nil, fault.Invalidf(field, "has too many elements (maximum is %d)", MaxTargets)
	}
	kept, errs := make([]Target, len(targets)), make([]error, len(targets))
	for i, t := range targets {
		kept[i].Field = t.Field
		kept[i].Name, errs[i] = check(t.Field, t.Name)
	}
	return kept, fault.Join(errs...)
}

// Unknown returns the fault of a field that refers to no record of the school.
func (k Kind) Unknown(field string) error {
	if k == People {
		return fault.Invalidf(field, "is not the name of a group")
	}
	return fault.Invalidf(field, "is not the id or permalink of a course")
}
