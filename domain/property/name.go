package property

import (
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"

	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// Limits of a definition.
const (
	MaxName    = 63  // maximum length of a name, in characters
	MaxOptions = 100 // maximum number of options of a definition
	MaxOption  = 100 // maximum length of an option, in characters
)

var nameForm = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// checkName returns a fault unless name is valid for a property: a lowercase ASCII letter, followed
// by lowercase letters, digits and underscores.
func checkName(name string) error {
	switch {
	case name == "":
		return fault.Blank("name")
	case len(name) > MaxName:
		return fault.Invalidf("name", "is too long (maximum is %d characters)", MaxName)
	case !nameForm.MatchString(name):
		return fault.Invalidf("name", "must start with a lowercase letter and contain only lowercase letters, digits and underscores, for example cost_center")
	}
	return nil
}

// checkOptions returns the options for a definition of kind k, without surrounding white space, or
// the faults of the options.
func checkOptions(k Kind, options []string) ([]string, error) {
	switch {
	case k != OneOf && len(options) > 0:
		return nil, fault.Invalidf("values", "is allowed only for the kind %s", OneOf)
	case k != OneOf:
		return nil, nil
	case len(options) == 0:
		return nil, fault.Blank("values")
	case len(options) > MaxOptions:
		return nil, fault.Invalidf("values", "has too many elements (maximum is %d)", MaxOptions)
	}
	checked := make([]string, len(options))
	var errs []error
	for i, o := range options {
		field := "values[" + strconv.Itoa(i) + "]"
		option, err := text.Name(field, o)
		switch {
		case err == nil && utf8.RuneCountInString(option) > MaxOption:
			err = fault.Invalidf(field, "is too long (maximum is %d characters)", MaxOption)
		case err == nil && slices.Contains(checked[:i], option):
			err = fault.Invalidf(field, "is used more than once")
		}
		checked[i] = option
		errs = append(errs, err)
	}
	if err := fault.Join(errs...); err != nil {
		return nil, err
	}
	return checked, nil
}
