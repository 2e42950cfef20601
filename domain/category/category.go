// Package category is the heading under which courses are filed.
package category

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/text"
)

// Type is the plural noun by which documents and faults name categories.
const Type = "categories"

// ID identifies a category.
type ID struct{ uuid.UUID }

// Category is a heading for courses; its name is unique in the school (by
// text.Key), which the store guards.
type Category struct{ s State }

// State is the plain record of a category, and what lists show.
type State struct {
	ID                   ID
	Name                 string
	CreatedAt, UpdatedAt time.Time
}

// New returns a category called name. The name obeys text.Name.
func New(id ID, name string, now time.Time) (Category, error) {
	name, err := text.Name("name", name)
	if err != nil {
		return Category{}, err
	}
	return Category{State{ID: id, Name: name, CreatedAt: now, UpdatedAt: now}}, nil
}

// Restore returns the category that a store kept as s.
func Restore(s State) Category { return Category{s} }

// State returns the category's record.
func (c Category) State() State { return c.s }

// Rename calls the category name. The same name again changes nothing, the
// time of the last change included.
func (c *Category) Rename(name string, now time.Time) error {
	name, err := text.Name("name", name)
	if err != nil || name == c.s.Name {
		return err
	}
	c.s.Name, c.s.UpdatedAt = name, now
	return nil
}
