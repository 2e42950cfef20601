package postgres_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/domain/analytics"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/domain/submission"
)

// The cost of a search is proportional to the number of its words: each word is bound once, and the
// twentieth word adds only as many comparisons as the tenth.
func TestSearchStatementGrowsLinearly(t *testing.T) {
	build := func(words int) map[string]query.Query {
		var search []string
		for i := range words {
			search = append(search, fmt.Sprintf("word%02d", i))
		}
		r := query.Request{Search: strings.Join(search, " ")}
		queries := map[string]query.Query{}
		for table, build := range map[string]func(query.Request) (query.Query, error){
			"course_analytics": func(r query.Request) (query.Query, error) { return query.Build(analytics.CourseSchema, r) },
			"quiz_scores":      func(r query.Request) (query.Query, error) { return query.Build(analytics.ScoreSchema, r) },
			"quiz_answers":     func(r query.Request) (query.Query, error) { return query.Build(analytics.AnswerSchema, r) },
			"submissions":      func(r query.Request) (query.Query, error) { return query.Build(submission.Schema, r) },
		} {
			q, err := build(r)
			if err != nil {
				t.Fatal(err)
			}
			queries[table] = q
		}
		return queries
	}
	size := func(table string, words int) (args, comparisons int) {
		text, values := postgres.LearningSQL(table, build(words)[table], school.ID{UUID: uuid.New()})
		return len(values), strings.Count(text, " LIKE ")
	}
	for table := range build(1) {
		t.Run(table, func(t *testing.T) {
			is := is.New(t)
			args5, comparisons5 := size(table, 5)
			args10, comparisons10 := size(table, 10)
			args20, comparisons20 := size(table, 20)
			is.Equal(args10-args5, 5)
			is.Equal(args20-args10, 10)
			is.Equal(comparisons20-comparisons10, 2*(comparisons10-comparisons5))
			is.True(comparisons20 <= 2*20*5+200) // each word is compared with five fields in two places; the most selective word needs more comparisons
		})
	}
}

// The text of a ratio is computed once for each row, however many values it is compared with: it consists
// of subqueries.
func TestValuesOfARatioAddNoSubqueries(t *testing.T) {
	is := is.New(t)
	for _, op := range []query.Op{query.Eq, query.NotEq, query.Cont, query.NotCont, query.Start, query.End, query.Lt, query.Gteq} {
		text := func(values int) string {
			c := query.Cond{Attr: analytics.AnswerSchema.Attr("question_number"), Op: op}
			for i := range values {
				number := fmt.Sprintf("%d/9", i)
				c.Values = append(c.Values, query.Value{Text: number, Fold: number})
			}
			text, _ := postgres.LearningSQL("quiz_answers", query.Query{Page: query.AllRows(), Where: c}, school.ID{UUID: uuid.New()})
			return text
		}
		is.Equal(text(500), text(2))
	}
}

// The values true and false are all that a filter for null can have, however often they are repeated.
func TestRepeatedValuesOfNullAddNothing(t *testing.T) {
	is := is.New(t)
	text := func(values ...query.Value) string {
		q := query.Query{Page: query.AllRows(), Where: query.Cond{Attr: analytics.AnswerSchema.Attr("activity_title"), Op: query.Null, Values: values}}
		text, _ := postgres.LearningSQL("quiz_answers", q, school.ID{UUID: uuid.New()})
		return text
	}
	both := []query.Value{{Bool: true}, {Bool: false}}
	is.Equal(text(slices.Repeat(both, 500)...), text(both...))
	is.True(len(text(both...)) > len(text(both[0])))
}
