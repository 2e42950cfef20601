package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/listsql"
	"lyceum/domain/category"
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

var categoryList = listsql.New(listsql.Definition{
	Table:   "categories",
	Columns: listsql.RowColumns[categoryRow](),
	Attrs: map[string]listsql.Column{
		"uuid":       {Expr: "r.id"},
		"name":       listsql.TextColumn("name"),
		"created_at": {Expr: "r.created_at"},
		"updated_at": {Expr: "r.updated_at"},
	},
	Sort: category.Schema.Default(),
}, categoryRow.state)

type categoryReader = reader[category.ID, categoryRow, category.State]

var categoryTable = newTable("categories", []column[category.State]{
	{"id", "uuid", func(s category.State) any { return s.ID.UUID }},
	{"name", "text", func(s category.State) any { return s.Name }},
	{"name_key", "text", func(s category.State) any { return text.UniqueKey(s.Name) }},
	{"name_fold", "text", func(s category.State) any { return text.Fold(s.Name) }},
	{"created_at", "timestamptz", func(s category.State) any { return s.CreatedAt }},
	{"updated_at", "timestamptz", func(s category.State) any { return s.UpdatedAt }},
})

// The manyLock FOR SHARE conflicts with the getLock of a transaction that may delete a category.
// Otherwise a course that is added to the category in the meantime would prevent the deletion.
var categoryRecords = uniqueRecords[categoryRow, category.State, category.Category]{
	table: categoryTable, columns: listsql.RowColumns[categoryRow](), toState: categoryRow.state, restore: category.Restore,
	typeName: category.Type, field: "name", key: "name_key",
	keyOf:   func(s category.State) string { return text.UniqueKey(s.Name) },
	getLock: "FOR NO KEY UPDATE", manyLock: "FOR SHARE",
}.prepared()

type categoryRepo struct {
	uniqueRepo[category.ID, categoryRow, category.State, category.State, category.Category]
}

const deleteCategory = `DELETE FROM categories WHERE school_id = $1 AND id = $2`

// Delete implements ports.CategoryRepo.
func (r categoryRepo) Delete(ctx context.Context, id category.ID) error {
	return r.session.deleteOne(ctx, deleteCategory, id.UUID)
}
