// Package assignment defines work for which a learner submits a file.
package assignment

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/text"
)

// Type is the resource type of assignments in documents and faults.
const Type = "assignments"

// ID identifies an assignment.
type ID struct{ uuid.UUID }

// Assignment is work for which a file is submitted. Several activities may use it.
type Assignment struct{ s State }

// State is the plain record of an assignment, as it appears in lists.
type State struct {
	ID                   ID
	Title                string
	CreatedAt, UpdatedAt time.Time
}

// New returns an assignment. The title must satisfy text.Name.
func New(id ID, title string, now time.Time) (Assignment, error) {
	title, err := text.Name("title", title)
	if err != nil {
		return Assignment{}, err
	}
	return Assignment{State{ID: id, Title: title, CreatedAt: now, UpdatedAt: now}}, nil
}

// Restore returns the assignment that a store saved as s.
func Restore(s State) Assignment { return Assignment{s} }

// State returns the assignment's record.
func (a Assignment) State() State { return a.s }

// Rename changes the title, which must satisfy text.Name.
func (a *Assignment) Rename(title string, now time.Time) error {
	title, err := text.Name("title", title)
	if err != nil || title == a.s.Title {
		return err
	}
	a.s.Title, a.s.UpdatedAt = title, now
	return nil
}
