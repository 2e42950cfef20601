package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

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
		return quiz.Question{}, pgdb.Corrupt("quiz_questions", r.ID, fmt.Errorf("%d choices, %d marks", len(r.Choices), len(r.Correct)))
	}
	q := quiz.Question{ID: quiz.QuestionID{UUID: r.ID}, Key: r.Key, Text: r.Text}
	for i, words := range r.Choices {
		q.Choices = append(q.Choices, quiz.Choice{Text: words, Correct: r.Correct[i]})
	}
	return q, nil
}

const (
	loadQuizzes = `SELECT id, name, created_at, updated_at FROM quizzes
		WHERE school_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id`
	questionsOf = `SELECT id, quiz_id, key, text, choices, correct, archived FROM quiz_questions
		WHERE school_id = $1 AND quiz_id = ANY ($2::uuid[]) ORDER BY quiz_id, number, key`
	dropQuestions = `DELETE FROM quiz_questions WHERE school_id = $1 AND quiz_id = $2 AND id <> ALL ($3::uuid[])`
	// An array of arrays cannot be ragged, so the choices come as JSON.
	keepQuestions = `
		INSERT INTO quiz_questions AS o (school_id, quiz_id, id, key, number, text, text_fold, choices, correct, archived)
		SELECT $1, $2, q.id, q.key, q.number, q.text, q.fold, ARRAY (SELECT jsonb_array_elements_text(q.choices)),
			ARRAY (SELECT jsonb_array_elements(q.correct)::boolean), q.number = 0
		FROM unnest($3::uuid[], $4::text[], $5::integer[], $6::text[], $7::text[], $8::jsonb[], $9::jsonb[])
			q (id, key, number, text, fold, choices, correct)
		ON CONFLICT (school_id, quiz_id, id) DO UPDATE SET number = excluded.number, text = excluded.text,
			text_fold = excluded.text_fold, choices = excluded.choices, correct = excluded.correct,
			archived = excluded.archived
		WHERE (o.number, o.text, o.choices, o.correct)
			<> (excluded.number, excluded.text, excluded.choices, excluded.correct)`
)

// Load returns the quizzes ids with their questions and locks them against
// removal and change.
func (c quizRepo) Load(ctx context.Context, ids []quiz.ID) (map[quiz.ID]quiz.Quiz, error) {
	states, err := c.quizzes(ctx, loadQuizzes+` FOR KEY SHARE`, ids)
	if err != nil {
		return nil, err
	}
	found := make(map[quiz.ID]quiz.Quiz, len(states))
	for id, s := range states {
		found[id] = quiz.Restore(s)
	}
	return found, nil
}

// quizzes returns the quizzes ids, which the statement reads, with their
// questions. Those change with their quiz alone, so it is enough to lock the
// quizzes, and to read the questions afterwards.
func (c *session) quizzes(ctx context.Context, statement string, ids []quiz.ID) (map[quiz.ID]quiz.State, error) {
	var rows []quizRow
	if err := c.SelectRows(ctx, &rows, statement, c.SchoolID, pq.Array(pgdb.IDStrings(ids))); err != nil {
		return nil, err
	}
	found := make(map[quiz.ID]quiz.State, len(rows))
	for _, r := range rows {
		id := quiz.ID{UUID: r.ID}
		found[id] = quiz.State{ID: id, Name: r.Name, CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC()}
	}
	var questions []questionRow
	if err := c.SelectRows(ctx, &questions, questionsOf, c.SchoolID, pq.Array(pgdb.IDStrings(ids))); err != nil {
		return nil, err
	}
	for _, r := range questions {
		q, err := r.question()
		if err != nil {
			return nil, err
		}
		id := quiz.ID{UUID: r.Quiz}
		s := found[id]
		if r.Archived {
			s.Archived = append(s.Archived, q)
		} else {
			s.Questions = append(s.Questions, q)
		}
		found[id] = s
	}
	return found, nil
}

// keepQuestions keeps the questions of a quiz and forgets others.
func (c *session) keepQuestions(ctx context.Context, s quiz.State) error {
	n := len(s.Questions)
	all := slices.Concat(s.Questions, s.Archived)
	ids, keys, numbers := make([]string, len(all)), make([]string, len(all)), make([]int64, len(all))
	texts, folds := make([]string, len(all)), make([]string, len(all))
	choices, correct := make([]string, len(all)), make([]string, len(all))
	for i, q := range all {
		words, marks := make([]string, len(q.Choices)), make([]bool, len(q.Choices))
		for k, choice := range q.Choices {
			words[k], marks[k] = choice.Text, choice.Correct
		}
		ids[i], keys[i], texts[i], folds[i] = q.ID.String(), q.Key, q.Text, text.Fold(q.Text)
		choices[i], correct[i] = array(words), array(marks)
		if i < n {
			numbers[i] = int64(i + 1)
		}
	}
	if _, err := c.Exec(ctx, dropQuestions, c.SchoolID, s.ID.UUID, pq.Array(ids)); err != nil {
		return err
	}
	_, err := c.Exec(ctx, keepQuestions, c.SchoolID, s.ID.UUID, pq.Array(ids), pq.Array(keys), pq.Array(numbers),
		pq.Array(texts), pq.Array(folds), pq.Array(choices), pq.Array(correct))
	return err
}

// array writes texts or booleans, which never fails, as a JSON array.
func array[T string | bool](values []T) string {
	written, _ := json.Marshal(values)
	return string(written)
}
