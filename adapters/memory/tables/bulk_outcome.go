package tables

import "lyceum/domain/bulk"

// Outcome is the outcome of a part of a bulk job in less memory: a part can have an error for each of
// its rows, a row can have two bytes, and outcomes are kept for months. Most rows have the same few
// errors.
type Outcome struct {
	Kept   bulk.Outcome    // without errors
	faults []bulk.RowError // the different errors; their row is that of the first error
	errors []keptError
}

// keptError is an error of a row.
type keptError struct {
	offset uint16 // number of rows after that of the first error; a part has few rows
	fault  uint16 // index in Outcome.faults
}

// NewOutcome returns o in less memory.
func NewOutcome(o bulk.Outcome) Outcome {
	k := Outcome{Kept: o}
	k.Kept.Errors = nil
	if len(o.Errors) == 0 {
		return k
	}
	first := o.Errors[0].Row
	indexes := map[bulk.RowError]int{}
	k.errors = make([]keptError, len(o.Errors))
	for i, e := range o.Errors {
		offset := e.Row - first
		e.Row = first
		at, known := indexes[e]
		if !known {
			at = len(k.faults)
			indexes[e] = at
			k.faults = append(k.faults, e)
		}
		k.errors[i] = keptError{uint16(offset), uint16(at)}
	}
	return k
}

// Outcome returns the outcome, which shares no memory with k that can change.
func (k Outcome) Outcome() bulk.Outcome {
	o := k.Kept
	for _, e := range k.errors {
		of := k.faults[e.fault]
		of.Row += int(e.offset)
		o.Errors = append(o.Errors, of)
	}
	return o
}
