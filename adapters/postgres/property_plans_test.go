package postgres_test

import (
	"slices"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/domain/text"
)

// A filter that compares a property for equality uses the index of properties.
func TestPropertyPlan(t *testing.T) {
	t.Parallel()
	department := query.Attr{Name: "properties.department", Kind: query.Text, Nullable: true, Source: "properties.department", Property: "department"}
	equals := func(words ...string) query.Query {
		c := query.Cond{Attr: department, Op: query.Eq}
		for _, word := range words {
			c.Values = append(c.Values, query.Value{Text: word, Fold: text.Fold(word)})
		}
		return query.Query{Where: c}
	}
	s, db := freshStore(t)
	execute(t, db, `ALTER TABLE people SET (autovacuum_enabled = off)`)
	fill := func(people int) school.ID {
		id := newSchool(t, s)
		_, err := db.ExecContext(t.Context(), populous, id.UUID, people)
		is.New(t).NoErr(err)
		_, err = db.ExecContext(t.Context(), `
			UPDATE people SET properties = jsonb_build_object('department', CASE WHEN email LIKE 'person%00@%' THEN 'Sales' ELSE 'Support' END)
			WHERE school_id = $1`, id.UUID)
		is.New(t).NoErr(err)
		return id
	}
	fill(5000)
	id := fill(20_000)
	execute(t, db, `VACUUM ANALYZE people`)
	for name, q := range map[string]query.Query{"eq": equals("Sales"), "in": equals("Sales", "Finance")} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			statement, args := postgres.PeopleSQL(q, id)
			p := explain(t, db, statement, args, false)
			is.True(!slices.Contains(p.scanned(), "people"))
			is.Equal(p.indexes("people_"), []string{"people_by_properties"})
		})
	}
}
