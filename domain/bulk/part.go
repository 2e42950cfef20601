package bulk

import (
	"slices"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/fault"
	"lyceum/domain/policy"
	"lyceum/domain/text"
)

// PartID identifies a part.
type PartID struct{ uuid.UUID }

// Part is a range of consecutive rows of a bulk job that are applied together.
type Part struct {
	ID   PartID
	Job  ID
	Kind Kind
	By   policy.Actor // caller that sent the request
	Rows []Row        // at least one; their numbers are consecutive
}

// maxPartNames is the maximum total length of the names of groups or courses in a part of several rows,
// in bytes: they are compared (text.UniqueKey) while records of the school are locked.
const maxPartNames = 64 << 10

// Parts splits the rows of j, ordered by number, into parts. It calls newID for the id of each
// part.
func Parts(j Job, rows []Row, newID func() uuid.UUID) []Part {
	var parts []Part
	for len(rows) > 0 {
		n, names := 1, rows[0].names()
		for n < min(len(rows), j.Kind.partRows()) && names+rows[n].names() <= maxPartNames {
			names += rows[n].names()
			n++
		}
		parts = append(parts, Part{ID: PartID{newID()}, Job: j.ID, Kind: j.Kind, By: j.By, Rows: rows[:n:n]})
		rows = rows[n:]
	}
	return parts
}

// partRows returns the maximum number of rows in a part. A part of the kind Groups is smaller: each
// row can enroll all members of a group, and no person can join the group until the part is
// applied.
func (k Kind) partRows() int {
	if k == Groups {
		return 25
	}
	return 100
}

// SplitAt splits the part before the row with the given number. It returns the part with the rows
// before it, and a new part rest with that row and the following ones. If the part does not contain
// the row, one of the results has no rows.
func (p Part) SplitAt(number int, rest PartID) (Part, Part) {
	i := min(max(number-p.Rows[0].Number, 0), len(p.Rows))
	last := Part{ID: rest, Job: p.Job, Kind: p.Kind, By: p.By, Rows: p.Rows[i:]}
	p.Rows = p.Rows[:i]
	return p, last
}

// About reports whether a row of the part is about the person with the given unique key of the email
// address (text.UniqueKey).
func (p Part) About(key string) bool {
	return p.Kind == People && slices.ContainsFunc(p.Rows, func(r Row) bool { return r.about(key) })
}

// Subjects returns the unique keys (text.UniqueKey) of the subjects of the rows.
func (p Part) Subjects() []string {
	keys := []string{}
	for _, r := range p.Rows {
		if r.Subject != "" {
			keys = append(keys, text.UniqueKey(r.Subject))
		}
	}
	return keys
}

// Reasons for Part.Without.
var (
	ErrPersonDeleted  = fault.Gonef("The person was deleted after this request")
	ErrAddressChanged = fault.Gonef("The email address of the person was changed after this request")
)

// Without returns the part without the values of the rows about the person with the given unique key
// of the email address. These rows have the error reason instead. It does not modify the rows of p.
func (p Part) Without(key string, reason error) Part {
	p.Rows = slices.Clone(p.Rows)
	for i, r := range p.Rows {
		if p.Kind == People && r.about(key) {
			p.Rows[i] = Row{Number: r.Number, Errors: rowErrors(r.Number, reason)}
		}
	}
	return p
}

// Outcome is the result of applying a part.
type Outcome struct {
	Rows   int        // number of rows of the part
	Failed int        // number of rows that were not applied
	Errors []RowError // errors of the failed rows, ordered by row
	At     time.Time  // when the part was applied
}

// Outcome returns the result of applying the part. refused maps row numbers to the faults of rows
// that could not be applied. Rows that had errors from the start are counted as failed too. If the rows
// have more than a hundred errors, the result contains the first one of each row.
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
	if len(o.Errors) > maxPartErrors {
		o.Errors = slices.Clip(slices.CompactFunc(o.Errors, func(a, b RowError) bool { return a.Row == b.Row }))
	}
	return o
}
