// Package assignment is work that a learner is asked to hand in as a file.
package assignment

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/text"
)

// Type is the plural noun by which documents and faults name assignments.
const Type = "assignments"

// ID identifies an assignment.
type ID struct{ uuid.UUID }

// Assignment is a piece of work to hand in. It may stand in several activities.
type Assignment struct{ s State }

// State is the plain record of an assignment, and what lists show.
type State struct {
	ID                   ID
	Title                string
	CreatedAt, UpdatedAt time.Time
}

// New returns an assignment. The title obeys text.Name.
func New(id ID, title string, now time.Time) (Assignment, error) {
	title, err := text.Name("title", title)
	if err != nil {
		return Assignment{}, err
	}
	return Assignment{State{ID: id, Title: title, CreatedAt: now, UpdatedAt: now}}, nil
}

// Restore returns the assignment that a store kept as s.
func Restore(s State) Assignment { return Assignment{s} }

// State returns the assignment's record.
func (a Assignment) State() State { return a.s }

// Rename gives the assignment a title, under New's rule.
func (a *Assignment) Rename(title string, now time.Time) error {
	title, err := text.Name("title", title)
	if err != nil || title == a.s.Title {
		return err
	}
	a.s.Title, a.s.UpdatedAt = title, now
	return nil
}
