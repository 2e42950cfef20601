package teaching

import (
	"context"

	"lyceum/app"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/query"
)

// Categories returns a page of categories, for a manager.
func (t *Teaching) Categories(ctx context.Context, s Staff, q query.Query) (query.Result[category.State], error) {
	a, err := s.manager()
	if err != nil {
		return query.Result[category.State]{}, err
	}
	return t.app.Categories.List(ctx, a, q)
}

// CategoriesOf returns the categories with the given IDs, for a manager.
func (t *Teaching) CategoriesOf(ctx context.Context, s Staff, ids []category.ID) ([]category.State, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := t.Categories(ctx, s, query.Query{Where: query.HasAnyID(category.Schema.Attr("uuid"), ids), Page: query.AllRows()})
	return found.Items, err
}

// Category returns a category and its courses, for a manager.
func (t *Teaching) Category(ctx context.Context, s Staff, id category.ID) (category.State, []course.Summary, error) {
	a, err := s.manager()
	if err != nil {
		return category.State{}, nil, err
	}
	c, err := t.app.Categories.Get(ctx, a, id)
	if err != nil {
		return category.State{}, nil, err
	}
	in := query.Query{Where: query.HasID(course.Schema.Attr("categories.id"), id.UUID), Page: query.AllRows(), WithoutProperties: true}
	courses, err := t.app.Courses.List(ctx, a, in)
	return c, courses.Items, err
}

// CreateCategory adds a category.
func (t *Teaching) CreateCategory(ctx context.Context, s Staff, name string) (category.State, error) {
	a, err := s.manager()
	if err != nil {
		return category.State{}, err
	}
	return t.app.Categories.Create(ctx, a, name)
}

// UpdateCategory changes a category.
func (t *Teaching) UpdateCategory(ctx context.Context, s Staff, id category.ID, e app.CategoryChanges) error {
	a, err := s.manager()
	if err != nil {
		return err
	}
	_, err = t.app.Categories.Update(ctx, a, id, e)
	return err
}

// DeleteCategory deletes a category. Its courses remain.
func (t *Teaching) DeleteCategory(ctx context.Context, s Staff, id category.ID) error {
	a, err := s.manager()
	if err != nil {
		return err
	}
	return t.app.Categories.Delete(ctx, a, id)
}
