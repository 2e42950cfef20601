package postgres_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lib/pq"
	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/domain/text"
)

const populous = `
	INSERT INTO people (school_id, id, email, email_key, email_fold, first_name, first_name_fold,
		last_name, last_name_fold, full_name, full_name_fold, activated_at, unsubscribed, created_at, updated_at)
	SELECT $1, gen_random_uuid(), e, e, e, f, lower(f), l, lower(l), f || ' ' || l, lower(f || ' ' || l),
		CASE WHEN i % 3 = 0 THEN now() END, false, now() - i * interval '1 minute', now()
	FROM (
		SELECT i, format('person%s@%s.example.test', i, CASE WHEN i % 20000 = 1 THEN 'zephyr' ELSE 'mail' END) AS e,
			(ARRAY ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara'])[i % 5 + 1] AS f,
			(ARRAY ['Lovelace', 'Hopper', 'Turing', 'Dijkstra', 'Liskov', 'Hoare', 'Knuth'])[i % 7 + 1]
				|| CASE WHEN i % 20000 = 1 THEN ' Zephyrine' ELSE ' ' || i END AS l
		FROM generate_series(1, $2::integer) i
	) x`

const furnishing = `
	WITH school AS (SELECT $1::uuid AS id),
	partners AS (
		INSERT INTO partnerships (school_id, id, person_id, role, created_at)
		SELECT p.school_id, p.id, p.id, 'instructor', now() FROM people p, school s
		WHERE p.school_id = s.id ORDER BY p.id LIMIT 500 RETURNING id
	),
	headings AS (
		INSERT INTO categories (school_id, id, name, name_key, name_fold, created_at, updated_at)
		SELECT s.id, gen_random_uuid(), i, i, i, now(), now() FROM generate_series(1, 20) i, school s RETURNING id
	),
	courses AS (
		INSERT INTO courses (school_id, id, name, name_fold, permalink, enroll_token, created_at, updated_at)
		SELECT s.id, gen_random_uuid(), 'Course ' || i, 'course ' || i, 'course-' || i, repeat('0', 40),
			now() - i * interval '1 hour', now()
		FROM generate_series(1, 2000) i, school s RETURNING id
	),
	left_over AS (
		INSERT INTO course_count_deltas (school_id, course_id, delta)
		SELECT s.id, c.id, 1 FROM courses c, school s, generate_series(1, 2)
	),
	filed AS (
		INSERT INTO course_categories (school_id, course_id, category_id)
		SELECT s.id, c.id, h.id FROM courses c, school s, (SELECT id FROM headings LIMIT 2) h
	),
	taught AS (
		INSERT INTO course_instructors (school_id, course_id, partnership_id)
		SELECT s.id, c.id, p.id FROM courses c, school s, (SELECT id FROM partners LIMIT 2) p
	)
	INSERT INTO enrollments (school_id, id, person_id, course_id, role, created_at, updated_at)
	SELECT s.id, gen_random_uuid(), p.id, c.id, 'learner', now(), now()
	FROM school s, (SELECT id FROM courses LIMIT 5) c, LATERAL (
		SELECT id FROM people WHERE school_id = s.id ORDER BY id LIMIT 2000
	) p`

// manyPeople fills a database with a school of 100,000 people and 2,000 courses and with a smaller
// school. It returns the large school.
func manyPeople(t *testing.T) (*sql.DB, school.ID) {
	t.Helper()
	is := is.New(t)
	s, db := freshStore(t)
	first, second := newSchool(t, s), newSchool(t, s)
	withoutChanges(t, db)
	manyDefinitions(t, db)
	for id, people := range map[school.ID]int{first: 100_000, second: 20_000} {
		_, err := db.ExecContext(t.Context(), populous, id.UUID, people)
		is.NoErr(err)
		_, err = db.ExecContext(t.Context(), furnishing, id.UUID)
		is.NoErr(err)
	}
	// The sample is larger than usual, so that the plan does not depend on chance.
	conn, err := db.Conn(t.Context())
	is.NoErr(err)
	for _, statement := range []string{`SET default_statistics_target = 1000`, `VACUUM ANALYZE`} {
		_, err := conn.ExecContext(t.Context(), statement)
		is.NoErr(err)
	}
	is.NoErr(conn.Close())
	return db, first
}

// withoutChanges stops the change feed of a database, so that filling it takes half the time. No
// plan depends on the feed.
func withoutChanges(t *testing.T, db *sql.DB) {
	t.Helper()
	for _, function := range []string{
		"record_changes", "record_update", "record_changes_of_courses", "record_changes_of_groups",
		"record_changes_of_completions", "record_changes_of_answers",
	} {
		_, err := db.ExecContext(t.Context(),
			"CREATE OR REPLACE FUNCTION "+function+"() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'")
		is.New(t).NoErr(err)
	}
}

// Each subtest checks the plans of the statements of one kind of request to the school with 100,000
// people.
func TestPlans(t *testing.T) {
	db, id := manyPeople(t)
	t.Run("people", func(t *testing.T) { peoplePlans(t, db, id) })
	t.Run("courses", func(t *testing.T) { coursePlans(t, db, id) })
	t.Run("sets", func(t *testing.T) { setPlans(t, db, id) })
	t.Run("at a cursor", func(t *testing.T) { cursorPlans(t, db, id) })
	if testing.Short() {
		return // each of the other kinds fills tables of its own
	}
	t.Run("coupons", func(t *testing.T) { couponPlans(t, db, id) })
	t.Run("groups", func(t *testing.T) { groupPlans(t, db, id) })
	t.Run("changes", func(t *testing.T) { changePlans(t, db, id) })
	t.Run("audit events", func(t *testing.T) { auditPlans(t, db, id) })
	t.Run("jobs", func(t *testing.T) { jobPlans(t, db, id) })
	t.Run("retention", func(t *testing.T) { retentionPlans(t, db, id) })
	t.Run("learning", func(t *testing.T) { learningPlans(t, db, id) })
	t.Run("progress", func(t *testing.T) { learnedPlans(t, db, id) })
	t.Run("redemptions and invitations", func(t *testing.T) { usePlans(t, db, id) })
}

func peoplePlans(t *testing.T, db *sql.DB, id school.ID) {
	attr := person.Schema.Attr
	cond := func(name string, op query.Op, v query.Value) query.Expr {
		v.Fold = text.Fold(v.Text)
		return query.Cond{Attr: attr(name), Op: op, Values: []query.Value{v}}
	}
	deep := query.NewPage(2000, 25)
	for _, tt := range []struct {
		name    string
		query   query.Query
		generic bool // whether to use the generic plan, which prepared statements eventually use
		indexes []string
	}{
		{"page 1", query.Query{}, true, []string{"people_by_name"}},
		{"page 1 of the learners", query.Query{Where: cond("learner", query.Eq, query.Value{Bool: true})}, true, []string{"people_by_name"}},
		{"newest first", query.Query{Sort: []query.Order{{Attr: attr("created_at"), Desc: true}}}, true, []string{"people_by_creation"}},
		{"by email, backwards", query.Query{Sort: []query.Order{{Attr: attr("email"), Desc: true}}}, true, []string{"people_by_email"}},
		{"one by email", query.Query{Where: cond("email", query.Eq, query.Value{Text: "person7@mail.example.test"})}, true, []string{"people_by_email"}},
		{"one by name", query.Query{Where: cond("name", query.Eq, query.Value{Text: "Ada Lovelace 35"})}, true, []string{"people_by_name"}},
		{"one by id", query.Query{Where: cond("uuid", query.Eq, query.Value{ID: id.UUID})}, true, []string{"people_pkey"}},
		{"a deep page", query.Query{Page: deep}, false, []string{"people_by_name", "people_pkey"}},
		{"a deep page, prepared", query.Query{Page: deep}, true, []string{"people_by_name", "people_pkey"}},
		{"a rare substring", query.Query{Where: cond("full_name", query.Cont, query.Value{Text: "Zephyr"})}, false, []string{"people_name_words"}},
		{"a rare substring of the email", query.Query{Where: cond("email", query.Cont, query.Value{Text: "@zephyr"})}, false, []string{"people_email_words"}},
		{"a common substring", query.Query{Where: cond("full_name", query.Cont, query.Value{Text: "Ada"})}, false, []string{"people_by_name"}},
		{"a single letter", query.Query{Where: cond("full_name", query.Cont, query.Value{Text: "a"})}, false, []string{"people_by_name"}},
		{
			"two words in two fields",
			query.Query{Where: query.And{
				query.Or{cond("full_name", query.Cont, query.Value{Text: "zephyr"}), cond("email", query.Cont, query.Value{Text: "zephyr"})},
				query.Or{cond("full_name", query.Cont, query.Value{Text: "ada"}), cond("email", query.Cont, query.Value{Text: "ada"})},
			}},
			false,
			[]string{"people_email_words", "people_name_words"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			statement, args := postgres.PeopleSQL(tt.query, id)
			p := explain(t, db, statement, args, tt.generic)
			is.Equal(p.scanned(), nil) // no table is read completely
			is.Equal(p.indexes("people_"), tt.indexes)
			if tt.query.Page == deep {
				is.True(slices.Contains(p.nodes(), "Index Only Scan")) // the rows before the page are not fetched
			}
		})
	}
}

// A page that begins or ends at a cursor is a range of the index. The index is read in either
// direction.
func cursorPlans(t *testing.T, db *sql.DB, id school.ID) {
	row := courseAnalyticsPlan(t, db, id, 5000)
	for _, backward := range []bool{false, true} {
		people, peopleArgs := postgres.PeopleAfterSQL(query.Query{}, id, backward, row.name, row.person)
		standings, standingsArgs := postgres.CourseAnalyticsAfterSQL(query.Query{}, id, backward, row.at, row.person, row.course, row.attempt)
		for _, tt := range []struct {
			name, statement string
			args            []any
			index           string
		}{
			{"people", people, peopleArgs, "people_by_name"},
			{"course analytics", standings, standingsArgs, "course_analytics_rows_by_enrollment"},
		} {
			for _, generic := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s, backward: %v, generic: %v", tt.name, backward, generic), func(t *testing.T) {
					is := is.New(t)
					p := explain(t, db, tt.statement, tt.args, generic)
					for _, table := range []string{"people", "all_courses", "course_analytics_rows"} { // tables that must not be read completely
						is.True(!slices.Contains(p.scanned(), table))
					}
					is.True(slices.Contains(p.indexes(""), tt.index))
					p.walk(func(n plan) {
						is.True(n.Loops*n.Rows <= 53) // a page has two ranges, and no row before them is read
						is.True(n.Removed <= 1)
					})
				})
			}
		}
	}
}

// sortKeys contains the sort keys of a row of course analytics and of its person.
type sortKeys struct{ name, person, at, course, attempt string }

// courseAnalyticsPlan returns the sort keys of the row of course analytics that follows the first
// offset rows.
func courseAnalyticsPlan(t *testing.T, db *sql.DB, id school.ID, offset int) (row sortKeys) {
	is.New(t).NoErr(db.QueryRowContext(t.Context(), `
		SELECT p.full_name_fold, p.id, s.enrolled_at::text, s.course_id, s.attempt_or_none
		FROM course_analytics_rows s JOIN people p ON p.school_id = s.school_id AND p.id = s.person_id
		WHERE s.school_id = $1 ORDER BY s.enrolled_at DESC OFFSET $2 LIMIT 1`, id.UUID, offset).
		Scan(&row.name, &row.person, &row.at, &row.course, &row.attempt))
	return row
}

// Counts and arrays are computed for the rows of the page, not for all sorted rows.
func coursePlans(t *testing.T, db *sql.DB, id school.ID) {
	for _, tt := range []struct {
		name string
		page query.Page
	}{{"first", query.NewPage(1, 25)}, {"deep", query.NewPage(20, 25)}} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			statement, args := postgres.CoursesSQL(query.Query{
				Sort: []query.Order{{Attr: course.Schema.Attr("created_at")}}, Page: tt.page,
			}, id)
			p := explain(t, db, statement, args, false)
			made := 0
			p.walk(func(n plan) {
				if n.Relationship == "SubPlan" {
					made++
					is.True(n.Loops <= 26)
				}
			})
			is.True(made >= 3) // one subquery each for categories, instructors and the count's deltas
		})
	}
}

// plan is a node of the output of EXPLAIN.
type plan struct {
	Node         string  `json:"Node Type"`
	Relation     string  `json:"Relation Name"`
	Index        string  `json:"Index Name"`
	Relationship string  `json:"Parent Relationship"`
	Loops        float64 `json:"Actual Loops"`
	Rows         float64 `json:"Actual Rows"`
	Removed      float64 `json:"Rows Removed by Filter"`
	Plans        []plan
}

func (p plan) walk(visit func(plan)) {
	visit(p)
	for _, child := range p.Plans {
		child.walk(visit)
	}
}

// ran returns the plan without the nodes that were not executed.
func (p plan) ran() plan {
	run := p
	run.Plans = nil
	for _, child := range p.Plans {
		if child.Loops > 0 {
			run.Plans = append(run.Plans, child.ran())
		}
	}
	return run
}

func (p plan) collect(pick func(plan) string) []string {
	var found []string
	p.walk(func(n plan) {
		if s := pick(n); s != "" {
			found = append(found, s)
		}
	})
	slices.Sort(found)
	return slices.Compact(found)
}

func (p plan) nodes() []string { return p.collect(func(n plan) string { return n.Node }) }

// indexes returns the used indexes whose names have the prefix.
func (p plan) indexes(prefix string) []string {
	return p.collect(func(n plan) string {
		if strings.HasPrefix(n.Index, prefix) {
			return n.Index
		}
		return ""
	})
}

// scanned returns the tables that are read completely.
func (p plan) scanned() []string {
	return p.collect(func(n plan) string {
		if strings.HasSuffix(n.Node, "Seq Scan") {
			return n.Relation
		}
		return ""
	})
}

// manyDefinitions adds definitions of properties in other schools: so many that reading the whole
// table costs more than using an index.
func manyDefinitions(t *testing.T, db *sql.DB) {
	t.Helper()
	inReplica(t, db, `
		INSERT INTO property_definitions (school_id, id, resource, name, key, kind, filterable, created_at, updated_at)
		SELECT md5((i / 5)::text)::uuid, gen_random_uuid(), 'people', 'p' || i, 'people.p' || i, 'text', $1, now(), now()
		FROM generate_series(1, 5000) i`, true)
}

// explain runs a statement and returns its plan: the plan for the given values or the generic plan.
func explain(t *testing.T, db *sql.DB, statement string, args []any, generic bool) plan {
	t.Helper()
	is := is.New(t)
	ctx := t.Context()
	conn, err := db.Conn(ctx)
	is.NoErr(err)
	defer func() {
		_, err := conn.ExecContext(context.WithoutCancel(ctx), `DEALLOCATE ALL`)
		is.NoErr(err)
		is.NoErr(conn.Close())
	}()
	mode := "force_custom_plan"
	if generic {
		mode = "force_generic_plan"
	}
	_, err = conn.ExecContext(ctx, `SET plan_cache_mode = `+mode)
	is.NoErr(err)
	_, err = conn.ExecContext(ctx, `PREPARE explained AS `+statement)
	is.NoErr(err)
	literals := make([]string, len(args))
	for i, arg := range args {
		if v, ok := arg.(driver.Valuer); ok {
			arg, err = v.Value()
			is.NoErr(err)
		}
		if at, ok := arg.(time.Time); ok {
			arg = at.Format(time.RFC3339Nano)
		}
		literals[i] = pq.QuoteLiteral(fmt.Sprint(arg))
	}
	var out []byte
	is.NoErr(conn.QueryRowContext(ctx,
		`EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE explained (`+strings.Join(literals, ", ")+`)`).Scan(&out))
	var explained []struct{ Plan plan }
	is.NoErr(json.Unmarshal(out, &explained))
	return explained[0].Plan
}
