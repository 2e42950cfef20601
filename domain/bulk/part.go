package bulk

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

// PartID identifies a part.
type PartID struct{ uuid.UUID }

// Part is rows of a bulk job that are applied together.
type Part struct {
	ID   PartID
	Job  ID
	Kind Kind
	Rows []Row // in the order of their numbers, none of which is left out; at least one
}

// Parts cuts the rows of j, which are in the order of their numbers, into parts.
// newID makes the id of each.
func Parts(j Job, rows []Row, newID func() uuid.UUID) []Part {
	var parts []Part
	for chunk := range slices.Chunk(rows, j.Kind.partRows()) {
		parts = append(parts, Part{ID: PartID{newID()}, Job: j.ID, Kind: j.Kind, Rows: chunk})
	}
	return parts
}

// partRows is how many rows a part has at most. A row about a group may enroll
// all its members, and keeps others from joining it until the part is applied.
func (k Kind) partRows() int {
	if k == Groups {
		return 25
	}
	return 100
}

// Outcome is what came of a part.
type Outcome struct {
	Rows   int        // of the part
	Failed int        // those of which nothing was applied
	Errors []RowError // of the rows that failed, in their order
	At     time.Time  // when it was dealt with
}

// Outcome returns what came of the part when the rows with a fault in refused,
// by their numbers, were not applied, beside those that had errors before.
func (p Part) Outcome(refused map[int]error, now time.Time) Outcome {
	o := Outcome{Rows: len(p.Rows), At: now}
	for _, r := range p.Rows {
		errs := r.Errors
		if err, ok := refused[r.Number]; ok {
			errs = rowErrors(r.Number, err)
		}
		if len(errs) > 0 {
			o.Failed++
			o.Errors = append(o.Errors, errs...)
		}
	}
	return o
}
