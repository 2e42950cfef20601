package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/learnerlists"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/domain/text"
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
		CourseAttempt: attempt.ID{UUID: r.Attempt}, CourseAttemptNumber: r.CourseNumber,
		Activity: activity.ID{UUID: r.Activity}, Quiz: quiz.ID{UUID: r.Quiz}, Number: r.Number, Answers: answers,
		Score: quizattempt.Score{
			Answered: r.Answered, Correct: r.Correct, Total: r.Total, LastAnsweredAt: r.LastAnsweredAt.UTC(),
		},
		StartedAt: r.StartedAt.UTC(),
	}
}

func (r quizAttemptRow) listed() (analytics.QuizAttempt, error) {
	return analytics.NewQuizAttempt(r.state(nil)), nil
}

var quizAttemptColumns = listsql.RowColumns[quizAttemptRow]()

var latestQuizAttempt = `SELECT ` + quizAttemptColumns + ` FROM quiz_attempts r
	WHERE r.school_id = $1 AND r.attempt_id = $2 AND r.activity_id = $3 ORDER BY r.number DESC LIMIT 1`

var quizAttemptList = listsql.New(listsql.Definition{
	Table:   "quiz_attempts",
	Columns: quizAttemptColumns,
	Joins:   []*listsql.Join{learnerlists.JoinPerson, learnerlists.JoinCourse, learnerlists.JoinQuiz, learnerlists.JoinActivity},
	Attrs: learnerlists.Columns(learnerlists.LearnerAttrs, learnerlists.ActivityAttrs, learnerlists.QuizAttrs, learnerlists.QuizAttemptAttrs, map[string]listsql.Column{
		"uuid":              {Expr: "r.id"},
		"created_at":        {Expr: "r.started_at"},
		"updated_at":        {Expr: "r.last_answered_at"},
		"number":            {Expr: "r.number"},
		"course_attempt.id": {Expr: "r.attempt_id"},
	}),
	Sort:    analytics.QuizAttemptSchema.Default(),
	Removal: listsql.HideRemovedCourses,
}, quizAttemptRow.listed)

type quizAttemptReader struct {
	lister[quizAttemptRow, analytics.QuizAttempt]
}

// Latest implements ports.QuizAttempts.
func (r quizAttemptReader) Latest(ctx context.Context, in attempt.ID, of activity.ID) (quizattempt.Attempt, error) {
	return r.session.latestQuizAttempt(ctx, in, of)
}

var quizAttemptTable = newTable("quiz_attempts", []column[quizattempt.State]{
	{"id", "uuid", func(s quizattempt.State) any { return s.ID.UUID }},
	{"person_id", "uuid", func(s quizattempt.State) any { return s.Person.UUID }},
	{"course_id", "uuid", func(s quizattempt.State) any { return s.Course.UUID }},
	{"attempt_id", "uuid", func(s quizattempt.State) any { return s.CourseAttempt.UUID }},
	{"course_number", "integer", func(s quizattempt.State) any { return s.CourseAttemptNumber }},
	{"activity_id", "uuid", func(s quizattempt.State) any { return s.Activity.UUID }},
	{"quiz_id", "uuid", func(s quizattempt.State) any { return s.Quiz.UUID }},
	{"number", "integer", func(s quizattempt.State) any { return s.Number }},
	{"answered", "integer", func(s quizattempt.State) any { return s.Score.Answered }},
	{"correct", "integer", func(s quizattempt.State) any { return s.Score.Correct }},
	{"total", "integer", func(s quizattempt.State) any { return s.Score.Total }},
	{"last_answered_at", "timestamptz", func(s quizattempt.State) any { return s.Score.LastAnsweredAt }},
	{"started_at", "timestamptz", func(s quizattempt.State) any { return s.StartedAt }},
})

// An attemptAnswer is an answer together with its quiz attempt.
type attemptAnswer struct {
	attempt *quizattempt.State
	quizattempt.Answer
}

func attemptAnswers(s quizattempt.State) []attemptAnswer {
	all := make([]attemptAnswer, len(s.Answers))
	for i, a := range s.Answers {
		all[i] = attemptAnswer{&s, a}
	}
	return all
}

var quizAnswerTable = newTable("quiz_answers", []column[attemptAnswer]{
	{"question_id", "uuid", func(a attemptAnswer) any { return a.Question.UUID }},
	{"number", "integer", func(a attemptAnswer) any { return a.Position.Number }},
	{"total", "integer", func(a attemptAnswer) any { return a.Position.Total }},
	{"response", "text", func(a attemptAnswer) any { return a.Response }},
	{"response_fold", "text", func(a attemptAnswer) any { return text.Fold(a.Response) }},
	{"correct", "boolean", func(a attemptAnswer) any { return a.Correct }},
	{"answered_at", "timestamptz", func(a attemptAnswer) any { return a.At }},
	{"quiz_attempt_id", "uuid", func(a attemptAnswer) any { return a.attempt.ID.UUID }},
	{"person_id", "uuid", func(a attemptAnswer) any { return a.attempt.Person.UUID }},
	{"course_id", "uuid", func(a attemptAnswer) any { return a.attempt.Course.UUID }},
	{"course_number", "integer", func(a attemptAnswer) any { return a.attempt.CourseAttemptNumber }},
	{"activity_id", "uuid", func(a attemptAnswer) any { return a.attempt.Activity.UUID }},
	{"quiz_id", "uuid", func(a attemptAnswer) any { return a.attempt.Quiz.UUID }},
})

var quizAnswersOf = `SELECT r.* FROM ` + pgdb.ByKey("quiz_answers",
	"r.quiz_attempt_id, r.question_id, r.number, r.total, r.response, r.correct, r.answered_at",
	"quiz_attempt_id", "$2::uuid[]", "OFFSET 0") + ` ORDER BY r.quiz_attempt_id, r.number, r.question_id`

// latestQuizAttempt returns the quiz attempt with the highest number, with its answers.
func (s *session) latestQuizAttempt(ctx context.Context, in attempt.ID, of activity.ID) (quizattempt.Attempt, error) {
	restore := func(row quizAttemptRow) (quizattempt.Attempt, error) {
		found, err := s.restore(ctx, []quizAttemptRow{row})
		if err != nil {
			return quizattempt.Attempt{}, err
		}
		return found[0], nil
	}
	return getOne(ctx, s, restore, latestQuizAttempt, s.SchoolID, in.UUID, of.UUID)
}

// restore returns the quiz attempts of the rows with their answers, in the order of the rows.
func (s *session) restore(ctx context.Context, rows []quizAttemptRow) ([]quizattempt.Attempt, error) {
	ids := make([]uuid.UUID, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	var answers []learnerlists.AnswerRow
	if err := s.AllKeyed(ctx, len(ids), &answers, quizAnswersOf, s.SchoolID, idArray(ids)); err != nil {
		return nil, err
	}
	byAttempt := map[uuid.UUID][]quizattempt.Answer{}
	for _, r := range answers {
		byAttempt[r.Attempt] = append(byAttempt[r.Attempt], r.Answer())
	}
	found := make([]quizattempt.Attempt, len(rows))
	for i, r := range rows {
		found[i] = quizattempt.Restore(r.state(byAttempt[r.ID]))
	}
	return found, nil
}
