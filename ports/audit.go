package ports

import (
	"context"

	"lyceum/domain/audit"
	"lyceum/domain/change"
	"lyceum/domain/person"
	"lyceum/domain/query"
)

// AuditReader reads the audit trail of a school.
//
// Each transaction adds an event for each of its changes (see ChangeReader), in the same
// transaction, with the same position, record and time. The origin of the events is the origin of
// the context of the transaction (WithOrigin); AuditLog can replace it. An event becomes
// readable at the same time as its change. The deletion of a person erases the addresses in the
// events of that person. Events of a person who does not exist, or no longer, have no address.
type AuditReader interface {
	// Page returns a page of the readable events, newest first unless q has a sort.
	Page(ctx context.Context, q query.Query) (query.Result[audit.Event], error)
}

// AuditLog adds to the audit trail within a transaction.
type AuditLog interface {
	// Add adds an event that is not a change. The change feed does not contain it.
	Add(ctx context.Context, action audit.Action, r change.Record) error

	// SetOrigin makes o the origin of the events of all later writes of the transaction, instead of
	// the origin of the context. The events of earlier writes keep theirs.
	SetOrigin(ctx context.Context, o audit.Origin) error

	// EraseAddresses erases the addresses in at most limit events of the person, and returns the
	// number of these events. Events of the same transaction may keep their addresses. All other
	// attributes remain.
	EraseAddresses(ctx context.Context, p person.ID, limit int) (int, error)
}
