package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
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

var categoryKind = kind[category.State]{
	name:   category.Type,
	schema: category.Schema,
	id:     func(c *category.State) uuid.UUID { return c.ID.UUID },
	clone:  func(c category.State) category.State { return c },
	unique: []unique[category.State]{
		{field: "name", text: func(c *category.State) string { return c.Name }, key: text.Key},
	},
}

type categoryReader struct{ view view }

func (r categoryReader) List(ctx context.Context, q query.Query) (query.Result[category.State], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[category.State]{}, err
	}
	return s.categories.table.list(ctx, q)
}

func (r categoryReader) Find(ctx context.Context, id category.ID) (category.Category, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return category.Category{}, err
	}
	c, err := s.categories.table.get(id.UUID)
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
	return load(s.categories.table, ids, category.Restore), nil
}

func (r categories) Add(ctx context.Context, c category.Category) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	return s.categories.own(s.version).insert(c.State())
}

func (r categories) Save(ctx context.Context, c category.Category) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	next := c.State()
	return s.categories.own(s.version).update(next.ID.UUID, func(row *category.State) { *row = next })
}

func (r categories) Remove(ctx context.Context, id category.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	for c := range s.courses.table.byID.from(0) {
		if under(id)(c) {
			return fmt.Errorf("memory: the course %s stands under the category %s", c.Row.ID, id)
		}
	}
	return s.categories.own(s.version).remove(id.UUID)
}

// under tells of a course whether it stands under the category.
func under(id category.ID) func(*query.Record[course.Summary]) bool {
	return func(c *query.Record[course.Summary]) bool { return slices.Contains(c.Row.Categories, id) }
}
