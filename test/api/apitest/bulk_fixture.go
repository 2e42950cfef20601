package apitest

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/bulk"
	"lyceum/domain/policy"
	"lyceum/domain/school"
	"lyceum/ports"
)

// saveBulkJob saves a bulk job about people with three rows. Two rows have been applied, one of
// them with an error. The third row is never applied.
func (s *server) saveBulkJob(t *testing.T, in school.ID, id string) {
	t.Helper()
	at := time.Date(2025, 11, 11, 9, 30, 0, 120_000_000, time.UTC)
	j, err := bulk.New(bulk.ID{UUID: uuid.MustParse(id)}, bulk.People, policy.Actor{Scope: school.Admin}, 3, at)
	if err != nil {
		t.Fatal(err)
	}
	part := func(rows ...bulk.Row) bulk.Part {
		return bulk.Part{ID: bulk.PartID{UUID: uuid.New()}, Job: j.ID, Kind: j.Kind, Rows: rows}
	}
	done := part(bulk.People.NewRow(0, "ada@example.test", nil, nil, nil), bulk.People.NewRow(1, "", nil, nil, nil))
	left := part(bulk.People.NewRow(2, "grace@example.test", nil, nil, nil))
	err = s.store.InTx(t.Context(), in, func(ctx context.Context, tx ports.Tx) error {
		if err := tx.Bulk.Add(ctx, j, []bulk.Part{done, left}); err != nil {
			return err
		}
		return tx.Bulk.FinishPart(ctx, done.ID, done.Outcome(nil, at.Add(time.Second)))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// job contains the attributes of a bulk job in a document.
type job struct {
	Status      string
	RowsTotal   int     `json:"rows_total"`
	RowsDone    int     `json:"rows_done"`
	RowsFailed  int     `json:"rows_failed"`
	CreatedAt   string  `json:"created_at"`
	CompletedAt *string `json:"completed_at"`
}

// job returns the bulk job in the response.
func (a response) job(t *testing.T) job {
	t.Helper()
	var single struct{ Data struct{ Attributes job } }
	if err := json.Unmarshal([]byte(a.body), &single); err != nil || single.Data.Attributes.Status == "" {
		t.Fatalf("no bulk job: %d %s", a.status, a.body)
	}
	return single.Data.Attributes
}

// rowErrors returns the errors of the rows of a bulk job, each as one line.
func (a response) rowErrors(t *testing.T) []string {
	t.Helper()
	var single struct {
		Data struct{ Attributes json.RawMessage }
	}
	if err := json.Unmarshal([]byte(a.body), &single); err != nil {
		t.Fatal(err)
	}
	return response{body: string(single.Data.Attributes)}.failures(t)
}

// applyPart applies the next part and reports whether there was one.
func (s *server) applyPart(t *testing.T) bool {
	t.Helper()
	found, err := s.app.Bulk.ApplyNext(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// applyBulk sends a bulk request, applies it, and returns the updated bulk job.
func (s *server) applyBulk(t *testing.T, kind, rows string) response {
	t.Helper()
	a := s.send(t, "POST", "/v1/bulk/"+kind, `{"data":{"type":"x","attributes":{"`+kind+`":`+rows+`}}}`)
	if a.status != http.StatusAccepted {
		t.Fatalf("%d %s", a.status, a.body)
	}
	for s.applyPart(t) {
	}
	return s.get(t, strings.TrimPrefix(a.header.Get("Location"), base))
}
