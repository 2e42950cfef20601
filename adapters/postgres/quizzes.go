package postgres

import (
	"cmp"
	"context"
	"database/sql/driver"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/activity"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
	"lyceum/domain/text"
	"lyceum/ports"
)

var _ ports.QuizRepo = quizRepo{}

type quizRow struct {
	ID         uuid.UUID    `db:"id"`
	Name       string       `db:"name"`
	Activities pgdb.IDArray `db:"activities"`
	CreatedAt  time.Time    `db:"created_at"`
	UpdatedAt  time.Time    `db:"updated_at"`
}

func (r quizRow) summary() (quiz.Summary, error) {
	return quiz.Summary{
		ID: quiz.ID{UUID: r.ID}, Name: r.Name, CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
		Activities: idsOf[activity.ID](r.Activities),
	}, nil
}

var quizList = listsql.New(listsql.Definition{
	Table: "quizzes",
	Columns: `r.id, r.name, r.created_at, r.updated_at, ARRAY (SELECT a.id FROM activities a
		WHERE a.school_id = r.school_id AND a.quiz_id = r.id
			AND ` + listsql.NotInRemoval("a.course_id", listsql.CoursesInRemoval) + ` ORDER BY a.id) AS activities`,
	Attrs: map[string]listsql.Column{
		"uuid":       {Expr: "r.id"},
		"name":       listsql.TextColumn("name"),
		"created_at": {Expr: "r.created_at"},
		"activities.id": {
			Expr: "k.id",
			From: "activities k WHERE k.school_id = r.school_id AND k.quiz_id = r.id AND " + listsql.NotInRemoval("k.course_id", listsql.CoursesInRemoval),
		},
	},
	Sort: quiz.Schema.Default(),
}, quizRow.summary)

type quizReader struct {
	reader[quiz.ID, quizRow, quiz.Summary]
}

// WithQuestions implements ports.QuizReader.
func (r quizReader) WithQuestions(ctx context.Context, id quiz.ID) (quiz.State, error) {
	found, err := r.session.quizzes(ctx, getQuizzes, []quiz.ID{id})
	if err != nil {
		return quiz.State{}, err
	}
	if found[id].ID != id {
		return quiz.State{}, fault.RecordNotFound()
	}
	return found[id], nil
}

var quizTable = newTable("quizzes", []column[quiz.State]{
	{"id", "uuid", func(s quiz.State) any { return s.ID.UUID }},
	{"name", "text", func(s quiz.State) any { return s.Name }},
	{"name_fold", "text", func(s quiz.State) any { return text.Fold(s.Name) }},
	{"created_at", "timestamptz", func(s quiz.State) any { return s.CreatedAt }},
	{"updated_at", "timestamptz", func(s quiz.State) any { return s.UpdatedAt }},
})

type quizRepo struct{ quizReader }

const getQuizzes = `SELECT id, name, created_at, updated_at FROM quizzes
	WHERE school_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id`

// GetManyForShare implements ports.QuizRepo.
func (r quizRepo) GetManyForShare(ctx context.Context, ids []quiz.ID) (map[quiz.ID]quiz.Quiz, error) {
	states, err := r.session.quizzes(ctx, getQuizzes+` FOR KEY SHARE`, ids)
	if err != nil {
		return nil, err
	}
	found := make(map[quiz.ID]quiz.Quiz, len(states))
	for id, s := range states {
		found[id] = quiz.Restore(s)
	}
	return found, nil
}

// quizzes returns the quizzes with the given ids and their questions. statement reads the quizzes
// and may lock them. Locking the quizzes before the questions are read is enough, because questions
// change only together with their quiz.
func (s *session) quizzes(ctx context.Context, statement string, ids []quiz.ID) (map[quiz.ID]quiz.State, error) {
	convert := func(r quizRow) (quiz.State, error) {
		return quiz.State{ID: quiz.ID{UUID: r.ID}, Name: r.Name, CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC()}, nil
	}
	key := func(q quiz.State) quiz.ID { return q.ID }
	found, err := getMap(ctx, s, 0, convert, key, statement, s.SchoolID, idArray(ids))
	if err != nil {
		return nil, err
	}
	var questions []questionRow
	if err := s.SelectRows(ctx, &questions, questionsOf, s.SchoolID, idArray(ids)); err != nil {
		return nil, err
	}
	for _, r := range questions {
		id := quiz.ID{UUID: r.Quiz}
		q := found[id]
		if err := r.addTo(&q); err != nil {
			return nil, err
		}
		found[id] = q
	}
	return found, nil
}

type questionRow struct {
	ID      uuid.UUID      `db:"id"`
	Quiz    uuid.UUID      `db:"quiz_id"`
	Key     string         `db:"key"`
	Text    string         `db:"text"`
	Choices pq.StringArray `db:"choices"`
	Correct pq.BoolArray   `db:"correct"`

	Archived bool `db:"archived"`
}

func (r questionRow) question() (quiz.Question, error) {
	if len(r.Choices) != len(r.Correct) {
		return quiz.Question{}, pgdb.Corrupt("quiz_questions", r.ID, fmt.Errorf("%d choices, but %d values of correct", len(r.Choices), len(r.Correct)))
	}
	q := quiz.Question{ID: quiz.QuestionID{UUID: r.ID}, Key: r.Key, Text: r.Text}
	for i, words := range r.Choices {
		q.Choices = append(q.Choices, quiz.Choice{Text: words, Correct: r.Correct[i]})
	}
	return q, nil
}

// addTo adds the question to s, the state of its quiz.
func (r questionRow) addTo(s *quiz.State) error {
	q, err := r.question()
	if r.Archived {
		s.Archived = append(s.Archived, q)
	} else {
		s.Questions = append(s.Questions, q)
	}
	return err
}

// A numberedQuestion is a question of a quiz with its number, or with 0 if it is archived.
type numberedQuestion struct {
	quiz.Question
	quiz   quiz.ID
	number int
}

func (q numberedQuestion) choices() (texts []string, correct []bool) {
	for _, c := range q.Choices {
		texts, correct = append(texts, c.Text), append(correct, c.Correct)
	}
	return texts, correct
}

// numberedQuestions returns all questions of a quiz.
func numberedQuestions(s quiz.State) []numberedQuestion {
	var all []numberedQuestion
	for i, q := range s.Questions {
		all = append(all, numberedQuestion{q, s.ID, i + 1})
	}
	for _, q := range s.Archived {
		all = append(all, numberedQuestion{q, s.ID, 0})
	}
	return all
}

var questionTable = newTable("quiz_questions", []column[numberedQuestion]{
	{"id", "uuid", func(q numberedQuestion) any { return q.ID.UUID }},
	{"quiz_id", "uuid", func(q numberedQuestion) any { return q.quiz.UUID }},
	{"key", "text", func(q numberedQuestion) any { return q.Key }},
	{"number", "integer", func(q numberedQuestion) any { return q.number }},
	{"text", "text", func(q numberedQuestion) any { return q.Text }},
	{"text_fold", "text", func(q numberedQuestion) any { return text.Fold(q.Text) }},
	{"archived", "boolean", func(q numberedQuestion) any { return q.number == 0 }},
	// In SQL, all elements of an array of arrays must have the same length. Therefore the array of
	// each question is written as text.
	{"choices", "text", func(q numberedQuestion) any { texts, _ := q.choices(); return arrayText(pq.StringArray(texts)) }},
	{"correct", "text", func(q numberedQuestion) any { _, correct := q.choices(); return arrayText(pq.BoolArray(correct)) }},
})

// arrayText returns the text form of an array.
func arrayText(array driver.Valuer) string {
	v, _ := array.Value() // never fails for texts and booleans
	s, _ := v.(string)    // v is nil for a nil slice; s is then empty
	return cmp.Or(s, "{}")
}

const (
	questionsOf = `SELECT id, quiz_id, key, text, choices, correct, archived FROM quiz_questions
		WHERE school_id = $1 AND quiz_id = ANY ($2::uuid[]) ORDER BY quiz_id, number, key`
	deleteQuestions = `DELETE FROM quiz_questions WHERE school_id = $1 AND quiz_id = $2 AND id <> ALL ($3::uuid[])`
)

var saveQuestions = `
	INSERT INTO quiz_questions AS o (` + questionTable.names() + `)
	SELECT $1, n.id, n.quiz_id, n.key, n.number, n.text, n.text_fold, n.archived, n.choices::text[], n.correct::boolean[]
	FROM ` + questionTable.unnested(2) + `
	ON CONFLICT (school_id, quiz_id, id) DO UPDATE SET number = excluded.number,
		text = ` + kept("o.text", "excluded.text", "") + `, text_fold = ` + kept("o.text_fold", "excluded.text_fold", "") + `,
		choices = ` + kept("o.choices", "excluded.choices", "") + `, correct = excluded.correct,
		archived = excluded.archived
	WHERE (o.number, o.text, o.choices, o.correct)
		<> (excluded.number, excluded.text, excluded.choices, excluded.correct)`

// saveQuestions inserts or updates the questions of s and deletes the other questions of the quiz.
func (s *session) saveQuestions(ctx context.Context, q quiz.State) error {
	all := numberedQuestions(q)
	ids := make([]quiz.QuestionID, len(all))
	for i, q := range all {
		ids[i] = q.ID
	}
	if err := s.write(ctx, deleteQuestions, s.SchoolID, q.ID.UUID, idArray(ids)); err != nil {
		return err
	}
	return s.write(ctx, saveQuestions, questionTable.arrays(s.SchoolID, all)...)
}
