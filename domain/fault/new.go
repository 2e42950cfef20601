package fault

import (
	"fmt"

	"github.com/google/uuid"
)

// Details that existing clients look for, word by word.
const (
	blankDetail   = "can't be blank"
	missingDetail = "The resource you requested does not exist"
	noCredentials = "You don't have the necessary credentials" // #nosec G101 -- a sentence, not a secret
)

// Invalidf says that the value of field breaks a rule.
func Invalidf(field, format string, args ...any) *Fault {
	return &Fault{Kind: Invalid, Field: field, Detail: fmt.Sprintf(format, args...)}
}

// Blank says that field must have a value and has none.
func Blank(field string) *Fault {
	return Invalidf(field, blankDetail)
}

// Taken says that the value of field is unique in the school and that the
// record id of the given type (a plural noun) holds it already.
func Taken(field, holderType string, id uuid.UUID) *Fault {
	f := Invalidf(field, "A record with the given %s has already been taken", field)
	f.Holder = &Holder{Type: holderType, ID: id}
	return f
}

// Parameterf says that the query parameter param cannot be understood.
func Parameterf(param, format string, args ...any) *Fault {
	return &Fault{Kind: Malformed, Param: param, Detail: fmt.Sprintf(format, args...)}
}

// Missing says that the school has no such record.
func Missing() *Fault {
	return &Fault{Kind: NotFound, Detail: missingDetail}
}

// MissingRow says that the element with the 0-based index i of a list names no
// record of the school.
func MissingRow(i int) *Fault {
	f := Missing()
	f.Field = "id"
	return f.AtRow(i)
}

// Conflictf says that field contradicts the target of the request.
func Conflictf(field, format string, args ...any) *Fault {
	return &Fault{Kind: Conflict, Field: field, Detail: fmt.Sprintf(format, args...)}
}

// Forbiddenf says that a rule refuses the operation.
func Forbiddenf(format string, args ...any) *Fault {
	return &Fault{Kind: Forbidden, Detail: fmt.Sprintf(format, args...)}
}

// Anonymous says that the credentials are absent, unknown or revoked, without
// telling which.
func Anonymous() *Fault {
	return &Fault{Kind: Unauthenticated, Detail: noCredentials}
}

// Busyf says that the service cannot answer now.
func Busyf(format string, args ...any) *Fault {
	return &Fault{Kind: Unavailable, Detail: fmt.Sprintf(format, args...)}
}

// Fullf returns a fault of the kind Full.
func Fullf(format string, args ...any) *Fault {
	return &Fault{Kind: Full, Detail: fmt.Sprintf(format, args...)}
}

// Gonef says that what is asked for was there once and can be used no longer.
func Gonef(format string, args ...any) *Fault {
	return &Fault{Kind: Gone, Detail: fmt.Sprintf(format, args...)}
}
