package teaching

import (
	"net/http"
	"strings"

	"lyceum/adapters/web"
	"lyceum/domain/bulk"
)

// importStatus is the data of the page about an import.
type importStatus struct {
	bulk.Job
	Added   int
	Lines   []lineError // the first maxLineErrors
	Further int         // errors that are not in Lines
}

// maxLineErrors is the maximum number of errors on the page about an import, which can have 75,000.
// To show all of them takes a processor for seconds, and the page is reloaded while the import
// runs.
const maxLineErrors = 500

// lineError is a reason why a line of the file was not imported.
type lineError struct {
	Line   int // of the file, if each row is on one line
	Reason string
}

func showImport(x *siteRequest) error {
	of, err := x.id("job")
	if err != nil {
		return err
	}
	j, err := x.site.app.BulkJob(x.r.Context(), x.staff, bulk.ID{UUID: of})
	if err != nil {
		return err
	}
	shown := j.Errors[:min(len(j.Errors), maxLineErrors)]
	s := importStatus{Job: j, Added: j.RowsDone - j.RowsFailed, Further: len(j.Errors) - len(shown)}
	for _, e := range shown {
		s.Lines = append(s.Lines, lineError{lineOfRow(e.Row), x.reason(e.Field, e.Detail)})
	}
	return x.render(http.StatusOK, "import", s)
}

// importExample responds with an example of a CSV file.
func importExample(x *siteRequest) error {
	if err := x.staff.CheckManages(); err != nil {
		return err
	}
	web.ServeDownload(x.w, x.r, "people.csv", strings.NewReader(exampleFile))
	return nil
}

// exampleFile is a CSV file of people. It ends lines like RFC 4180, section 2.
const exampleFile = "email,first_name,last_name,groups\r\n" +
	"ada@example.org,Ada,Young,Spring class\r\n" +
	"ben@example.org,Ben,Miller,\"Spring class,Evening class\"\r\n" +
	"cleo@example.org,Cleo,,\r\n"
