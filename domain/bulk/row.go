package bulk

import (
	"slices"

	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// MaxTargets is how many groups or courses a row may name.
const MaxTargets = 500

// Row is one row of a request: whom or what it is about, and what that is to
// join or to hold.
type Row struct {
	Number  int    // 0-based, in the request
	Subject string // the person's e-mail address, the group's name
	Targets []Target
	Errors  []RowError // why it will not be applied; then it has neither subject nor targets
}

// Target is a group that a person shall join, by its name, or a course that a
// group shall hold, by its id or permalink.
type Target struct {
	Field string // where the row names it, such as groups or groups/1
	Name  string
}

// RowError is one failure of one row.
type RowError struct {
	Row    int    // 0-based, in the request
	Field  string // the member of the row at fault, such as email or groups/1; blank when it is the row itself
	Kind   fault.Kind
	Detail string
}

// maxErrors is how many failures of one row are told: a request must not make
// an answer that is many times its size.
const maxErrors = 5

func rowErrors(row int, err error) []RowError {
	var told []RowError
	for _, f := range fault.All(err) {
		if len(told) < maxErrors {
			told = append(told, RowError{Row: row, Field: f.Field, Kind: f.Kind, Detail: f.Detail})
		}
	}
	return told
}

// NewRow returns a row, with all that can be known to be wrong with it before it
// is applied: unread, the faults of the members that could not be read, and the
// rules that the others break.
func (k Kind) NewRow(number int, subject string, targets []Target, unread error) Row {
	found := fault.All(unread)
	known := func(f *fault.Fault) bool {
		return slices.ContainsFunc(found, func(other *fault.Fault) bool { return other.Field == f.Field || other.Field == "" })
	}
	subject, targets, broken := k.check(subject, targets)
	all := slices.Concat(found, slices.DeleteFunc(slices.Clone(fault.All(broken)), known))
	if len(all) > 0 {
		return Row{Number: number, Errors: rowErrors(number, fault.List(all))}
	}
	return Row{Number: number, Subject: subject, Targets: targets}
}

// check returns the row as it is to be kept, and all rules that it breaks.
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
		return nil, fault.Invalidf(field, "names too many (maximum is %d)", MaxTargets)
	}
	kept, errs := make([]Target, len(targets)), make([]error, len(targets))
	for i, t := range targets {
		kept[i].Field = t.Field
		kept[i].Name, errs[i] = check(t.Field, t.Name)
	}
	return kept, fault.Join(errs...)
}

// Unknown says that field of a row names a target that the school has not.
func (k Kind) Unknown(field string) error {
	if k == People {
		return fault.Invalidf(field, "is the name of no group")
	}
	return fault.Invalidf(field, "is the id or permalink of no course")
}
