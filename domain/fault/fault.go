// Package fault is the one vocabulary of failures that a client may be told.
//
// Every rule of the domain, every store and every use case reports what is
// wrong as a *Fault, or as several joined into a List. Anything else that comes
// out of a use case is a defect or an outage, and its text is never shown.
package fault

import (
	"fmt"

	"github.com/google/uuid"
)

// Kind says what went wrong in general; transports map it to a status.
type Kind uint8

// The kinds of fault.
const (
	Invalid         Kind = iota + 1 // a value breaks a rule
	Malformed                       // a parameter of a query cannot be understood
	NotFound                        // the record does not exist for this school
	Conflict                        // the request contradicts itself or its target
	Forbidden                       // a rule refuses the operation
	Unauthenticated                 // nobody is known to ask
	Unavailable                     // the service cannot answer now; a later try may succeed
	Gone                            // what was there once can be used no longer
	Full                            // there is no space to keep what was sent
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
	}
	return "unknown"
}

// ParseKind returns the kind that is called words in logs.
func ParseKind(words string) (Kind, bool) {
	for k := Invalid; k <= Full; k++ {
		if k.String() == words {
			return k, true
		}
	}
	return 0, false
}

// Holder names the record that already has what somebody asked for.
type Holder struct {
	Type string // plural noun of the record, such as "people"
	ID   uuid.UUID
}

// Fault is one failure, with the place it concerns.
type Fault struct {
	Kind   Kind
	Field  string // the attribute at fault in the documents' words, such as "email"; empty when it is none
	Row    int    // 1-based position of the element at fault in a list that was sent; 0 when it is none
	Param  string // the query parameter at fault, as it was sent; empty when it is none
	Detail string // a sentence for people; never an internal text
	Holder *Holder
	Counts map[string]int64 // how much stands in the way, by plural nouns; nil when nothing is counted
}

// Error returns the kind, the place and the detail, for logs and tests.
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

// AtRow returns a copy of the fault that points at the element with the
// 0-based index i of a list.
func (f *Fault) AtRow(i int) *Fault {
	c := *f
	c.Row = i + 1
	return &c
}
