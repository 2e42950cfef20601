package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
)

type quizAttemptRow struct {
	ID             uuid.UUID `db:"id"`
	Person         uuid.UUID `db:"person_id"`
	Course         uuid.UUID `db:"course_id"`
	Attempt        uuid.UUID `db:"attempt_id"`
	CourseNumber   int       `db:"course_number"`
	Activity       uuid.UUID `db:"activity_id"`
	Quiz           uuid.UUID `db:"quiz_id"`
	Number         int       `db:"number"`
	Answered       int       `db:"answered"`
	Correct        int       `db:"correct"`
	Total          int       `db:"total"`
	LastAnsweredAt time.Time `db:"last_answered_at"`
	StartedAt      time.Time `db:"started_at"`
}

func (r quizAttemptRow) state(answers []quizattempt.Answer) quizattempt.State {
	return quizattempt.State{
		ID: quizattempt.ID{UUID: r.ID}, Person: person.ID{UUID: r.Person}, Course: course.ID{UUID: r.Course},
		CourseAttempt: attempt.ID{UUID: r.Attempt}, CourseNumber: r.CourseNumber,
		Activity: activity.ID{UUID: r.Activity}, Quiz: quiz.ID{UUID: r.Quiz}, Number: r.Number, Answers: answers,
		Score: quizattempt.Score{
			Answered: r.Answered, Correct: r.Correct, Total: r.Total, LastAnsweredAt: r.LastAnsweredAt.UTC(),
		},
		StartedAt: r.StartedAt.UTC(),
	}
}

type quizAnswerRow struct {
	Attempt    uuid.UUID `db:"quiz_attempt_id"`
	Question   uuid.UUID `db:"question_id"`
	Number     int       `db:"number"`
	Total      int       `db:"total"`
	Response   string    `db:"response"`
	Correct    bool      `db:"correct"`
	AnsweredAt time.Time `db:"answered_at"`
}

func (r quizAnswerRow) answer() quizattempt.Answer {
	return quizattempt.Answer{
		Question: quiz.QuestionID{UUID: r.Question}, Position: quiz.Position{Number: r.Number, Total: r.Total},
		Response: r.Response, Correct: r.Correct, At: r.AnsweredAt.UTC(),
	}
}

const (
	quizAttemptColumns = `id, person_id, course_id, attempt_id, course_number, activity_id, quiz_id, number,
		answered, correct, total, last_answered_at, started_at`

	latestQuizAttempt = `SELECT ` + quizAttemptColumns + ` FROM quiz_attempts
		WHERE school_id = $1 AND attempt_id = $2 AND activity_id = $3 ORDER BY number DESC LIMIT 1`
)

var answersOf = `SELECT r.* FROM ` + pgdb.ByKey("quiz_answers",
	"r.quiz_attempt_id, r.question_id, r.number, r.total, r.response, r.correct, r.answered_at",
	"quiz_attempt_id", "$2::uuid[]", "OFFSET 0") + ` ORDER BY r.quiz_attempt_id, r.number, r.question_id`

// restore returns the quiz attempts of rows with their answers, in the order of
// the rows.
func (c *session) restore(ctx context.Context, rows []quizAttemptRow) ([]quizattempt.Attempt, error) {
	ids := make([]uuid.UUID, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	var answers []quizAnswerRow
	if err := c.AllKeyed(ctx, len(ids), &answers, answersOf, c.SchoolID, pq.Array(pgdb.IDStrings(ids))); err != nil {
		return nil, err
	}
	byAttempt := map[uuid.UUID][]quizattempt.Answer{}
	for _, r := range answers {
		byAttempt[r.Attempt] = append(byAttempt[r.Attempt], r.answer())
	}
	found := make([]quizattempt.Attempt, len(rows))
	for i, r := range rows {
		found[i] = quizattempt.Restore(r.state(byAttempt[r.ID]))
	}
	return found, nil
}
