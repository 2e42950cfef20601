package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/category"
	"lyceum/domain/query"
	"lyceum/domain/text"
	"lyceum/ports"
)

var _ ports.CategoryRepo = categoryRepo{}

type categoryRow struct {
	ID        uuid.UUID `db:"id"`
	Name      string    `db:"name"`
	CreatedAt time.Time `db:"created_at"`
	UpdatedAt time.Time `db:"updated_at"`
}

func (r categoryRow) state() (category.State, error) {
	return category.State{
		ID: category.ID{UUID: r.ID}, Name: r.Name, CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}, nil
}

func (r categoryRow) category() (category.ID, category.Category) {
	s, _ := r.state() // it has nothing that could be wrong
	return s.ID, category.Restore(s)
}

var categoryList = listsql.List[categoryRow, category.State]{
	Table:   "categories",
	Columns: "r.id, r.name, r.created_at, r.updated_at",
	Attrs: map[string]listsql.Column{
		"uuid":       {Expr: "r.id"},
		"name":       listsql.TextColumn("name"),
		"created_at": {Expr: "r.created_at"},
		"updated_at": {Expr: "r.updated_at"},
	},
	Sort:    category.Schema.Default(),
	Convert: categoryRow.state,
}

type categoryReader struct{ *session }

// List returns a page of categories.
func (c categoryReader) List(ctx context.Context, q query.Query) (query.Result[category.State], error) {
	return categoryList.Page(ctx, c.session, q)
}

const (
	findCategory = `SELECT id, name, created_at, updated_at FROM categories WHERE school_id = $1 AND id = $2`
	lockCategory = findCategory + ` FOR NO KEY UPDATE`
)

// The lock that waits for who has found a category, perhaps to remove it: who
// put a course under one meanwhile would keep it from being removed.
var loadCategories = `SELECT r.* FROM ` +
	pgdb.ByKey("categories", "r.id, r.name, r.created_at, r.updated_at", "id", "$2::uuid[]", "LIMIT 1 FOR SHARE")

// Find returns the category id.
func (c categoryReader) Find(ctx context.Context, id category.ID) (category.Category, error) {
	return c.find(ctx, findCategory, id)
}

func (c categoryReader) find(ctx context.Context, statement string, id category.ID) (category.Category, error) {
	var row categoryRow
	if err := c.GetRow(ctx, &row, statement, c.SchoolID, id.UUID); err != nil {
		return category.Category{}, pgdb.Missing(err)
	}
	s, err := row.state()
	return category.Restore(s), err
}

type categoryRepo struct{ categoryReader }

// Find returns the category id and locks it.
func (c categoryRepo) Find(ctx context.Context, id category.ID) (category.Category, error) {
	return c.find(ctx, lockCategory, id)
}

// Load returns the categories ids and locks them.
func (c categoryRepo) Load(ctx context.Context, ids []category.ID) (map[category.ID]category.Category, error) {
	return load(ctx, c.session, loadCategories, ids, categoryRow.category)
}

const (
	addCategory = `
		INSERT INTO categories (school_id, id, name, name_key, name_fold, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (school_id, name_key) DO NOTHING`
	saveCategory = `
		UPDATE categories SET name = $3, name_key = $4, name_fold = $5, created_at = $6, updated_at = $7
		WHERE school_id = $1 AND id = $2`
	removeCategory = `DELETE FROM categories WHERE school_id = $1 AND id = $2`
)

var categoryRivals = rivalsOf("categories", "name_key")

func (c categoryRepo) args(s category.State) []any {
	return []any{c.SchoolID, s.ID.UUID, s.Name, text.Key(s.Name), text.Fold(s.Name), s.CreatedAt, s.UpdatedAt}
}

func (c categoryRepo) name(s category.State) unique {
	return unique{field: "name", holder: category.Type, rivals: categoryRivals, value: text.Key(s.Name)}
}

// Add keeps a new category.
func (c categoryRepo) Add(ctx context.Context, cat category.Category) error {
	s := cat.State()
	return c.add(ctx, c.name(s), s.ID.UUID, addCategory, c.args(s)...)
}

// Save keeps a changed category.
func (c categoryRepo) Save(ctx context.Context, cat category.Category) error {
	s := cat.State()
	return c.save(ctx, c.name(s), s.ID.UUID, saveCategory, c.args(s)...)
}

// Remove forgets the category id.
func (c categoryRepo) Remove(ctx context.Context, id category.ID) error {
	return c.remove(ctx, removeCategory, id.UUID)
}
