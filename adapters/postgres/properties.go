package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/property"
	"lyceum/ports"
)

var _ ports.PropertyRepo = propertyRepo{}

type propertyRow struct {
	ID         uuid.UUID `db:"id"`
	Resource   string    `db:"resource"`
	Name       string    `db:"name"`
	Kind       string    `db:"kind"`
	Options    []byte    `db:"options"`
	Filterable bool      `db:"filterable"`
	CreatedAt  time.Time `db:"created_at"`
	UpdatedAt  time.Time `db:"updated_at"`
}

func (r propertyRow) state() (property.State, error) {
	resource, err := property.ParseResource(r.Resource)
	if err != nil {
		return property.State{}, pgdb.Corrupt(property.Type, r.ID, err)
	}
	kind, err := property.ParseKind(r.Kind)
	if err != nil {
		return property.State{}, pgdb.Corrupt(property.Type, r.ID, err)
	}
	var options []string
	if r.Options != nil {
		if err := json.Unmarshal(r.Options, &options); err != nil {
			return property.State{}, pgdb.Corrupt(property.Type, r.ID, err)
		}
	}
	return property.State{
		ID: property.ID{UUID: r.ID}, Resource: resource, Name: r.Name, Kind: kind, Options: options,
		Filterable: r.Filterable, CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}, nil
}

var propertyColumns = listsql.RowColumns[propertyRow]()

var propertyList = listsql.New(listsql.Definition{
	Table:   "property_definitions",
	Columns: propertyColumns,
	Attrs: map[string]listsql.Column{
		"uuid":       {Expr: "r.id"},
		"resource":   listsql.PlainText("r.resource"),
		"name":       listsql.PlainText("r.name"),
		"kind":       listsql.PlainText("r.kind"),
		"filterable": {Expr: "r.filterable"},
		"created_at": {Expr: "r.created_at"},
		"updated_at": {Expr: "r.updated_at"},
	},
	Sort: property.Schema.Default(),
}, propertyRow.state)

func propertyKey(s property.State) string { return s.Resource.String() + "." + s.Name }

var propertyTable = newTable("property_definitions", []column[property.State]{
	{"id", "uuid", func(s property.State) any { return s.ID.UUID }},
	{"resource", "text", func(s property.State) any { return s.Resource.String() }},
	{"name", "text", func(s property.State) any { return s.Name }},
	{"key", "text", func(s property.State) any { return propertyKey(s) }},
	{"kind", "text", func(s property.State) any { return s.Kind.String() }},
	{"options", "jsonb", func(s property.State) any { return optionsJSON(s.Options) }},
	{"filterable", "boolean", func(s property.State) any { return s.Filterable }},
	{"created_at", "timestamptz", func(s property.State) any { return s.CreatedAt }},
	{"updated_at", "timestamptz", func(s property.State) any { return s.UpdatedAt }},
})

func optionsJSON(options []string) *string {
	if options == nil {
		return nil
	}
	b, _ := json.Marshal(options) // never fails for strings
	text := string(b)
	return &text
}

var propertyRecords = uniqueRecords[propertyRow, property.State, property.Definition]{
	table: propertyTable, columns: propertyColumns, toState: propertyRow.state, restore: property.Restore,
	typeName: property.Type, field: "name", key: "key", keyOf: propertyKey,
	getLock: "FOR UPDATE", manyLock: "FOR KEY SHARE",
}.prepared()

type propertyReader struct {
	reader[property.ID, propertyRow, property.State]
}

type propertyRepo struct {
	uniqueRepo[property.ID, propertyRow, property.State, property.State, property.Definition]
}

const deleteProperty = `DELETE FROM property_definitions WHERE school_id = $1 AND id = $2`

var (
	definedProperties = `SELECT ` + propertyColumns + ` FROM property_definitions r
		WHERE r.school_id = $1 AND r.resource = $2 ORDER BY r.name`
	namedProperties = `SELECT ` + propertyColumns + ` FROM property_definitions r
		WHERE r.school_id = $1 AND r.key = ANY ($2::text[]) ORDER BY r.name FOR KEY SHARE`
)

func (c *session) definedProperties(ctx context.Context, r property.Resource) ([]property.State, error) {
	return getAll(ctx, c, propertyRow.state, definedProperties, c.SchoolID, r.String())
}

// Defined implements ports.PropertyReader.
func (c propertyReader) Defined(ctx context.Context, r property.Resource) ([]property.State, error) {
	return c.session.definedProperties(ctx, r)
}

// Defined implements ports.PropertyReader.
func (c propertyRepo) Defined(ctx context.Context, r property.Resource) ([]property.State, error) {
	return c.session.definedProperties(ctx, r)
}

// NamedForShare implements ports.PropertyRepo.
func (c propertyRepo) NamedForShare(ctx context.Context, r property.Resource, names []string) ([]property.State, error) {
	var keys []string
	for _, name := range storable(names) {
		keys = append(keys, propertyKey(property.State{Resource: r, Name: name}))
	}
	return getAll(ctx, c.session, propertyRow.state, namedProperties, c.session.SchoolID, pq.Array(keys))
}

// Delete implements ports.PropertyRepo.
func (c propertyRepo) Delete(ctx context.Context, id property.ID) error {
	return c.session.deleteOne(ctx, deleteProperty, id.UUID)
}
