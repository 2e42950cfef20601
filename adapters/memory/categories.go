package memory

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/category"
	"lyceum/domain/text"
	"lyceum/ports"
)

var _ ports.CategoryRepo = categories{}

var categoryKind = ordered.Kind[category.State]{
	Name:   category.Type,
	Schema: category.Schema,
	ID:     func(c *category.State) uuid.UUID { return c.ID.UUID },
	Clone:  func(c category.State) category.State { return c },
	Unique: []ordered.Unique[category.State]{
		{Field: "name", Text: func(c *category.State) string { return c.Name }, Key: text.UniqueKey},
	},
}

var categoryEntity = entity[category.ID, category.State, category.Category]{
	table:   func(s *state) *versioned[*ordered.Table[category.State]] { return &s.categories },
	restore: category.Restore,
	write:   func(row *category.State, c category.Category) { *row = c.State() },
}

type categories struct {
	entityRepo[category.ID, category.State, category.Category]
}

// Delete implements ports.CategoryRepo.
func (r categories) Delete(ctx context.Context, id category.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	if in := coursesWith(s, id, categoriesOf); len(in) > 0 {
		return fmt.Errorf("memory: the course %s belongs to the category %s", in[0], id)
	}
	return s.categories.writable(s.version).Remove(id.UUID)
}
