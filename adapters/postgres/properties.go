package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	gojson "github.com/goccy/go-json"
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

func (s *session) definedProperties(ctx context.Context, r property.Resource) ([]property.State, error) {
	return getAll(ctx, s, propertyRow.state, definedProperties, s.SchoolID, r.String())
}

// Defined implements ports.PropertyReader.
func (r propertyReader) Defined(ctx context.Context, of property.Resource) ([]property.State, error) {
	return r.session.definedProperties(ctx, of)
}

// Defined implements ports.PropertyReader.
func (r propertyRepo) Defined(ctx context.Context, of property.Resource) ([]property.State, error) {
	return r.session.definedProperties(ctx, of)
}

// NamedForShare implements ports.PropertyRepo.
func (r propertyRepo) NamedForShare(ctx context.Context, of property.Resource, names []string) ([]property.State, error) {
	var keys []string
	for _, name := range storable(names) {
		keys = append(keys, propertyKey(property.State{Resource: of, Name: name}))
	}
	return getAll(ctx, r.session, propertyRow.state, namedProperties, r.session.SchoolID, pq.Array(keys))
}

// Delete implements ports.PropertyRepo.
func (r propertyRepo) Delete(ctx context.Context, id property.ID) error {
	return r.session.deleteOne(ctx, deleteProperty, id.UUID)
}

// propertyRows contains the tables of records with properties: the name of the table, its column
// with the ID of the school, and the column that identifies a record.
var propertyRows = map[property.Resource]struct{ table, school, id string }{
	property.People:  {"people", "school_id", "id"},
	property.Courses: {"all_courses", "school_id", "id"},
	property.Groups:  {"groups", "school_id", "id"},
	property.School:  {"schools", "id", "id"},
}

// parseProperties returns the values in the column properties of the record id of a table.
func parseProperties(table string, id uuid.UUID, object []byte) (property.Values, error) {
	if object == nil {
		return property.Values{}, nil
	}
	var raws map[string]json.RawMessage
	err := gojson.Unmarshal(object, &raws)
	var members map[string]any
	if err == nil {
		members, err = decodeMembers(raws)
	}
	var v property.Values
	if err == nil {
		v, err = property.ValuesOf(members)
	}
	if err != nil {
		return property.Values{}, pgdb.Corrupt(table, id, err)
	}
	return v, nil
}

// decodeMembers decodes the members of a JSON object for property.RawsOf. A number stays in the
// notation of the object. Pages of records with long properties are mostly spent here, and
// encoding/json takes five times as long.
func decodeMembers(raws map[string]json.RawMessage) (map[string]any, error) {
	members := make(map[string]any, len(raws))
	for name, raw := range raws {
		if c := raw[0]; c == '-' || '0' <= c && c <= '9' {
			members[name] = json.Number(raw)
			continue
		}
		var member any
		if err := gojson.Unmarshal(raw, &member); err != nil {
			return nil, err
		}
		members[name] = member
	}
	return members, nil
}

// propertiesJSON returns the value of the column properties, or nil if there are no values.
func propertiesJSON(v property.Values) *string {
	if v.IsEmpty() {
		return nil
	}
	object := v.JSON()
	return &object
}

// propertyFolds returns the value of the column property_folds, or nil if there are no texts.
func propertyFolds(v property.Values) *string {
	folds := map[string]string{}
	for _, p := range v.All() {
		if fold, ok := p.Value.Fold(); ok {
			folds[p.Name] = fold
		}
	}
	if len(folds) == 0 {
		return nil
	}
	b, _ := json.Marshal(folds) // never fails for strings
	object := string(b)
	return &object
}

// definedNames returns the column "defined" of a select list: the names of the properties that the
// school has defined for the resource. The column does not depend on the row, so a statement
// computes it once.
func definedNames(r property.Resource) string {
	return fmt.Sprintf(`ARRAY (SELECT d.name FROM property_definitions d
		WHERE d.school_id = $1 AND d.resource = '%s' ORDER BY d.name) AS defined`, r)
}

// CountValues implements ports.PropertyRepo.
func (r propertyRepo) CountValues(ctx context.Context, d property.State, options []string) (n int64, err error) {
	of := propertyRows[d.Resource]
	text := fmt.Sprintf(`SELECT count(*) FROM %s WHERE %s = $1 AND properties IS NOT NULL AND properties ? $2::text`, of.table, of.school)
	args := []any{r.session.SchoolID, d.Name}
	if options != nil {
		text += ` AND properties ->> $2::text = ANY ($3::text[])`
		args = append(args, pq.Array(options))
	}
	err = r.session.GetRow(ctx, &n, text, args...)
	return n, err
}

// RemoveValues implements ports.PropertyRepo. It locks the records in the order of their IDs, as
// all other transactions do.
func (r propertyRepo) RemoveValues(ctx context.Context, d property.State) (int64, error) {
	of := propertyRows[d.Resource]
	n, err := r.session.Exec(ctx, fmt.Sprintf(`
		WITH locked AS MATERIALIZED (
			SELECT %[3]s AS id FROM %[1]s WHERE %[2]s = $1 AND properties IS NOT NULL AND properties ? $2::text
			ORDER BY %[3]s FOR NO KEY UPDATE
		)
		UPDATE %[1]s SET properties = nullif(properties - $2::text, '{}'), property_folds = nullif(property_folds - $2::text, '{}')
		WHERE %[2]s = $1 AND %[3]s IN (SELECT id FROM locked)`, of.table, of.school, of.id), r.session.SchoolID, d.Name)
	return int64(n), err
}
