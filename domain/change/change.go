// Package change defines the change feed: the ordered list of the records of a school that were
// created, updated or deleted.
package change

import (
	"time"

	"github.com/google/uuid"
)

// Type is the resource type of a Change.
const Type = "changes"

// Action is what happened to a record.
type Action string

// The actions.
const (
	Created Action = "created"
	Updated Action = "updated"
	Deleted Action = "deleted"
)

// Record identifies a record of a school.
type Record struct {
	Type string // resource type, such as people
	ID   string // a UUID, or several UUIDs joined by colons
}

// Change is one entry of the change feed.
type Change struct {
	Position int64 // unique in the school; ascends in the feed, with gaps
	Action   Action
	Record   Record
	At       time.Time // when the store recorded the change; does not always ascend in the feed
}

// Feed is the state of the change feed of a school.
type Feed struct {
	// Store identifies the storage. The positions of another storage, such as a restored copy, have
	// no meaning in this one.
	Store uuid.UUID
	Start int64 // position of the last change that was deleted because of its age; 0: none
	End   int64 // at least the position of the last readable change; 0: none
}

// Holds reports whether the feed contains every change after the given position.
func (f Feed) Holds(position int64) bool { return position >= f.Start }
