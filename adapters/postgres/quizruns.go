package postgres

import (
	"context"

	"lyceum/domain/analytics"
	"lyceum/domain/query"
)

func (r quizAttemptRow) run() (analytics.QuizRun, error) {
	return analytics.NewQuizRun(r.state(nil)), nil
}

var quizRunList = listing[quizAttemptRow, analytics.QuizRun]{
	table: "quiz_attempts",
	columns: `r.id, r.person_id, r.course_id, r.attempt_id, r.course_number, r.activity_id, r.quiz_id, r.number,
		r.answered, r.correct, r.total, r.last_answered_at, r.started_at`,
	others: []*other{ofPerson, ofCourse, ofQuiz, ofActivity},
	attrs: columns(ofLearner, inActivity, inQuiz, ofRun, map[string]column{
		"uuid":              {expr: "r.id"},
		"created_at":        {expr: "r.started_at"},
		"updated_at":        {expr: "r.last_answered_at"},
		"number":            {expr: "r.number"},
		"course_attempt.id": {expr: "r.attempt_id"},
	}),
	sort:    analytics.QuizRunSchema.Default(),
	convert: quizAttemptRow.run,
	removal: ofRemovedCourse,
}

type quizRunReader struct{ *session }

// List returns a page of the quiz attempts.
func (c quizRunReader) List(ctx context.Context, q query.Query) (query.Result[analytics.QuizRun], error) {
	return quizRunList.page(ctx, c.session, q)
}
