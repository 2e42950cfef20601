package bulk

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

// PartID identifies a part.
type PartID struct{ uuid.UUID }

// Part is consecutive rows of a bulk job that are applied together.
type Part struct {
	ID   PartID
	Job  ID
	Kind Kind
	Rows []Row // at least one; their numbers are consecutive
}

// Parts splits the rows of j, which are in the order of their numbers. newID generates the id of
// each part.
func Parts(j Job, rows []Row, newID func() uuid.UUID) []Part {
	var parts []Part
	for chunk := range slices.Chunk(rows, j.Kind.partRows()) {
		parts = append(parts, Part{ID: PartID{newID()}, Job: j.ID, Kind: j.Kind, Rows: chunk})
	}
	return parts
}

// partRows returns the maximum number of rows of a part. A row about a group may enroll all its
// members, and no other person can join the group until the part is applied.
func (k Kind) partRows() int {
	if k == Groups {
		return 25
	}
	return 100
}

// SplitAt returns the part without the rows from number on, and these rows as the part rest. If
// number is outside of the part, one of the two has no rows.
func (p Part) SplitAt(number int, rest PartID) (Part, Part) {
	i := min(max(number-p.Rows[0].Number, 0), len(p.Rows))
	last := Part{ID: rest, Job: p.Job, Kind: p.Kind, Rows: p.Rows[i:]}
	p.Rows = p.Rows[:i]
	return p, last
}

// Outcome is the result of applying a part.
type Outcome struct {
	Rows   int        // of the part
	Failed int        // rows that were not applied
	Errors []RowError // of the failed rows, in their order
	At     time.Time  // when the part was applied
}

// Outcome returns the result of applying the part. refused holds the faults of rows that were
// not applied, by row number, in addition to the rows that had errors before.
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
