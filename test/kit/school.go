// Package kit creates schools for tests from lines in the format of docs/transfer.md. Its type
// Learning performs single actions of learners.
package kit

import (
	"context"
	"encoding/json"
	"io"
	"strings"

	"lyceum/app"
	"lyceum/app/transfer"
	"lyceum/domain/school"
	"lyceum/ports"
)

// School describes a school for a test.
type School struct {
	Name  string
	Auth  school.AuthMethod // zero value: preregistration
	Lines string            // the school file without its first and its last line
}

// Open returns a reader of the school's lines.
func (s School) Open() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(s.text())), nil }

func (s School) text() string {
	head := map[string]any{"kind": "school", "format": 1, "name": s.Name}
	if s.Auth != (school.AuthMethod{}) {
		head["authentication"] = s.Auth.String()
	}
	first, _ := json.Marshal(head) // the value has only texts and a number, so it cannot fail
	return string(first) + "\n" + s.Lines + "\n" + `{"kind": "end"}` + "\n"
}

// Import imports the school into a store, in the same way as the function Import.
func (s School) Import(ctx context.Context, a *app.App) (school.ID, string, error) {
	return Import(ctx, a, s.Open)
}

// Import imports the school file that open returns. It returns the school's id and the secret of an
// API key with the scope admin.
func Import(ctx context.Context, a *app.App, open func() (io.ReadCloser, error)) (school.ID, string, error) {
	made, err := a.Transfers.ImportNew(ctx, transfer.Import{Open: open})
	if err != nil {
		return school.ID{}, "", err
	}
	_, secret, err := a.Provision.CreateKey(ctx, made.School.ID, school.KeyParams{Name: "tests", Scope: school.Admin})
	return made.School.ID, secret, err
}

// Reading returns an import that reads the text.
func Reading(text string) transfer.Import {
	return transfer.Import{Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
}

// AddSchool adds a school without records.
func AddSchool(ctx context.Context, to ports.Loader, s school.School) error {
	return to.LoadNewSchool(ctx, s, func(context.Context, ports.LoadTx) error { return nil })
}
