package postgres_test

import (
	"database/sql"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/domain/query"
	"lyceum/domain/school"
)

// progressPlans contains statements that add three completions to each attempt of the school $1,
// and then move about a third of the completions and quiz attempts to one course.
var progressPlans = []string{
	`INSERT INTO completions (school_id, attempt_id, activity_id, completed_at, person_id, course_id, course_number)
	SELECT t.school_id, t.id, a.id, t.started_at - random() * interval '90 days', t.person_id, t.course_id, t.number
	FROM course_attempts t JOIN activities a ON a.school_id = t.school_id AND a.course_id = t.course_id WHERE t.school_id = $1`,
	`WITH big AS (SELECT * FROM activities WHERE school_id = $1 AND kind = 'text' ORDER BY id LIMIT 1)
	UPDATE completions r SET course_id = big.course_id, activity_id = big.id
	FROM big, activities a WHERE r.school_id = $1 AND a.school_id = r.school_id AND a.id = r.activity_id AND a.kind = 'text'`,
	`WITH big AS (SELECT * FROM activities WHERE school_id = $1 AND kind = 'quiz' ORDER BY id LIMIT 1)
	UPDATE quiz_attempts r SET course_id = big.course_id, activity_id = big.id, quiz_id = big.quiz_id
	FROM big WHERE r.school_id = $1 AND substr(r.id::text, 1, 1) < '5'`,
	`UPDATE quiz_attempts SET started_at = last_answered_at - random() * interval '1 hour' WHERE school_id = $1`,
}

// asked is a query of a list of learner data and the indexes that its plan may use.
type asked struct {
	name    string
	table   string
	where   query.And
	sort    query.Order
	indexes []string // the only indexes of the table that the plan may use
}

// learnedPlans checks typical queries in a school with many quiz attempts and completions: the
// newest rows, the rows of a person and a course, the rows since the last poll, and pages after the
// first one. Each query reads little more than the rows of the page.
func learnedPlans(t *testing.T, db *sql.DB, id school.ID) {
	is := is.New(t)
	for _, statement := range progressPlans {
		inReplica(t, db, statement, id.UUID)
	}
	execute(t, db, `VACUUM ANALYZE completions`, `VACUUM ANALYZE quiz_attempts`)
	for _, table := range []string{"quiz_attempts", "completions"} {
		created, updated, tie := "started_at", "last_answered_at", "ARRAY [r.id]::text[]"
		if table == "completions" {
			created, updated, tie = "completed_at", "completed_at", "ARRAY [r.attempt_id, r.activity_id]::text[]"
		}
		var person, course, activity uuid.UUID
		var recent time.Time
		is.NoErr(db.QueryRowContext(t.Context(), fmt.Sprintf(`
			SELECT course_id, activity_id FROM %s WHERE school_id = $1 GROUP BY 1, 2 ORDER BY count(*) DESC LIMIT 1`, table), id.UUID).
			Scan(&course, &activity))
		is.NoErr(db.QueryRowContext(t.Context(), fmt.Sprintf(`
			SELECT person_id, (SELECT %[2]s FROM %[1]s WHERE school_id = $1 ORDER BY %[2]s DESC OFFSET 60 LIMIT 1) AS recent
			FROM %[1]s WHERE school_id = $1 AND course_id = $2 ORDER BY %[2]s DESC OFFSET 5 LIMIT 1`, table, updated), id.UUID, course).
			Scan(&person, &recent))
		by := map[string]query.Expr{
			"person.id": idIs("person.id", person), "course.id": idIs("course.id", course), "activity.id": idIs("activity.id", activity),
			"updated_at": query.Cond{Attr: timeAttr("updated_at"), Op: query.Gt, Values: instant(recent)},
		}
		newest, changed, latest := query.Order{Attr: timeAttr("created_at"), Desc: true},
			query.Order{Attr: timeAttr("updated_at")}, query.Order{Attr: timeAttr("updated_at"), Desc: true}
		index := func(of string) string { return table + "_by_" + of }
		byTime, byChange := index("creation"), index("change")
		if table == "completions" {
			byTime, byChange = index("time"), index("time")
		}
		for _, q := range []asked{
			{"the newest", table, nil, newest, []string{byTime}},
			{"of a person", table, query.And{by["person.id"]}, newest, []string{index("person")}},
			{"of a course", table, query.And{by["course.id"]}, newest, []string{index("course")}},
			{"of an activity", table, query.And{by["activity.id"]}, newest, []string{index("activity")}},
			{"of a person in a course", table, query.And{by["person.id"], by["course.id"]}, newest, []string{index("person"), index("course")}},
			{"of a course, by change", table, query.And{by["course.id"]}, changed, []string{index("course"), byChange}},
			{"of a person, by change", table, query.And{by["person.id"]}, changed, []string{index("person"), byChange}},
			{"of a course, oldest first", table, query.And{by["course.id"]}, query.Order{Attr: timeAttr("created_at")}, []string{index("course")}},
			{"by change", table, nil, changed, []string{byChange}},
			{"the last changed", table, nil, latest, []string{byChange}},
			{"what is new", table, query.And{by["updated_at"]}, changed, []string{byChange}},
			{"what is new, newest first", table, query.And{by["updated_at"]}, newest, []string{byTime, byChange}},
			{"what is new of a person", table, query.And{by["person.id"], by["updated_at"]}, changed, []string{index("person"), byChange}},
			{"what is new of a course", table, query.And{by["course.id"], by["updated_at"]}, changed, []string{index("course"), byChange}},
		} {
			t.Run(table+" "+q.name, func(t *testing.T) {
				q.check(t, db, id)
			})
			t.Run(table+" "+q.name+", followed", func(t *testing.T) {
				key := created
				if q.sort.Attr.Name == "updated_at" {
					key = updated
				}
				q.check(t, db, id, lastKeys(t, db, id, key, updated, tie, q)...)
			})
		}
	}
}

// lastKeys returns the sort keys, beginning with the column key, of a row in the middle of the
// query's result. since is the column that a filter by time compares, and tie the array of the
// remaining sort keys.
func lastKeys(t *testing.T, db *sql.DB, id school.ID, key, since, tie string, q asked) []string {
	t.Helper()
	where, args := "r.school_id = $1", []any{id.UUID}
	for _, e := range q.where {
		c := e.(query.Cond)
		if c.Op == query.Gt {
			args = append(args, c.Values[0].To)
			where += fmt.Sprintf(" AND r.%s >= $%d", since, len(args))
			continue
		}
		args = append(args, c.Values[0].ID)
		where += fmt.Sprintf(" AND r.%s_id = $%d", c.Attr.Name[:len(c.Attr.Name)-len(".id")], len(args))
	}
	order := key
	if q.sort.Desc {
		order += " DESC"
	}
	var at string
	var ties pq.StringArray
	err := db.QueryRowContext(t.Context(), fmt.Sprintf(`SELECT %[1]s::text, %[2]s FROM %[3]s r WHERE %[4]s
		ORDER BY %[5]s OFFSET (SELECT least(5000, count(*) / 2) FROM %[3]s r WHERE %[4]s) LIMIT 1`, key, tie, q.table, where, order), args...).
		Scan(&at, &ties)
	is.New(t).NoErr(err)
	return append([]string{at}, ties...)
}

func (q asked) query() query.Query {
	asked := query.Query{Sort: []query.Order{q.sort}}
	if len(q.where) > 0 {
		asked.Where = q.where
	}
	return asked
}

// check fails unless the plan of the page uses one of the indexes and reads few further rows. If
// sort keys are given, the page starts after the row that has them.
func (q asked) check(t *testing.T, db *sql.DB, id school.ID, keys ...string) {
	t.Helper()
	is := is.New(t)
	statement, args, varied := postgres.AskedSQL(q.table, q.query(), id, keys...)
	p := explain(t, db, statement, args, !varied)
	is.Equal(len(p.large()), 0)
	used := p.indexes(q.table + "_by_")
	is.True(len(used) > 0)
	for _, index := range used {
		is.True(slices.Contains(q.indexes, index)) // the index has the order, or few rows are sorted
	}
	p.walk(func(n plan) {
		if n.Relation == q.table && n.Loops*(n.Rows+n.Removed) > 500 {
			t.Errorf("%.0f rows are read by %s", n.Loops*(n.Rows+n.Removed), n.Index)
		}
	})
}

func idIs(name string, id uuid.UUID) query.Expr {
	return query.Cond{
		Attr: query.Attr{Name: name, Source: name, Kind: query.UUID},
		Op:   query.Eq, Values: []query.Value{{ID: id}},
	}
}

func timeAttr(name string) query.Attr {
	return query.Attr{Name: name, Source: name, Kind: query.Timestamp}
}

// instant returns an operand for the millisecond of at.
func instant(at time.Time) []query.Value {
	at = at.Truncate(time.Millisecond)
	return []query.Value{{From: at, To: at.Add(time.Millisecond)}}
}

// inReplica runs a statement without triggers and foreign key checks.
func inReplica(t *testing.T, db *sql.DB, statement string, args ...any) {
	t.Helper()
	is := is.New(t)
	conn, err := db.Conn(t.Context())
	is.NoErr(err)
	_, err = conn.ExecContext(t.Context(), `SET session_replication_role = replica`)
	is.NoErr(err)
	_, err = conn.ExecContext(t.Context(), statement, args...)
	is.NoErr(err)
	_, err = conn.ExecContext(t.Context(), `RESET session_replication_role`)
	is.NoErr(err)
	is.NoErr(conn.Close())
}
