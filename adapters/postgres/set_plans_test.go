package postgres_test

import (
	"database/sql"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
)

// A member of few sets is found by the index of the sets. A member of many sets is found by reading
// the list in its order. No table is read completely, and only the courses and people of the page
// are read.
func setPlans(t *testing.T, db *sql.DB, id school.ID) {
	is := is.New(t)
	var rare, common, part uuid.UUID
	is.NoErr(db.QueryRowContext(t.Context(), `
		WITH c AS (
			SELECT id FROM categories k WHERE school_id = $1
			AND NOT EXISTS (SELECT FROM course_categories WHERE category_id = k.id) LIMIT 1
		)
		INSERT INTO course_categories (school_id, course_id, category_id)
		SELECT $1, r.id, c.id FROM c, (SELECT id FROM courses WHERE school_id = $1 LIMIT 3) r RETURNING category_id`,
		id.UUID).Scan(&rare))
	is.NoErr(db.QueryRowContext(t.Context(), `
		SELECT category_id FROM course_categories WHERE school_id = $1 GROUP BY category_id ORDER BY count(*) DESC LIMIT 1`,
		id.UUID).Scan(&common))
	is.NoErr(db.QueryRowContext(t.Context(), `SELECT id FROM partnerships WHERE school_id = $1 LIMIT 1`, id.UUID).Scan(&part))
	execute(t, db, `VACUUM ANALYZE course_categories`)

	courses := func(q query.Query) (string, []any) { return postgres.CoursesSQL(q, id) }
	people := func(q query.Query) (string, []any) { return postgres.PeopleSQL(q, id) }
	inCategory := query.Cond{Attr: course.Schema.Attr("categories.id"), Op: query.Eq, Values: []query.Value{{ID: rare}}}
	either := inCategory
	either.Values = []query.Value{{ID: rare}, {ID: part}}
	ofPart := query.Cond{Attr: person.Schema.Attr("partnerships.id"), Op: query.Eq, Values: []query.Value{{ID: part}}}
	// Of 100,000 people, 2,000 are in the course. Their order by name is random: a page visits 1,300
	// people on average, and nearly never 3,000.
	t.Run("people of a course", func(t *testing.T) {
		is := is.New(t)
		var of course.ID
		is.NoErr(db.QueryRowContext(t.Context(), `SELECT course_id FROM enrollments WHERE school_id = $1 LIMIT 1`, id.UUID).Scan(&of.UUID))
		statement, args := postgres.AudienceSQL(query.Query{Page: query.NewPage(1, 25)}, id, of)
		p := explain(t, db, statement, args, false)
		is.Equal(p.scanned(), nil)
		p.walk(func(n plan) { is.True(n.Loops*n.Rows <= 3000) })
	})
	for _, tt := range []struct {
		name  string
		sql   func(q query.Query) (string, []any)
		query query.Query
		index string // an index that the plan must use
	}{
		{"courses of a category", courses, query.Query{Where: inCategory}, "course_categories_by_category"},
		{"courses of a category, a deep page", courses, query.Query{Where: inCategory, Page: query.NewPage(2, 1)}, "course_categories_by_category"},
		{"courses of one of two categories", courses, query.Query{Where: either}, "course_categories_by_category"},
		{"courses of an instructor", courses, query.Query{Where: query.Cond{
			Attr: course.Schema.Attr("instructor_partnerships.id"), Op: query.Eq, Values: []query.Value{{ID: id.UUID}},
		}}, "course_instructors_by_partnership"},
		{"courses of a category that nearly all are in", courses, query.Query{Where: query.Cond{
			Attr: course.Schema.Attr("categories.id"), Op: query.Eq, Values: []query.Value{{ID: common}},
		}}, "courses_by_name"},
		{"people without a partnership", people, query.Query{Where: query.Cond{
			Attr: person.Schema.Attr("partnerships.id"), Op: query.Null, Values: []query.Value{{Bool: true}},
		}}, "people_by_name"},
		{"the person of a partnership", people, query.Query{Where: ofPart}, "partnerships_pkey"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			statement, args := tt.sql(tt.query)
			p := explain(t, db, statement, args, false)
			is.Equal(p.scanned(), nil)
			is.True(slices.Contains(p.indexes(""), tt.index))
			p.walk(func(n plan) {
				if n.Relation == "all_courses" || n.Relation == "people" {
					is.True(n.Loops*n.Rows <= 2*26) // little more than the rows of the page: a few rows are skipped
				}
			})
		})
	}
}
