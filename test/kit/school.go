// Package kit makes the schools of tests out of the lines of docs/transfer.md.
package kit

import (
	"context"
	"encoding/json"
	"io"
	"strings"

	"lyceum/app"
	"lyceum/app/transfer"
	"lyceum/domain/school"
)

// School is a school of a test.
type School struct {
	Name  string
	Auth  school.AuthMethod // zero: preregistration
	Lines string            // without the first and the last one
}

// Open opens the file of the school.
func (s School) Open() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(s.text())), nil }

func (s School) text() string {
	head := map[string]any{"kind": "school", "format": 1, "name": s.Name}
	if s.Auth != (school.AuthMethod{}) {
		head["authentication"] = s.Auth.String()
	}
	first, _ := json.Marshal(head) // texts and a number
	return string(first) + "\n" + s.Lines + "\n" + `{"kind": "end"}` + "\n"
}

// Import makes the school in a store, as Import does.
func (s School) Import(ctx context.Context, a *app.App) (school.ID, string, error) {
	return Import(ctx, a, s.Open)
}

// Import makes the school of a file in a store and returns its id and the secret of
// an API key with all scopes.
func Import(ctx context.Context, a *app.App, open func() (io.ReadCloser, error)) (school.ID, string, error) {
	made, err := a.Transfers.ImportNew(ctx, transfer.Import{Open: open})
	if err != nil {
		return school.ID{}, "", err
	}
	_, secret, err := a.Provision.CreateKey(ctx, made.School.ID, school.KeyTerms{Name: "tests", Scope: school.Admin})
	return made.School.ID, secret, err
}

// Reading returns the import of a text.
func Reading(text string) transfer.Import {
	return transfer.Import{Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
}
