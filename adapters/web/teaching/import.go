package teaching

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"lyceum/adapters/web"
	"lyceum/app/transfer/csvfile"
	"lyceum/domain/bulk"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

const (
	// maxImport is the maximum size of a CSV file in bytes.
	maxImport = 4 << 20
	// maxRow is the maximum size of a row of the file in bytes.
	maxRow = 256 << 10
	// importTime is the time limit of an upload.
	importTime = 2 * time.Minute
)

// importColumns contains the columns of a CSV file of people.
var importColumns = []string{"email", "first_name", "last_name", "groups"}

func importForm(x *siteRequest) error {
	if err := x.staff.CheckManages(); err != nil {
		return err
	}
	return x.render(http.StatusOK, "import-form", importColumns)
}

// importPeople accepts the rows of a CSV file. A bulk job adds the people.
func importPeople(x *siteRequest) error {
	if err := x.staff.CheckManages(); err != nil {
		return err
	}
	// Reading a file takes much more time than refusing it.
	if err := x.site.app.CheckBacklog(x.r.Context(), x.staff); err != nil {
		return err
	}
	body, err := x.AdmitFile()
	if err != nil {
		return err
	}
	// The deadline of the server is too short for an upload. If it cannot be replaced, it applies.
	_ = http.NewResponseController(x.w).SetWriteDeadline(time.Now().Add(importTime))
	x.r.Body = http.MaxBytesReader(x.w, io.NopCloser(body), maxImport)
	var rows []bulk.Row
	file, err := x.importFile()
	if err == nil { // the file can take minutes to arrive, and the role can end in the meantime
		if err := x.identify(); err != nil {
			return err
		}
	}
	if err == nil { // the file has arrived, so the slot is held only while it is read
		err = x.AdmitWork(web.Search)
	}
	if err == nil {
		// Rows take as much time of a processor as pages, so schools take turns with both.
		err = x.Render(func() (err error) {
			rows, err = x.importRows(file)
			return err
		})
	}
	if web.IsTooLarge(err) {
		return x.render(http.StatusRequestEntityTooLarge, "import-form", importColumns, x.t("The file is larger than 4 MB."))
	}
	if refused, ok := x.reasons(err); ok {
		return x.render(http.StatusUnprocessableEntity, "import-form", importColumns, refused...)
	}
	if err != nil {
		return err
	}
	j, err := x.site.app.AddPeople(x.r.Context(), x.staff, rows)
	if refused, ok := x.reasons(err); ok {
		return x.render(http.StatusUnprocessableEntity, "import-form", importColumns, refused...)
	}
	if err != nil {
		return err
	}
	return x.redirect("/imports/" + j.ID.String())
}

// importFile returns the file in the form.
func (x *siteRequest) importFile() ([]byte, error) {
	file, err := web.FileOf(x.r)
	if err == nil && file == nil {
		return nil, fault.Invalidf("", "%s", x.t("No file was chosen."))
	}
	if err != nil {
		return nil, err
	}
	return io.ReadAll(file)
}

// importRows returns the rows of a file.
func (x *siteRequest) importRows(file []byte) ([]bulk.Row, error) {
	if line := lineWithout(file, utf8.Valid); line > 0 {
		return nil, fault.Invalidf("", "%s", x.tf("The file is not UTF-8: line %s. In Excel, save it as “CSV UTF-8”.", itoa(line)))
	}
	intact := func(line []byte) bool { return !bytes.ContainsRune(line, utf8.RuneError) }
	if line := lineWithout(file, intact); line > 0 {
		return nil, fault.Invalidf("", "%s", x.tf("Line %s contains the character �, which replaces one that a program could not read.", itoa(line)))
	}
	lines := csvfile.NewReader(bytes.NewReader(file), maxRow)
	if first, _, _ := bytes.Cut(file, []byte("\n")); bytes.ContainsRune(first, ';') && !bytes.ContainsRune(first, ',') {
		lines.SeparateBy(';')
	}
	head, err := lines.Read()
	if err != nil {
		return nil, x.unreadable(err)
	}
	for i, name := range head {
		head[i] = columnName(name)
		if !slices.Contains(importColumns, head[i]) {
			return nil, fault.Invalidf("", "%s", x.tf("The file has the unknown column %s.", name))
		}
		if slices.Contains(head[:i], head[i]) {
			return nil, fault.Invalidf("", "%s", x.tf("The file has two columns %s.", head[i]))
		}
	}
	if !slices.Contains(head, "email") {
		return nil, fault.Invalidf("", "%s", x.t("The first line must name the columns, and there must be a column email."))
	}
	var rows []bulk.Row
	targets := 0               // of all rows
	lineOf := map[string]int{} // the line of an address, by its unique key
	for {
		cells, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, x.unreadable(err)
		}
		if err := bulk.People.CheckSize(len(rows) + 1); err != nil {
			return nil, err
		}
		row := importRow(len(rows), head, cells)
		targets += len(row.Targets)
		if err := bulk.People.CheckTargets(len(rows), targets); err != nil {
			return nil, err
		}
		if key := text.UniqueKey(row.Subject); key != "" && lineOf[key] > 0 {
			row = bulk.People.NewRow(row.Number, "", nil, nil, fault.Invalidf("email", "is already in line %d", lineOf[key]))
		} else if key != "" {
			lineOf[key] = lineOfRow(row.Number)
		}
		rows = append(rows, row)
	}
}

// lineWithout returns the number of the first line that does not satisfy ok, or 0.
func lineWithout(file []byte, ok func([]byte) bool) int {
	if ok(file) {
		return 0
	}
	n := 1
	for line := range bytes.Lines(file) {
		if !ok(line) {
			break
		}
		n++
	}
	return n
}

// columnName returns the name of a column that a person or a spreadsheet may spell in another way,
// such as "First name" or "E-mail".
func columnName(spelled string) string {
	name := strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(spelled)))
	if name == "e_mail" {
		return "email"
	}
	return name
}

// lineOfRow returns the line of a row, if each row is on one line.
func lineOfRow(number int) int { return number + 2 }

func (x *siteRequest) unreadable(err error) error {
	var wrong *csvfile.RowError
	if errors.As(err, &wrong) {
		return fault.Invalidf("", "%s", x.tf("The file is not valid CSV: line %s.", itoa(wrong.Line)))
	}
	if errors.Is(err, io.EOF) {
		return fault.Invalidf("", "%s", x.t("The file is empty."))
	}
	return err
}

// importRow returns the row with the given cells.
func importRow(number int, head, cells []string) bulk.Row {
	if len(cells) != len(head) {
		return bulk.People.NewRow(number, "", nil, nil, fault.Invalidf("", "has %d fields, but the first line has %d", len(cells), len(head)))
	}
	var email string
	var names [2]string
	var groups []bulk.Target
	for i, name := range head {
		cell := text.UnguardFormula(cells[i])
		switch name {
		case "email":
			email = cell
		case "first_name":
			names[0] = cell
		case "last_name":
			names[1] = cell
		case "groups": // a line of CSV itself, so that the name of a group can contain a comma
			inner, err := csv.NewReader(strings.NewReader(cell)).Read()
			if err != nil && !errors.Is(err, io.EOF) {
				inner = []string{cell}
			}
			for _, group := range inner {
				if len(groups) > bulk.MaxTargets {
					break // the row is refused
				}
				if group = strings.TrimSpace(group); group != "" {
					groups = append(groups, bulk.Target{Field: "groups", Name: group})
				}
			}
		}
	}
	row := bulk.People.NewRow(number, email, groups, nil, nil)
	if len(row.Errors) == 0 {
		row.FirstName, row.LastName = names[0], names[1]
	}
	return row
}
