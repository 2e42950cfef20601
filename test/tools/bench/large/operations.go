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

// operation is a kind of bulk or large work.
type operation struct {
	name    string
	records int    // number of records at the larger size
	unit    string // name of the records
	once    bool   // whether a second turn would need its own school, so that it is not repeated
	// prepare prepares the operation for n records. turn is 0 the first time, and 1 and so on for
	// each repetition.
	prepare func(ctx context.Context, s *server, n, turn int) (work, error)
}

// work executes an operation once.
type work func(ctx context.Context) (outcome, error)

// outcome is the result of an operation.
type outcome struct {
	took      time.Duration // time until all records are written, read or deleted
	response  time.Duration // time until the response, if the work continues after it; otherwise 0
	processor float64       // seconds of processor time of the server, PostgreSQL and commands
	bytes     int64         // size of an export
	lines     int           // lines of an export
}

// sizes contains the divisors of the numbers of records.
var sizes = [2]int{10, 1}

var operations = []operation{
	{"bulk request of people", 15_000, "rows", false, bulkPeople},
	{"import of people as CSV", 100_000, "people", false, importPeople},
	{"export of a school", 100_000, "learners", false, export},
	{"activity added to or removed from a course", 100_000, "enrollments", false, changeActivities},
	{"course removed", 100_000, "enrollments", true, removeCourse},
	{"question added to or removed from a quiz", 10_000, "quiz attempts", false, changeQuestions},
}

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
			pause(ctx, 20*time.Millisecond)
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
