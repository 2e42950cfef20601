package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/query"
	"lyceum/domain/text"
	"lyceum/ports"
)

var (
	_ ports.CategoryReader = categoryReader{}
	_ ports.CategoryRepo   = categories{}
)

var categoryKind = ordered.Kind[category.State]{
	Name:   category.Type,
	Schema: category.Schema,
	ID:     func(c *category.State) uuid.UUID { return c.ID.UUID },
	Clone:  func(c category.State) category.State { return c },
	Unique: []ordered.Unique[category.State]{
		{Field: "name", Text: func(c *category.State) string { return c.Name }, Key: text.Key},
	},
}

type categoryReader struct{ view view }

func (r categoryReader) List(ctx context.Context, q query.Query) (query.Result[category.State], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[category.State]{}, err
	}
	return s.categories.table.List(ctx, q)
}

func (r categoryReader) Find(ctx context.Context, id category.ID) (category.Category, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return category.Category{}, err
	}
	c, err := s.categories.table.Get(id.UUID)
	return category.Restore(c), err
}

type categories struct {
	categoryReader
	tx *tx
}

func (r categories) Load(ctx context.Context, ids []category.ID) (map[category.ID]category.Category, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	return ordered.GetMany(s.categories.table, ids, category.Restore), nil
}

func (r categories) Add(ctx context.Context, c category.Category) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	return s.categories.own(s.version).Insert(c.State())
}

func (r categories) Save(ctx context.Context, c category.Category) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	next := c.State()
	return s.categories.own(s.version).Update(next.ID.UUID, func(row *category.State) { *row = next })
}

func (r categories) Remove(ctx context.Context, id category.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	for c := range s.courses.table.ByID.From(0) {
		if under(id)(c) {
			return fmt.Errorf("memory: the course %s stands under the category %s", c.Row.ID, id)
		}
	}
	return s.categories.own(s.version).Remove(id.UUID)
}

// under tells of a course whether it stands under the category.
func under(id category.ID) func(*query.Record[course.Summary]) bool {
	return func(c *query.Record[course.Summary]) bool { return slices.Contains(c.Row.Categories, id) }
}
