package postgres

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/domain/quiz"
	"lyceum/domain/text"
)

type questionRow struct {
	ID      uuid.UUID      `db:"id"`
	Quiz    uuid.UUID      `db:"quiz_id"`
	Text    string         `db:"text"`
	Choices pq.StringArray `db:"choices"`
	Correct pq.BoolArray   `db:"correct"`
}

func (r questionRow) question() (quiz.Question, error) {
	if len(r.Choices) != len(r.Correct) {
		return quiz.Question{}, corrupt("quiz_questions", r.ID, fmt.Errorf("%d choices, %d marks", len(r.Choices), len(r.Correct)))
	}
	q := quiz.Question{ID: quiz.QuestionID{UUID: r.ID}, Text: r.Text}
	for i, words := range r.Choices {
		q.Choices = append(q.Choices, quiz.Choice{Text: words, Correct: r.Correct[i]})
	}
	return q, nil
}

const (
	loadQuizzes = `SELECT id, name, created_at, updated_at FROM quizzes
		WHERE school_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR KEY SHARE`
	questionsOf = `SELECT id, quiz_id, text, choices, correct FROM quiz_questions
		WHERE school_id = $1 AND quiz_id = ANY ($2::uuid[]) ORDER BY quiz_id, number`
	// An array of arrays cannot be ragged, so the choices come as JSON.
	addQuestions = `
		INSERT INTO quiz_questions (school_id, quiz_id, id, number, text, text_fold, choices, correct)
		SELECT $1, $2, q.id, q.number, q.text, q.fold, ARRAY (SELECT jsonb_array_elements_text(q.choices)),
			ARRAY (SELECT jsonb_array_elements(q.correct)::boolean)
		FROM unnest($3::uuid[], $4::text[], $5::text[], $6::jsonb[], $7::jsonb[])
			WITH ORDINALITY q (id, text, fold, choices, correct, number)`
)

// Load returns the quizzes ids with their questions and locks them against
// removal. Questions never change, so it is enough to lock the quizzes.
func (c quizRepo) Load(ctx context.Context, ids []quiz.ID) (map[quiz.ID]quiz.Quiz, error) {
	var rows []quizRow
	if err := c.all(ctx, &rows, loadQuizzes, c.school, pq.Array(idStrings(ids))); err != nil {
		return nil, err
	}
	var questions []questionRow
	if err := c.all(ctx, &questions, questionsOf, c.school, pq.Array(idStrings(ids))); err != nil {
		return nil, err
	}
	byQuiz := map[uuid.UUID][]quiz.Question{}
	for _, r := range questions {
		q, err := r.question()
		if err != nil {
			return nil, err
		}
		byQuiz[r.Quiz] = append(byQuiz[r.Quiz], q)
	}
	found := make(map[quiz.ID]quiz.Quiz, len(rows))
	for _, r := range rows {
		id := quiz.ID{UUID: r.ID}
		found[id] = quiz.Restore(quiz.State{
			ID: id, Name: r.Name, Questions: byQuiz[r.ID], CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
		})
	}
	return found, nil
}

func (c quizRepo) addQuestions(ctx context.Context, s quiz.State) error {
	n := len(s.Questions)
	ids, texts, folds := make([]string, n), make([]string, n), make([]string, n)
	choices, correct := make([]string, n), make([]string, n)
	for i, q := range s.Questions {
		words, marks := make([]string, len(q.Choices)), make([]bool, len(q.Choices))
		for k, choice := range q.Choices {
			words[k], marks[k] = choice.Text, choice.Correct
		}
		ids[i], texts[i], folds[i] = q.ID.String(), q.Text, text.Fold(q.Text)
		choices[i], correct[i] = array(words), array(marks)
	}
	_, err := c.exec(ctx, addQuestions, c.school, s.ID.UUID, pq.Array(ids), pq.Array(texts), pq.Array(folds),
		pq.Array(choices), pq.Array(correct))
	return err
}

// array writes texts or booleans, which never fails, as a JSON array.
func array[T string | bool](values []T) string {
	written, _ := json.Marshal(values)
	return string(written)
}
