package transfer

import (
	"bufio"
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"

	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/text"
)

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
	limited := &rowLimiter{r: r, left: maxRow}
	lines := csv.NewReader(skipBOM(limited))
	lines.FieldsPerRecord = -1 // the number of cells is checked with the rest of the row
	head, err := lines.Read()
	if errors.Is(err, io.EOF) {
		return nil, nil, ImportErrors{{1, "", fault.Invalidf("", "the file is empty; its first line must name the columns")}}
	}
	if errors.Is(err, errLongRow) {
		return nil, nil, ImportErrors{{1, "", fault.Invalidf("", "the first row is longer than %d bytes; a quotation mark may be missing", maxRow)}}
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
	line, _ := lines.FieldPos(0)
	for len(faults) < maxImportFaults {
		limited.allowRow()
		cells, err := lines.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if errors.Is(err, errLongRow) {
			return nil, nil, append(faults, LineError{line, "", fault.Invalidf("", "the next row is longer than %d bytes; a quotation mark may be missing", maxRow)})
		}
		if err != nil {
			return nil, nil, append(faults, unreadableFaults(err)...)
		}
		line, _ = lines.FieldPos(0)
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

// maxRow is the maximum number of bytes of a row. A quoted cell ends at the next quotation mark, so
// without a limit one missing mark would make the rest of the file a cell.
const maxRow = 1 << 20

var errLongRow = errors.New("transfer: a row is too long")

// rowLimiter reads at most maxRow bytes after each call of allowRow. The reader of CSV reads ahead
// only a few kilobytes, so a row can have almost as many bytes.
type rowLimiter struct {
	r    io.Reader
	left int
}

func (l *rowLimiter) allowRow() { l.left = maxRow }

// Read implements io.Reader.
func (l *rowLimiter) Read(b []byte) (int, error) {
	if l.left <= 0 {
		return 0, errLongRow
	}
	n, err := l.r.Read(b[:min(len(b), l.left)])
	l.left -= n
	return n, err
}

// skipBOM returns r without a leading byte order mark.
func skipBOM(r io.Reader) io.Reader {
	b := bufio.NewReader(r)
	if mark, err := b.Peek(len("\uFEFF")); err == nil && string(mark) == "\uFEFF" {
		_, _ = b.Discard(len(mark)) // cannot fail, because Peek has read these bytes
	}
	return b
}

// csvError returns an error of the CSV reader as ImportErrors, and other errors unchanged.
func csvError(err error) error {
	if faults := unreadableFaults(err); faults[0].Line > 0 {
		return faults
	}
	return err
}

func unreadableFaults(err error) ImportErrors {
	var wrong *csv.ParseError
	if errors.As(err, &wrong) {
		return ImportErrors{{wrong.Line, "", fault.Invalidf("", "invalid CSV at column %d: %v", wrong.Column, wrong.Err)}}
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
