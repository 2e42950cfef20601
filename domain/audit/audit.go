// Package audit defines the audit trail of a school: which actor did what to which record, and when.
// Its events contain IDs only. Start with Event.
package audit

import (
	"time"

	"lyceum/domain/change"
)

// Type is the resource type of audit events.
const Type = "audit_events"

// Action is what an actor did to a record.
type Action string

// The actions. The change feed has the first three, and only for its own types of records.
const (
	Created   Action = "created"
	Updated   Action = "updated"
	Deleted   Action = "deleted"
	Rotated   Action = "rotated"    // a key or secret was replaced
	Revoked   Action = "revoked"    // a key or token was made invalid
	SignedIn  Action = "signed_in"  // a session began
	SignedOut Action = "signed_out" // a session was ended
	Invited   Action = "invited"    // an invitation email was requested
	Suspended Action = "suspended"  // a school was suspended
	Resumed   Action = "resumed"    // a school was resumed
	Exported  Action = "exported"   // a school or a whole list was read
)

// All is the ID of the record of an event about all records of a type, such as a list that was
// exported.
const All = "all"

// Event is one entry of the trail.
type Event struct {
	Position int64 // unique in the school; ascends in the trail, with gaps
	Action   Action
	Record   change.Record
	At       time.Time // when the store recorded the event
	Origin
}
