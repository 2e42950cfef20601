// Package fault defines the errors that may be shown to a client. Rules, stores and use cases
// report each expected failure as a *Fault, or as several Faults joined into a List. Any other
// error is a defect or an outage; its text is never shown.
package fault

import (
	"fmt"

	"github.com/google/uuid"
)

// Kind is the class of a fault. A transport maps it to a status code.
type Kind uint8

// The kinds of fault.
const (
	Invalid         Kind = iota + 1 // a value breaks a rule
	Malformed                       // a query parameter cannot be parsed
	NotFound                        // the record does not exist in the school
	Conflict                        // the request contradicts itself or its target
	Forbidden                       // a rule refuses the operation
	Unauthenticated                 // the credentials are missing or invalid
	Unavailable                     // the service cannot respond now; a retry may succeed
	Gone                            // the target existed but can no longer be used
	Full                            // there is no space to store what was sent
	Defect                          // an unexpected error; only in stored errors of bulk rows
)

// String returns the kind in words, for logs.
func (k Kind) String() string {
	switch k {
	case Invalid:
		return "invalid"
	case Malformed:
		return "malformed"
	case NotFound:
		return "not found"
	case Conflict:
		return "conflict"
	case Forbidden:
		return "forbidden"
	case Unauthenticated:
		return "unauthenticated"
	case Unavailable:
		return "unavailable"
	case Gone:
		return "gone"
	case Full:
		return "full"
	case Defect:
		return "defect"
	}
	return "unknown"
}

// ParseKind returns the kind whose String is words and reports whether there is one.
func ParseKind(words string) (Kind, bool) {
	for k := Invalid; k <= Defect; k++ {
		if k.String() == words {
			return k, true
		}
	}
	return 0, false
}

// DefectDetail is the text for the client about an error that is not a fault. The log contains the
// cause.
const DefectDetail = "Something went wrong on our side"

// Holder is the record that already has a unique value.
type Holder struct {
	Type string // resource type of the record, such as "people"
	ID   uuid.UUID
}

// Fault is one failure and the part of the request that it concerns.
type Fault struct {
	Kind   Kind
	Field  string // attribute at fault by its name in documents, such as "email"; empty: none
	Row    int    // 1-based position of the element at fault in the list of the request; 0: none
	Param  string // query parameter at fault, as sent; empty: none
	Detail string // text for the client; never internal details
	Holder *Holder
	Counts map[string]int64 // in a Conflict: numbers of existing records, by resource type; nil: none
}

// Error returns the kind, the location and the detail, for logs and tests.
func (f *Fault) Error() string {
	switch {
	case f.Param != "":
		return fmt.Sprintf("%s: %s: %s", f.Kind, f.Param, f.Detail)
	case f.Row > 0 && f.Field != "":
		return fmt.Sprintf("%s: row %d: %s: %s", f.Kind, f.Row, f.Field, f.Detail)
	case f.Row > 0:
		return fmt.Sprintf("%s: row %d: %s", f.Kind, f.Row, f.Detail)
	case f.Field != "":
		return fmt.Sprintf("%s: %s: %s", f.Kind, f.Field, f.Detail)
	}
	return fmt.Sprintf("%s: %s", f.Kind, f.Detail)
}

// AtRow returns a copy of the fault that points at the i-th element (0-based) of a list.
func (f *Fault) AtRow(i int) *Fault {
	c := *f
	c.Row = i + 1
	return &c
}
