// Package bulk is a request about many records at once: it is accepted as a
// whole, and its rows are applied later, each by itself.
//
// The rows are cut into parts, which are what workers take. A part is applied
// once, and then only what came of it is kept; what has come of the request
// follows from its parts, so that no two of them wait for each other.
package bulk

import (
	"fmt"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/fault"
	"lyceum/domain/job"
)

// Type is the plural noun by which documents and faults name bulk jobs.
const Type = "bulk_jobs"

// JobKind is the kind of the jobs that apply parts, a job for each.
const JobKind job.Kind = "bulk"

// MaxRows is how many rows a request may have.
const MaxRows = 15_000

// MaxAllTargets is how many groups or courses all rows of a request may name together.
const MaxAllTargets = 100_000

// ID identifies a bulk job.
type ID struct{ uuid.UUID }

// Kind is what the rows of a bulk job are about. Its name is that of the array
// in the request.
type Kind struct{ name string }

// The kinds of bulk jobs.
var (
	People = Kind{"people"} // e-mail addresses with names of groups
	Groups = Kind{"groups"} // names of groups with courses
)

// ParseKind returns the kind called name.
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

// CheckSize says whether a request may have so many rows.
func (k Kind) CheckSize(rows int) error {
	if rows > MaxRows {
		return fault.Invalidf(k.name, "has too many elements (maximum is %d)", MaxRows)
	}
	return nil
}

// CheckTargets says whether the rows of a request up to the one with that 0-based
// number may name so many targets.
func (k Kind) CheckTargets(row, targets int) error {
	if targets > MaxAllTargets {
		return fault.Invalidf(fmt.Sprintf("%s[%d]", k.name, row),
			"names too many, together with the rows before it (maximum is %d in a request)", MaxAllTargets)
	}
	return nil
}

// Job is a bulk request and what has come of it so far.
type Job struct {
	ID          ID
	Kind        Kind
	RowsTotal   int
	RowsDone    int        // rows dealt with, those that failed among them
	RowsFailed  int        // rows of which nothing was applied
	Errors      []RowError // of the rows that failed, in the order of the rows
	CreatedAt   time.Time
	CompletedAt *time.Time // nil until all rows are dealt with
}

// New returns a bulk job of so many rows, none of them dealt with. One without
// rows is complete.
func New(id ID, kind Kind, rows int, now time.Time) (Job, error) {
	if err := kind.CheckSize(rows); err != nil {
		return Job{}, err
	}
	return Job{ID: id, Kind: kind, RowsTotal: rows, CreatedAt: now}.With(), nil
}

// With returns the job, of which nothing was dealt with, with what has come of
// some of its parts, in the order of their rows.
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

// Status is where a bulk job stands.
type Status string

// The states of a bulk job.
const (
	Queued    Status = "queued"    // no row is dealt with
	Running   Status = "running"   // some are
	Completed Status = "completed" // all are
)

// Status returns where the job stands.
func (j Job) Status() Status {
	switch j.RowsDone {
	case j.RowsTotal:
		return Completed
	case 0:
		return Queued
	}
	return Running
}
