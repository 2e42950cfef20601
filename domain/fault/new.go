package fault

import (
	"fmt"

	"github.com/google/uuid"
)

// Details that existing clients compare literally.
const (
	blankDetail   = "can't be blank"
	missingDetail = "The resource you requested does not exist"
	noCredentials = "You don't have the necessary credentials" // #nosec G101 -- a sentence, not a secret
)

// Invalidf returns the fault for a value of field that breaks a rule.
func Invalidf(field, format string, args ...any) *Fault {
	return &Fault{Kind: Invalid, Field: field, Detail: fmt.Sprintf(format, args...)}
}

// Blank returns the fault for a required field without a value.
func Blank(field string) *Fault {
	return Invalidf(field, blankDetail)
}

// Taken returns the fault for a value of field that must be unique in the school but is already
// used by the record with the given resource type and id.
func Taken(field, holderType string, id uuid.UUID) *Fault {
	f := TakenValue(field)
	f.Holder = &Holder{Type: holderType, ID: id}
	return f
}

// TakenValue is like Taken, but without the record that uses the value.
func TakenValue(field string) *Fault {
	return Invalidf(field, "A record with the given %s has already been taken", field)
}

// Malformedf returns the fault for a query parameter that cannot be parsed.
func Malformedf(param, format string, args ...any) *Fault {
	return &Fault{Kind: Malformed, Param: param, Detail: fmt.Sprintf(format, args...)}
}

// RecordNotFound returns the fault for a record that does not exist in the school.
func RecordNotFound() *Fault {
	return &Fault{Kind: NotFound, Detail: missingDetail}
}

// RecordNotFoundAt returns the fault for the i-th element (0-based) of a list if it does not refer
// to a record of the school.
func RecordNotFoundAt(i int) *Fault {
	f := RecordNotFound()
	f.Field = "id"
	return f.AtRow(i)
}

// Conflictf returns the fault for a field that contradicts the target of the request.
func Conflictf(field, format string, args ...any) *Fault {
	return &Fault{Kind: Conflict, Field: field, Detail: fmt.Sprintf(format, args...)}
}

// Forbiddenf returns the fault for an operation that a rule forbids.
func Forbiddenf(format string, args ...any) *Fault {
	return &Fault{Kind: Forbidden, Detail: fmt.Sprintf(format, args...)}
}

// BadCredentials returns the fault for credentials that are missing, unknown or revoked. It does
// not reveal which.
func BadCredentials() *Fault {
	return &Fault{Kind: Unauthenticated, Detail: noCredentials}
}

// Unavailablef returns the fault for a service that cannot respond now.
func Unavailablef(format string, args ...any) *Fault {
	return &Fault{Kind: Unavailable, Detail: fmt.Sprintf(format, args...)}
}

// Fullf returns the fault for content that the store has no space for.
func Fullf(format string, args ...any) *Fault {
	return &Fault{Kind: Full, Detail: fmt.Sprintf(format, args...)}
}

// Gonef returns the fault for a target that existed but can no longer be used.
func Gonef(format string, args ...any) *Fault {
	return &Fault{Kind: Gone, Detail: fmt.Sprintf(format, args...)}
}
