package transfer

import (
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"

	"lyceum/app/transfer/csvfile"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/text"
)

// maxRow is the maximum number of bytes of a row of a CSV file.
const maxRow = 1 << 20

// personRow is a row of a CSV file of people.
type personRow struct {
	line    int
	changes person.Changes // fields are nil for columns that the file does not have
	profile person.Profile
	groups  []string
}

// readPeople reads a CSV file of people, or returns ImportErrors. The first line names the columns;
// email is required. It also returns the names of properties that have a column. They are checked
// later against the definitions of the school.
func readPeople(r io.Reader) (rows []personRow, properties []string, err error) {
	lines := csvfile.NewReader(r, maxRow)
	head, err := lines.Read()
	if errors.Is(err, io.EOF) {
		return nil, nil, ImportErrors{{1, "", fault.Invalidf("", "the file is empty; its first line must name the columns")}}
	}
	if err != nil {
		return nil, nil, csvError(err)
	}
	if err := checkColumns(head); err != nil {
		return nil, nil, ImportErrors{{1, "", err}}
	}
	for _, name := range head {
		if name, ok := strings.CutPrefix(name, propertyColumn); ok {
			properties = append(properties, name)
		}
	}
	var faults ImportErrors
	seen := map[string]int{}
	for len(faults) < maxImportFaults {
		cells, err := lines.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, append(faults, unreadableFaults(err)...)
		}
		line := lines.Line()
		row, err := readPerson(head, cells)
		row.line = line
		key := text.UniqueKey(row.profile.Email)
		if first, ok := seen[key]; ok && err == nil {
			err = fault.Invalidf("email", "duplicates the person in line %d", first)
		}
		seen[key] = line
		if err != nil {
			faults = append(faults, LineError{line, "", err})
			continue
		}
		rows = append(rows, row)
	}
	if len(faults) > 0 {
		return nil, nil, faults
	}
	return rows, properties, nil
}

// csvError returns an error of the CSV reader as ImportErrors, and other errors unchanged.
func csvError(err error) error {
	if faults := unreadableFaults(err); faults[0].Line > 0 {
		return faults
	}
	return err
}

func unreadableFaults(err error) ImportErrors {
	var wrong *csvfile.RowError
	if errors.As(err, &wrong) {
		return ImportErrors{{wrong.Line, "", fault.Invalidf("", "%s", wrong.Reason)}}
	}
	return ImportErrors{{0, "", fault.Invalidf("", "cannot be read: %v", err)}}
}

func readPerson(head, cells []string) (personRow, error) {
	var row personRow
	if len(cells) != len(head) {
		return row, fault.Invalidf("", "has %d fields, but the first line has %d", len(cells), len(head))
	}
	var errs []error
	sent := map[string]property.Raw{}
	for i, name := range head {
		cell := text.UnguardFormula(cells[i])
		switch name {
		case "email":
			row.profile.Email, row.changes.Email = strings.TrimSpace(cell), &cell
		case "first_name":
			row.profile.FirstName, row.changes.FirstName = cell, &cell
		case "last_name":
			row.profile.LastName, row.changes.LastName = cell, &cell
		case "custom_avatar_url":
			row.profile.AvatarURL, row.changes.AvatarURL = cell, &cell
		case "unsubscribed":
			if strings.TrimSpace(cell) == "" {
				break
			}
			is, err := strconv.ParseBool(strings.ToLower(strings.TrimSpace(cell)))
			if err != nil {
				errs = append(errs, fault.Invalidf(name, "must be true or false"))
			}
			row.profile.Unsubscribed, row.changes.Unsubscribed = is, &is
		case groupsColumn:
			names, err := splitCSVLine(cell)
			row.groups, errs = names, append(errs, err)
		default:
			sent[strings.TrimPrefix(name, propertyColumn)] = property.RawCell(cell)
		}
	}
	row.profile.Properties.Sent, row.changes.Properties.Sent = sent, sent
	return row, fault.Join(errs...)
}

// splitCSVLine returns the names in a line of CSV. It is the inverse of csvLine.
func splitCSVLine(cell string) ([]string, error) {
	if strings.TrimSpace(cell) == "" {
		return nil, nil
	}
	line := csv.NewReader(strings.NewReader(cell))
	line.TrimLeadingSpace = true
	names, err := line.Read()
	if err != nil {
		return nil, fault.Invalidf(groupsColumn, "must be a comma-separated list of names")
	}
	if _, err := line.Read(); !errors.Is(err, io.EOF) {
		return nil, fault.Invalidf(groupsColumn, "must be a single line")
	}
	return names, nil
}
