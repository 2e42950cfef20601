package transfer

import (
	"context"
	"slices"
	"strings"

	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/property"
	"lyceum/ports"
)

// peopleColumns contains the columns of a CSV file of people, without the columns of properties.
var peopleColumns = []string{"email", "first_name", "last_name", "custom_avatar_url", "unsubscribed", groupsColumn}

// groupsColumn is the column with group names. Each cell is a line of CSV itself, so that a name
// may contain a comma.
const groupsColumn = "groups"

// propertyColumn is the prefix of a property's column; the name of the property follows.
const propertyColumn = property.Field + "."

// columns returns the names of all columns of a file that has the given properties.
func columns(properties []string) []string {
	all := slices.Clone(peopleColumns)
	for _, name := range properties {
		all = append(all, propertyColumn+name)
	}
	return all
}

// checkColumns returns the faults of head, the first line of a file. It accepts every column with
// the prefix propertyColumn.
func checkColumns(head []string) error {
	var errs []error
	for i, name := range head {
		switch {
		case !slices.Contains(peopleColumns, name) && !strings.HasPrefix(name, propertyColumn):
			errs = append(errs, unknownColumn(name, nil))
		case slices.Contains(head[:i], name):
			errs = append(errs, fault.Invalidf("", "duplicate column %q", name))
		}
	}
	if !slices.Contains(head, "email") {
		errs = append(errs, fault.Invalidf("", "the column email is missing"))
	}
	return fault.Join(errs...)
}

// unknownColumn returns the fault for an unknown column. properties contains the names of the
// properties that the school has defined.
func unknownColumn(name string, properties []string) error {
	return fault.Invalidf("", "unknown column %q; known columns: %s", name, strings.Join(columns(properties), ", "))
}

// lockDefinitions locks the definitions of the properties that have a column, and sets them in all
// rows. Definitions are locked before groups and people.
func lockDefinitions(ctx context.Context, tx ports.Tx, rows []personRow, names []string) error {
	if len(names) == 0 {
		return nil
	}
	defined, err := tx.Properties.NamedForShare(ctx, property.People, names)
	if err != nil {
		return err
	}
	if len(defined) < len(names) {
		return unknownProperties(ctx, tx, names)
	}
	for i := range rows {
		rows[i].profile.Properties.Defined, rows[i].changes.Properties.Defined = defined, defined
	}
	return nil
}

// unknownProperties returns a fault for each column whose property name is not defined.
func unknownProperties(ctx context.Context, tx ports.Tx, names []string) error {
	defined, err := usecase.PropertyNames(ctx, tx.Properties, property.People)
	if err != nil {
		return err
	}
	var faults ImportErrors
	for _, name := range names {
		if !slices.Contains(defined, name) {
			faults = append(faults, LineError{1, "", unknownColumn(propertyColumn+name, defined)})
		}
	}
	if faults == nil { // another transaction defined it after NamedForShare
		return ports.ErrChanged
	}
	return faults
}
