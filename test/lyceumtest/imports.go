package lyceumtest

import (
	"context"
	"io"
	"strings"

	"lyceum/app"
	"lyceum/app/transfer"
)

// Import imports lines into the first school, as "lyceum import --school" does, and therefore
// checks all rules. docs/transfer.md describes the lines. Import itself adds the line of kind
// school and the line of kind end, so errors give the first of lines the number 2. Import returns
// the faults of the lines as transfer.ImportErrors.
func (s *Server) Import(ctx context.Context, lines string) (transfer.ImportResult, error) {
	a, err := s.operator(ctx)
	if err != nil {
		return transfer.ImportResult{}, err
	}
	return s.App().Transfers.Import(ctx, a, reading(`{"kind": "school", "format": 1, "name": "Test"}`+"\n"+
		strings.TrimRight(lines, "\n")+"\n"+`{"kind": "end"}`+"\n"))
}

// ImportPeople imports people as CSV into the first school, as "lyceum import people.csv" does, and
// therefore checks all rules. The first line of csv names the columns. ImportPeople sends no
// invitations. It returns the faults of the rows as transfer.ImportErrors.
func (s *Server) ImportPeople(ctx context.Context, csv string) (transfer.ImportResult, error) {
	a, err := s.operator(ctx)
	if err != nil {
		return transfer.ImportResult{}, err
	}
	return s.App().Transfers.ImportPeople(ctx, a, reading(csv), false)
}

// operator returns the actor of operator commands for the school of the server's API key.
func (s *Server) operator(ctx context.Context) (app.Actor, error) {
	a, err := s.App().Auth.Authenticate(ctx, s.Key)
	return app.SystemActor(a.School()), err
}

// reading returns an import that reads the text.
func reading(text string) transfer.Import {
	return transfer.Import{Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
}
