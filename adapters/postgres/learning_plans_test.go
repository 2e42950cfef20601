package postgres_test

import (
	"database/sql"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/domain/text"
)

// lessons contains statements that add learning records to the school $1: a quiz, an assignment and
// three activities for each course, 40,000 more enrollments, and one row of each other kind for
// each enrollment.
var lessons = []string{
	`INSERT INTO quizzes (school_id, id, name, name_fold, created_at, updated_at)
	SELECT school_id, gen_random_uuid(), 'Quiz ' || name, 'quiz ' || name_fold, now(), now() FROM courses WHERE school_id = $1`,
	`INSERT INTO quiz_questions (school_id, quiz_id, id, key, number, text, text_fold, choices, correct)
	SELECT school_id, id, gen_random_uuid(), 'why', 1, 'Why?', 'why?', '{a,b}', '{t,f}' FROM quizzes WHERE school_id = $1`,
	`INSERT INTO assignments (school_id, id, title, title_fold, created_at, updated_at)
	SELECT school_id, id, 'Work on ' || name, 'work on ' || name_fold, now(), now() FROM quizzes WHERE school_id = $1`,
	`INSERT INTO activities (school_id, id, course_id, key, position, title, title_fold, kind, quiz_id, assignment_id, seconds, created_at, updated_at)
	SELECT c.school_id, gen_random_uuid(), c.id, k, 1, k || ' ' || c.name, k || ' ' || c.name_fold, k,
		CASE k WHEN 'quiz' THEN z.id END, CASE k WHEN 'assignment' THEN z.id END, 0, now(), now()
	FROM courses c JOIN quizzes z ON z.school_id = c.school_id AND z.name = 'Quiz ' || c.name,
		unnest('{text,quiz,assignment}'::text[]) k WHERE c.school_id = $1`,
	`INSERT INTO enrollments (school_id, id, person_id, course_id, role, created_at, updated_at)
	SELECT p.school_id, gen_random_uuid(), p.id, c.id, 'learner', now() - p.n * interval '1 second', now()
	FROM (SELECT *, row_number() OVER (ORDER BY id) AS n FROM people WHERE school_id = $1 LIMIT 40000) p
	JOIN (SELECT *, row_number() OVER (ORDER BY id) AS n FROM courses WHERE school_id = $1) c ON c.n = 1 + p.n % 2000
	ON CONFLICT DO NOTHING`,
	`INSERT INTO course_attempts (school_id, id, person_id, course_id, number, progress, last_completed_at, started_at)
	SELECT school_id, gen_random_uuid(), person_id, course_id, 1, (row_number() OVER () * 7919) % 10001,
		created_at + row_number() OVER () * interval '1 second', created_at FROM enrollments WHERE school_id = $1`,
	`INSERT INTO course_analytics_rows (school_id, person_id, course_id, attempt_or_none, enrolled_at)
	SELECT school_id, person_id, course_id, id, started_at FROM course_attempts WHERE school_id = $1`,
	`INSERT INTO submissions (school_id, id, assignment_id, activity_id, course_id, person_id, attempt_id,
		file_name, media_type, file_size, created_at)
	SELECT t.school_id, gen_random_uuid(), a.assignment_id, a.id, t.course_id, t.person_id, t.id, 'f', 'text/plain', 0,
		t.started_at - random() * interval '90 days'
	FROM course_attempts t JOIN activities a ON a.school_id = t.school_id AND a.course_id = t.course_id
	WHERE t.school_id = $1 AND a.kind = 'assignment'`,
	`INSERT INTO quiz_attempts (school_id, id, person_id, course_id, attempt_id, course_number, activity_id, quiz_id,
		number, answered, correct, total, last_answered_at, started_at)
	SELECT t.school_id, gen_random_uuid(), t.person_id, t.course_id, t.id, 1, a.id, a.quiz_id, 1, 1, 1, 1,
		t.started_at - random() * interval '90 days', now()
	FROM course_attempts t JOIN activities a ON a.school_id = t.school_id AND a.course_id = t.course_id
	WHERE t.school_id = $1 AND a.kind = 'quiz'`,
	`INSERT INTO quiz_answers (school_id, quiz_attempt_id, question_id, person_id, course_id, course_number, activity_id,
		quiz_id, number, total, response, response_fold, correct, answered_at)
	SELECT r.school_id, r.id, n.id, r.person_id, r.course_id, 1, r.activity_id, r.quiz_id, 1, 1, 'a', 'a', true, r.last_answered_at
	FROM quiz_attempts r JOIN quiz_questions n ON n.school_id = r.school_id AND n.quiz_id = r.quiz_id WHERE r.school_id = $1`,
	`INSERT INTO quiz_scores (school_id, attempt_id, activity_id, person_id, course_id, course_number, quiz_id,
		number, answered, correct, total, last_answered_at)
	SELECT school_id, attempt_id, activity_id, person_id, course_id, 1, quiz_id, 1, 1, 1, 1, last_answered_at
	FROM quiz_attempts WHERE school_id = $1`,
	`INSERT INTO events (school_id, position, kind, person_id, activity_id, watched, created_at)
	SELECT school_id, n, 'learner_viewed_activity_events', person_id, activity_id, (n * 7919) % 1000000, now() + n * interval '1 second'
	FROM (SELECT *, row_number() OVER () AS n FROM quiz_attempts) r WHERE school_id = $1`,
}

func learningPlans(t *testing.T, db *sql.DB, id school.ID) {
	is := is.New(t)
	for _, statement := range lessons {
		inReplica(t, db, statement, id.UUID)
	}
	execute(t, db, `VACUUM ANALYZE`)

	var one struct{ person, course, activity, quiz, assignment uuid.UUID }
	is.NoErr(db.QueryRowContext(t.Context(), `
		SELECT r.person_id, r.course_id, r.activity_id, r.quiz_id, w.assignment_id
		FROM quiz_answers r JOIN activities w ON w.school_id = r.school_id AND w.course_id = r.course_id
		WHERE w.kind = 'assignment' ORDER BY r.answered_at LIMIT 1`,
	).Scan(&one.person, &one.course, &one.activity, &one.quiz, &one.assignment))
	of := map[string]uuid.UUID{
		"person.id": one.person, "course.id": one.course, "activity.id": one.activity, "quiz.id": one.quiz,
		"assignment.id": one.assignment,
	}
	for _, tt := range []struct {
		table, indexed string // indexed is the prefix of the names of the table's indexes
		filter         string // empty: no filter
		index          string
	}{
		{"activities", "activities_", "", "activities_by_title"},
		{"activities", "activities_", "course.id", "activities_by_course"},
		{"quizzes", "quizzes_", "", "quizzes_by_name"},
		{"assignments", "assignments_", "", "assignments_by_title"},
		{"enrollments", "enrollments_", "", "enrollments_by_creation"},
		{"enrollments", "enrollments_", "course.id", "enrollments_by_course"},
		{"enrollments", "enrollments_", "person.id", "enrollments_role_key"},
		{"submissions", "submissions_", "", "submissions_by_creation"},
		{"submissions", "submissions_", "person.id", "submissions_by_person"},
		{"submissions", "submissions_", "course.id", "submissions_by_course"},
		{"submissions", "submissions_", "assignment.id", "submissions_by_assignment"},
		{"events", "events_", "", "events_by_creation"},
		{"events", "events_", "person.id", "events_by_person"},
		{"events", "events_", "activity.id", "events_by_activity"},
		{"course_analytics", "course_analytics_rows_", "", "course_analytics_rows_by_enrollment"},
		{"course_analytics", "course_analytics_rows_", "person.id", "course_analytics_rows_pkey"},
		{"course_analytics", "course_analytics_rows_", "course.id", "course_analytics_rows_by_course"},
		{"quiz_scores", "quiz_scores_", "", "quiz_scores_by_time"},
		{"quiz_scores", "quiz_scores_", "person.id", "quiz_scores_by_person"},
		{"quiz_scores", "quiz_scores_", "course.id", "quiz_scores_by_course"},
		{"quiz_scores", "quiz_scores_", "quiz.id", "quiz_scores_by_quiz"},
		{"quiz_scores", "quiz_scores_", "activity.id", "quiz_scores_by_activity"},
		{"quiz_answers", "quiz_answers_", "", "quiz_answers_by_time"},
		{"quiz_answers", "quiz_answers_", "person.id", "quiz_answers_by_person"},
		{"quiz_answers", "quiz_answers_", "course.id", "quiz_answers_by_course"},
		{"quiz_answers", "quiz_answers_", "quiz.id", "quiz_answers_by_quiz"},
		{"quiz_answers", "quiz_answers_", "activity.id", "quiz_answers_by_activity"},
	} {
		name := strings.TrimSpace("page 1 of " + tt.table + " " + tt.filter)
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			var q query.Query
			if tt.filter != "" {
				q.Where = query.Cond{
					Attr: query.Attr{Name: tt.filter, Source: tt.filter, Kind: query.UUID},
					Op:   query.Eq, Values: []query.Value{{ID: of[tt.filter]}},
				}
			}
			statement, args := postgres.LearningSQL(tt.table, q, id)
			p := explain(t, db, statement, args, true)
			is.Equal(len(p.large()), 0)
			is.Equal(p.indexes(tt.indexed), []string{tt.index})
		})
	}
	t.Run("a page of the enrollments of a course is a range of each index", func(t *testing.T) {
		is := is.New(t)
		statement, args := postgres.LearningSQL("enrollments", query.Query{Where: query.Cond{
			Attr: query.Attr{Name: "course.id", Source: "course.id", Kind: query.UUID},
			Op:   query.Eq, Values: []query.Value{{ID: one.course}},
		}}, id)
		p := explain(t, db, statement, args, true)
		sorted := slices.ContainsFunc(p.nodes(), func(node string) bool { return strings.HasSuffix(node, "Sort") })
		is.True(!sorted)
		is.True(slices.Contains(p.nodes(), "Index Only Scan")) // the index of the enrollments has all columns
		is.Equal(p.indexes("course_attempts_"), []string{"course_attempts_number_key"})
		attempts := explain(t, db, `SELECT id FROM course_attempts WHERE school_id = $1 AND course_id = $2`, []any{id.UUID, one.course}, true)
		is.Equal(attempts.indexes("course_attempts_"), []string{"course_attempts_number_key"}) // the attempts of a course are adjacent in the index
	})
	learningSearches(t, db, id)
	ledByMany(t, db, id)
	rareValues(t, db, id)
}

// A search finds frequent words by reading the first rows of the list in its order. It finds rare
// words by starting from the tables that contain them.
func learningSearches(t *testing.T, db *sql.DB, id school.ID) {
	// Many people share one of these names, and all of them started long ago. Almost no person has
	// both names.
	execute(t, db, `
		UPDATE people p SET full_name_fold = (CASE WHEN k.n % 29 = 0 THEN 'quentin ' ELSE 'x ' END) ||
			(CASE WHEN k.n % 31 = 0 THEN 'valdez' ELSE 'y' END)
		FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM people WHERE school_id = '`+id.String()+`' LIMIT 40000) k
		WHERE p.school_id = '`+id.String()+`' AND p.id = k.id AND k.n > 4000 AND (k.n % 29 = 0 OR k.n % 31 = 0)`, `ANALYZE people`)
	for _, tt := range []struct {
		table, indexed, person, word string
		indexes                      []string
	}{
		{"quiz_answers", "quiz_answers_", "person_name", "Zephyr", []string{"quiz_answers_by_person", "quiz_answers_by_time"}},
		{"quiz_answers", "quiz_answers_", "person_name", "a", []string{"quiz_answers_by_time"}},
		{"quiz_scores", "quiz_scores_", "person_email", "@zephyr", []string{"quiz_scores_by_person", "quiz_scores_by_time"}},
		{"quiz_scores", "quiz_scores_", "person_email", "ma", []string{"quiz_scores_by_time"}},
		{"submissions", "submissions_", "person_name", "Zephyr", []string{"submissions_by_creation", "submissions_by_person"}},
		{"submissions", "submissions_", "person_name", "Ada", []string{"submissions_by_creation"}},
		{"course_analytics", "course_analytics_rows_", "person_name", "Zephyr", []string{"course_analytics_rows_by_enrollment", "course_analytics_rows_pkey"}},
		{"course_analytics", "course_analytics_rows_", "person_name", "Ada", []string{"course_analytics_rows_by_enrollment"}},
		{"course_analytics", "course_analytics_rows_", "person_name", "Ada Hopper course", []string{"course_analytics_rows_by_enrollment"}},
		{
			"course_analytics", "course_analytics_rows_", "person_name", "Grace Zephyrine",
			[]string{"course_analytics_rows_by_enrollment", "course_analytics_rows_pkey"},
		},
		{
			"course_analytics", "course_analytics_rows_", "person_name", "Quentin Valdez",
			[]string{"course_analytics_rows_by_enrollment", "course_analytics_rows_pkey"},
		},
		{"quiz_answers", "quiz_answers_", "person_name", "Quentin Valdez", []string{"quiz_answers_by_person", "quiz_answers_by_time"}},
		{"quiz_scores", "quiz_scores_", "person_name", "Quentin Valdez", []string{"quiz_scores_by_person", "quiz_scores_by_time"}},
		// No person has this name, so nothing is looked up.
		{"course_analytics", "course_analytics_rows_", "person_name", "Ada Zephyrine", []string{"course_analytics_rows_by_enrollment"}},
		{"quiz_scores", "quiz_scores_", "person_name", "Grace Hopper course", []string{"quiz_scores_by_time"}},
	} {
		t.Run(tt.table+" with "+tt.word, func(t *testing.T) {
			is := is.New(t)
			statement, args := postgres.LearningSQL(tt.table, searched(tt.word, tt.person, "course_name"), id)
			p := explain(t, db, statement, args, false)
			run := p.ran()
			is.Equal(len(run.large()), 0)
			is.Equal(run.indexes(tt.indexed), tt.indexes)
			run.walk(func(n plan) {
				is.True(!strings.HasSuffix(n.Node, "Seq Scan") || n.Loops == 1) // no table is read more than once
			})
		})
	}
}

// If a word matches very many people, the statement uses a different plan. It must find as many
// rows as a simple statement.
func ledByMany(t *testing.T, db *sql.DB, id school.ID) {
	for _, tt := range []string{"@mail.example.test 1999", "@mail.example.test valdez quentin", "@mail.example.test zephyrine"} {
		t.Run(tt, func(t *testing.T) {
			is := is.New(t)
			naive := `SELECT least(count(*), 26) FROM course_analytics r
				JOIN people p ON p.school_id = r.school_id AND p.id = r.person_id
				JOIN courses c ON c.school_id = r.school_id AND c.id = r.course_id WHERE r.school_id = '` + id.String() + `'`
			for _, word := range strings.Fields(tt) {
				naive += ` AND concat_ws(' ', p.full_name_fold, p.email_fold, c.name_fold) LIKE '%` + word + `%'`
			}
			statement, args := postgres.LearningSQL("course_analytics", searched(tt, "person_name", "person_email", "course_name"), id)
			is.Equal(count(t, db, `SELECT count(*) FROM (`+statement+`) r`, args...), count(t, db, naive))
		})
	}
}

// searched returns a query with the condition that each of words is in one of the columns.
func searched(words string, columns ...string) query.Query {
	var all query.And
	for _, word := range strings.Fields(words) {
		var either query.Or
		for _, name := range columns {
			either = append(either, query.Cond{
				Attr: query.Attr{Name: name, Source: name, Kind: query.Text},
				Op:   query.Cont, Values: []query.Value{{Text: word, Fold: text.Fold(word)}},
			})
		}
		all = append(all, either)
	}
	return query.Query{Where: all}
}

// large returns the tables that are read completely, except tables with 2,000 rows, because reading
// such a table costs as much as looking up the rows of a page.
func (p plan) large() []string {
	return slices.DeleteFunc(p.scanned(), func(table string) bool {
		return slices.Contains([]string{"quizzes", "courses", "all_courses", "assignments", "quiz_questions"}, table)
	})
}
