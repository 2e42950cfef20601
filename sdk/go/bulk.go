package lyceum

import (
	"context"
	"net/http"
	"time"
)

// Bulk starts jobs that create or extend many people or groups in the background, and reads the
// jobs.
type Bulk struct{ endpoint }

// People starts a job with a row for each person. The job creates a person who does not exist yet,
// adds the person to the groups of the row and sets its properties.
func (b Bulk) People(ctx context.Context, people []BulkPerson, options ...RequestOption) (BulkJob, error) {
	return b.start(ctx, "people", map[string]any{"people": people}, options)
}

// Groups starts a job with a row for each group. The job creates a group that does not exist yet,
// adds the courses of the row to the group and sets its properties.
func (b Bulk) Groups(ctx context.Context, groups []BulkGroup, options ...RequestOption) (BulkJob, error) {
	return b.start(ctx, "groups", map[string]any{"groups": groups}, options)
}

func (b Bulk) start(ctx context.Context, noun string, rows any, options []RequestOption) (BulkJob, error) {
	body := resource{Type: "bulk", Attributes: rows}
	return fetch[BulkJob](ctx, b.at(noun), http.MethodPost, body, options...)
}

// Job returns the current state of a job.
func (b Bulk) Job(ctx context.Context, id string) (BulkJob, error) {
	return fetch[BulkJob](ctx, b.at("jobs", id), http.MethodGet, nil)
}

// Wait returns the job when all of its rows have been processed, or an error if ctx ends before
// that. It gets the job once per interval. The attributes of the job contain the errors of rows.
func (b Bulk) Wait(ctx context.Context, id string, interval time.Duration) (BulkJob, error) {
	for {
		job, err := b.Job(ctx, id)
		if err != nil || job.Attributes.Status == "completed" {
			return job, err
		}
		select {
		case <-ctx.Done():
			return job, ctx.Err()
		case <-time.After(interval):
		}
	}
}

// Schools gets and updates the school of the API key. Update requires a key with the scope admin.
type Schools struct{ endpoint }

// Get returns the school.
func (s Schools) Get(ctx context.Context) (School, error) {
	return fetch[School](ctx, s.endpoint, http.MethodGet, nil)
}

// Update sets those attributes that are not nil.
func (s Schools) Update(ctx context.Context, a ChangedSchool) (School, error) {
	return fetch[School](ctx, s.endpoint, http.MethodPatch, resource{Attributes: a})
}
