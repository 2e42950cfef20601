package postgres_test

import (
	"database/sql"
	"math/big"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/domain/analytics"
	"lyceum/domain/event"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/domain/text"
)

// A value that few rows have is found by an index. A value that many rows have is found by reading
// the list in its order. No table is read completely.
func rareValues(t *testing.T, db *sql.DB, id school.ID) {
	var at struct{ completed, changed time.Time }
	is.New(t).NoErr(db.QueryRowContext(t.Context(), `
		SELECT a.last_completed_at, p.updated_at FROM course_attempts a, people p
		WHERE a.school_id = $1 AND p.school_id = $1 LIMIT 1`, id.UUID).Scan(&at.completed, &at.changed))
	instant := func(at time.Time) query.Value { return query.Value{From: at, To: at.Add(time.Millisecond)} }
	after := at.changed.Add(time.Minute)
	word := func(s string) query.Value { return query.Value{Text: s, Fold: text.Fold(s)} }
	number := func(n, of int64) query.Value { return query.Value{Num: big.NewRat(n, of)} }
	for _, tt := range []struct {
		table  string
		attr   query.Attr
		op     query.Op
		value  query.Value
		prefix string // prefix of the names of the indexes that find the rows
		index  string
	}{
		{"people", person.Schema.Attr("first_name"), query.Eq, word("Zebulon"), "people_by", "people_by_first_name"},
		{"people", person.Schema.Attr("first_name"), query.Eq, word("Edsger"), "people_by", "people_by_name"},
		{"people", person.Schema.Attr("last_name"), query.Eq, word("Hopper 8"), "people_by", "people_by_last_name"},
		{"people", person.Schema.Attr("custom_avatar_url"), query.Null, query.Value{}, "people_with", "people_with_avatars"},
		{"people", person.Schema.Attr("unsubscribed"), query.Eq, query.Value{Bool: true}, "people_un", "people_unsubscribed"},
		{"people", person.Schema.Attr("updated_at"), query.Gteq, instant(after), "people_by", "people_by_change"},
		{"people", person.Schema.Attr("activated_at"), query.Gteq, instant(after), "people_by", "people_by_activation"},
		{"people", person.Schema.Attr("registration_status"), query.Eq, word("activated"), "people_by", "people_by_name"},
		{"events", event.Schema.Attr("percentage_watched"), query.Eq, number(7919, 1_000_000), "events_", "events_by_watched"},
		{"events", event.Schema.Attr("occurred_at"), query.Null, query.Value{}, "events_", "events_by_occurrence"},
		{
			"course_analytics", analytics.CourseSchema.Attr("progress"), query.Eq, number(7919, 100),
			"course_attempts_by", "course_attempts_by_progress",
		},
		{
			"course_analytics", analytics.CourseSchema.Attr("last_activity_completed_at"), query.Eq, instant(at.completed),
			"course_attempts_by", "course_attempts_by_completion",
		},
		{"quiz_scores", analytics.ScoreSchema.Attr("questions_completed"), query.Eq, word("1/1"), "quiz_scores_", "quiz_scores_by_time"},
	} {
		t.Run(tt.table+" by "+tt.attr.Name, func(t *testing.T) {
			is := is.New(t)
			q := query.Query{Where: query.Cond{Attr: tt.attr, Op: tt.op, Values: []query.Value{tt.value}}}
			var statement string
			var args []any
			if tt.table == "people" {
				statement, args = postgres.PeopleSQL(q, id)
			} else {
				statement, args = postgres.LearningSQL(tt.table, q, id)
			}
			p := explain(t, db, statement, args, false)
			is.Equal(len(p.large()), 0)
			is.Equal(p.indexes(tt.prefix), []string{tt.index})
		})
	}
}
