package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// bulkPeople sends a bulk request with n new people and waits until all rows are applied.
func bulkPeople(ctx context.Context, s *server, n, turn int) (work, error) {
	made, err := s.newSchool(ctx, newName("Bulk"))
	if err != nil {
		return nil, err
	}
	rows := make([]string, n)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"email":"p%d@example.test"}`, i)
	}
	body := []byte(`{"data":{"type":"people","attributes":{"people":[` + strings.Join(rows, ",") + `]}}}`)
	return func(ctx context.Context) (outcome, error) {
		type attributes struct {
			Status string
			Failed int `json:"rows_failed"`
		}
		var job struct {
			Data struct {
				ID         string
				Attributes attributes
			}
		}
		began := time.Now()
		if err := s.send(ctx, made.key, http.MethodPost, "/v2/bulk/people", body, &job); err != nil {
			return outcome{}, err
		}
		response := time.Since(began)
		for job.Data.Attributes.Status != "completed" && ctx.Err() == nil {
			pause(ctx, 50*time.Millisecond)
			if err := s.send(ctx, made.key, http.MethodGet, "/v2/bulk/jobs/"+job.Data.ID, nil, &job); err != nil {
				return outcome{}, err
			}
		}
		if failed := job.Data.Attributes.Failed; failed > 0 {
			return outcome{}, fmt.Errorf("%d rows failed", failed)
		}
		return outcome{response: response}, ctx.Err()
	}, s.settle(ctx, turn)
}

// importPeople imports n people as CSV into a new school with the command of the program.
func importPeople(ctx context.Context, s *server, n, turn int) (work, error) {
	made, err := s.newSchool(ctx, newName("CSV"))
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	text.WriteString("email,first_name,last_name\n")
	for i := range n {
		fmt.Fprintf(&text, "p%d@example.test,First %d,Last %d\n", i, i, i)
	}
	file := filepath.Join(s.dir, "people.csv")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		return nil, err
	}
	return func(ctx context.Context) (outcome, error) {
		_, err := s.command(ctx, "import", file, "--school", made.id)
		return outcome{}, err
	}, s.settle(ctx, turn)
}

// export reads the export of a school of n people who all attend a course.
func export(ctx context.Context, s *server, n, _ int) (work, error) {
	in, err := s.courseSchool(ctx, n)
	return func(ctx context.Context) (outcome, error) {
		response, err := s.open(ctx, in.key, http.MethodGet, "/v2/export", nil)
		if err != nil {
			return outcome{}, err
		}
		defer func() { _ = response.Body.Close() }()
		var got lineCounter
		if _, err := io.Copy(&got, response.Body); err != nil {
			return outcome{}, err
		}
		if !bytes.Contains(got.last, []byte(`"end"`)) {
			return outcome{}, fmt.Errorf("the export ends with %q", got.last)
		}
		return outcome{bytes: got.bytes, lines: got.lines}, nil
	}, err
}

// newName returns a name that no other school has.
func newName(prefix string) string { return fmt.Sprintf("%s %d", prefix, rand.Int64()) }
