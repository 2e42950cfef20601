package transfer

import (
	"bufio"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/text"
)

// personRow is a row of people as CSV.
type personRow struct {
	line    int
	edit    person.Edit // columns that the file has not are nil
	profile person.Profile
	groups  []string
}

// readPeople reads people as CSV, or returns ImportErrors. The first line names
// the columns; email must be one of them.
func readPeople(r io.Reader) ([]personRow, error) {
	lines := csv.NewReader(withoutMark(r))
	lines.FieldsPerRecord = -1 // a row of another length is told with the others
	head, err := lines.Read()
	if errors.Is(err, io.EOF) {
		return nil, ImportErrors{{1, "", fault.Invalidf("", "the file is empty: the first line names the columns")}}
	}
	if err != nil {
		return nil, unreadable(err)
	}
	if err := checkColumns(head); err != nil {
		return nil, ImportErrors{{1, "", err}}
	}
	var rows []personRow
	var faults ImportErrors
	seen := map[string]int{}
	for len(faults) < importFaultsTold {
		cells, err := lines.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, append(faults, unreadableFaults(err)...)
		}
		line, _ := lines.FieldPos(0)
		row, err := readPerson(head, cells)
		row.line = line
		key := text.Key(row.profile.Email)
		if first, ok := seen[key]; ok && err == nil {
			err = fault.Invalidf("email", "line %d tells of the same person", first)
		}
		seen[key] = line
		if err != nil {
			faults = append(faults, LineFault{line, "", err})
			continue
		}
		rows = append(rows, row)
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return rows, nil
}

// withoutMark returns r without the mark of the byte order that some programs put
// first.
func withoutMark(r io.Reader) io.Reader {
	b := bufio.NewReader(r)
	if mark, err := b.Peek(len("\uFEFF")); err == nil && string(mark) == "\uFEFF" {
		_, _ = b.Discard(len(mark)) // it is there
	}
	return b
}

// unreadable returns why a text is no CSV, as faults where it is the text's.
func unreadable(err error) error {
	if faults := unreadableFaults(err); faults[0].Line > 0 {
		return faults
	}
	return err
}

func unreadableFaults(err error) ImportErrors {
	var wrong *csv.ParseError
	if errors.As(err, &wrong) {
		return ImportErrors{{wrong.Line, "", fault.Invalidf("", "is no CSV: column %d: %v", wrong.Column, wrong.Err)}}
	}
	return ImportErrors{{0, "", fault.Invalidf("", "cannot be read: %v", err)}}
}

func checkColumns(head []string) error {
	var errs []error
	for i, name := range head {
		switch {
		case !slices.Contains(peopleColumns, name):
			errs = append(errs, fault.Invalidf("", "the column %q is none of %s", name, strings.Join(peopleColumns, ", ")))
		case slices.Contains(head[:i], name):
			errs = append(errs, fault.Invalidf("", "the column %q is there twice", name))
		}
	}
	if !slices.Contains(head, "email") {
		errs = append(errs, fault.Invalidf("", "the column email is missing"))
	}
	return fault.Join(errs...)
}

// readPerson returns what a row says.
func readPerson(head, cells []string) (personRow, error) {
	var row personRow
	if len(cells) != len(head) {
		return row, fault.Invalidf("", "has %d cells, the first line %d", len(cells), len(head))
	}
	var errs []error
	for i, name := range head {
		cell := unguarded(cells[i])
		switch name {
		case "email":
			row.profile.Email, row.edit.Email = strings.TrimSpace(cell), &cell
		case "first_name":
			row.profile.FirstName, row.edit.FirstName = cell, &cell
		case "last_name":
			row.profile.LastName, row.edit.LastName = cell, &cell
		case "custom_avatar_url":
			row.profile.AvatarURL, row.edit.AvatarURL = cell, &cell
		case "unsubscribed":
			if strings.TrimSpace(cell) == "" {
				break
			}
			is, err := strconv.ParseBool(strings.ToLower(strings.TrimSpace(cell)))
			if err != nil {
				errs = append(errs, fault.Invalidf(name, "is neither true nor false"))
			}
			row.profile.Unsubscribed, row.edit.Unsubscribed = is, &is
		case groupsColumn:
			names, err := split(cell)
			row.groups, errs = names, append(errs, err)
		}
	}
	return row, fault.Join(errs...)
}

// split returns the names that joined has written.
func split(cell string) ([]string, error) {
	if strings.TrimSpace(cell) == "" {
		return nil, nil
	}
	line := csv.NewReader(strings.NewReader(cell))
	line.TrimLeadingSpace = true
	names, err := line.Read()
	if err != nil {
		return nil, fault.Invalidf(groupsColumn, "is no list of names, separated by commas")
	}
	if _, err := line.Read(); !errors.Is(err, io.EOF) {
		return nil, fault.Invalidf(groupsColumn, "has more than one line")
	}
	return names, nil
}
