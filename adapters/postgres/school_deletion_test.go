package postgres_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/postgres"
)

// The deletion of a school must cover every table with a column school_id.
func TestSchoolDeletionCoversAllTables(t *testing.T) {
	is := is.New(t)
	_, db := freshStore(t)
	rows, err := db.QueryContext(t.Context(), `
		SELECT c.table_name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
		WHERE c.table_schema = current_schema() AND c.column_name = 'school_id' AND t.table_type = 'BASE TABLE'`)
	is.NoErr(err)
	defer func() { _ = rows.Close() }()
	want := map[string]bool{}
	for rows.Next() {
		var name string
		is.NoErr(rows.Scan(&name))
		want[name] = true
	}
	is.NoErr(rows.Err())
	got := map[string]bool{}
	for _, name := range postgres.SchoolTables {
		got[name] = true
	}
	is.Equal(got, want)
}
