// Package bulk defines bulk jobs: requests with many rows, which are accepted as a whole and
// applied row by row in the background. A job is split into parts. Each part is applied once, and
// only its outcome is saved. The status of the job is derived from the outcomes of its parts, so
// that parts do not wait for each other.
package bulk

import (
	"fmt"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/fault"
	"lyceum/domain/job"
	"lyceum/domain/policy"
)

// Type is the resource type of bulk jobs in documents and faults.
const Type = "bulk_jobs"

// JobKind is the kind of the jobs that apply parts, one job for each part.
const JobKind job.Kind = "bulk"

// MaxRows is the maximum number of rows of a request.
const MaxRows = 15_000

// MaxAllTargets is the maximum number of targets (groups or courses) and properties in all rows of
// one request together.
const MaxAllTargets = 100_000

// ID identifies a bulk job.
type ID struct{ uuid.UUID }

// Kind is what the rows of a bulk job describe. Its name is also the name of the array in the
// request.
type Kind struct{ name string }

// The kinds of bulk jobs.
var (
	People = Kind{"people"} // each row: the email address of a person, and names of groups
	Groups = Kind{"groups"} // each row: the name of a group, and courses
)

// ParseKind returns the kind with the given name and reports whether there is one.
func ParseKind(name string) (Kind, bool) {
	for _, k := range []Kind{People, Groups} {
		if k.name == name {
			return k, true
		}
	}
	return Kind{}, false
}

// String returns the kind's name.
func (k Kind) String() string { return k.name }

// CheckSize returns a fault if a request has too many rows.
func (k Kind) CheckSize(rows int) error {
	if rows > MaxRows {
		return fault.Invalidf(k.name, "has too many elements (maximum is %d)", MaxRows)
	}
	return nil
}

// CheckTargets returns a fault if targets exceeds MaxAllTargets. targets counts the targets and
// properties of all rows up to and including row, which is 0-based.
func (k Kind) CheckTargets(row, targets int) error {
	if targets > MaxAllTargets {
		return fault.Invalidf(fmt.Sprintf("%s[%d]", k.name, row),
			"has too many elements in total with the rows before it (maximum is %d per request)", MaxAllTargets)
	}
	return nil
}

// Job is a bulk request and the outcome of its rows so far.
type Job struct {
	ID          ID
	Kind        Kind
	By          policy.Actor // caller that sent the request; policies check each row on its behalf
	RowsTotal   int
	RowsDone    int        // processed rows, including failed ones
	RowsFailed  int        // rows that were not applied
	Errors      []RowError // errors of the failed rows, ordered by row
	CreatedAt   time.Time
	CompletedAt *time.Time // nil until all rows are processed
}

// New returns a bulk job with the given number of rows, none of them processed. A job without rows
// is complete.
func New(id ID, kind Kind, by policy.Actor, rows int, now time.Time) (Job, error) {
	if err := kind.CheckSize(rows); err != nil {
		return Job{}, err
	}
	return Job{ID: id, Kind: kind, By: by, RowsTotal: rows, CreatedAt: now}.With(), nil
}

// With returns the job after parts with the given outcomes have been applied. The outcomes must be
// in the order of their rows, and must not include rows that j already counts as processed.
func (j Job) With(outcomes ...Outcome) Job {
	last := j.CreatedAt
	for _, o := range outcomes {
		j.RowsDone += o.Rows
		j.RowsFailed += o.Failed
		j.Errors = append(j.Errors, o.Errors...)
		if o.At.After(last) {
			last = o.At
		}
	}
	if j.Status() == Completed {
		j.CompletedAt = &last
	}
	return j
}

// Status is the state of a bulk job.
type Status string

// The states of a bulk job.
const (
	Queued    Status = "queued"    // no row is processed yet
	Running   Status = "running"   // some rows are processed, others are not
	Completed Status = "completed" // all rows are processed
)

// Status returns the state of the job.
func (j Job) Status() Status {
	switch j.RowsDone {
	case j.RowsTotal:
		return Completed
	case 0:
		return Queued
	}
	return Running
}
