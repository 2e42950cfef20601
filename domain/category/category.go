// Package category defines the headings that group courses.
package category

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/text"
)

// Type is the resource type of categories in documents and faults.
const Type = "categories"

// ID identifies a category.
type ID struct{ uuid.UUID }

// Category is a heading that groups courses. Its name is unique in the school (by text.UniqueKey),
// which the store enforces.
type Category struct{ s State }

// State is the plain record of a category, as it appears in lists.
type State struct {
	ID                   ID
	Name                 string
	CreatedAt, UpdatedAt time.Time
}

// New returns a category. The name must satisfy text.Name.
func New(id ID, name string, now time.Time) (Category, error) {
	name, err := text.Name("name", name)
	if err != nil {
		return Category{}, err
	}
	return Category{State{ID: id, Name: name, CreatedAt: now, UpdatedAt: now}}, nil
}

// Restore returns the category that a store saved as s.
func Restore(s State) Category { return Category{s} }

// State returns the category's record.
func (c Category) State() State { return c.s }

// Rename changes the name, which must satisfy text.Name. Setting the same name changes nothing, not
// even UpdatedAt.
func (c *Category) Rename(name string, now time.Time) error {
	name, err := text.Name("name", name)
	if err != nil || name == c.s.Name {
		return err
	}
	c.s.Name, c.s.UpdatedAt = name, now
	return nil
}
