package postgres

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/property"
)

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
	members, err := decodeJSON[map[string]any](object)
	var v property.Values
	if err == nil {
		v, err = property.ValuesOf(members)
	}
	if err != nil {
		return property.Values{}, pgdb.Corrupt(table, id, err)
	}
	return v, nil
}

// decodeJSON decodes a value. It does not change the notation of numbers.
func decodeJSON[T any](text []byte) (v T, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
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
	return fmt.Sprintf(`(SELECT array_agg(d.name ORDER BY d.name) FROM property_definitions d
		WHERE d.school_id = $1 AND d.resource = '%s') AS defined`, r)
}

// CountValues implements ports.PropertyRepo.
func (c propertyRepo) CountValues(ctx context.Context, d property.State, options []string) (n int64, err error) {
	of := propertyRows[d.Resource]
	text := fmt.Sprintf(`SELECT count(*) FROM %s WHERE %s = $1 AND properties IS NOT NULL AND properties ? $2::text`, of.table, of.school)
	args := []any{c.session.SchoolID, d.Name}
	if options != nil {
		text += ` AND properties ->> $2::text = ANY ($3::text[])`
		args = append(args, pq.Array(options))
	}
	err = c.session.GetRow(ctx, &n, text, args...)
	return n, err
}

// RemoveValues implements ports.PropertyRepo. It locks the records in the order of their IDs, as
// all other transactions do.
func (c propertyRepo) RemoveValues(ctx context.Context, d property.State) (int64, error) {
	of := propertyRows[d.Resource]
	n, err := c.session.Exec(ctx, fmt.Sprintf(`
		WITH locked AS MATERIALIZED (
			SELECT %[3]s AS id FROM %[1]s WHERE %[2]s = $1 AND properties IS NOT NULL AND properties ? $2::text
			ORDER BY %[3]s FOR NO KEY UPDATE
		)
		UPDATE %[1]s SET properties = nullif(properties - $2::text, '{}'), property_folds = nullif(property_folds - $2::text, '{}')
		WHERE %[2]s = $1 AND %[3]s IN (SELECT id FROM locked)`, of.table, of.school, of.id), c.session.SchoolID, d.Name)
	return int64(n), err
}
