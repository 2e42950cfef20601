package postgres

import (
	"cmp"
	"context"
	"database/sql/driver"
	"fmt"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/quiz"
	"lyceum/domain/text"
)

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
	ON CONFLICT (school_id, quiz_id, id) DO UPDATE SET number = excluded.number, text = excluded.text,
		text_fold = excluded.text_fold, choices = excluded.choices, correct = excluded.correct,
		archived = excluded.archived
	WHERE (o.number, o.text, o.choices, o.correct)
		<> (excluded.number, excluded.text, excluded.choices, excluded.correct)`

// saveQuestions inserts or updates the questions of s and deletes the other questions of the quiz.
func (c *session) saveQuestions(ctx context.Context, s quiz.State) error {
	all := numberedQuestions(s)
	ids := make([]quiz.QuestionID, len(all))
	for i, q := range all {
		ids[i] = q.ID
	}
	if err := c.write(ctx, deleteQuestions, c.SchoolID, s.ID.UUID, idArray(ids)); err != nil {
		return err
	}
	return c.write(ctx, saveQuestions, questionTable.arrays(c.SchoolID, all)...)
}
