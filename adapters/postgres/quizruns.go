package postgres

import (
	"context"

	"lyceum/adapters/postgres/listsql"
	"lyceum/domain/analytics"
	"lyceum/domain/query"
)

func (r quizAttemptRow) run() (analytics.QuizRun, error) {
	return analytics.NewQuizRun(r.state(nil)), nil
}

var quizRunList = listsql.List[quizAttemptRow, analytics.QuizRun]{
	Table: "quiz_attempts",
	Columns: `r.id, r.person_id, r.course_id, r.attempt_id, r.course_number, r.activity_id, r.quiz_id, r.number,
		r.answered, r.correct, r.total, r.last_answered_at, r.started_at`,
	Joins: []*listsql.Join{ofPerson, ofCourse, ofQuiz, ofActivity},
	Attrs: columns(ofLearner, inActivity, inQuiz, ofRun, map[string]listsql.Column{
		"uuid":              {Expr: "r.id"},
		"created_at":        {Expr: "r.started_at"},
		"updated_at":        {Expr: "r.last_answered_at"},
		"number":            {Expr: "r.number"},
		"course_attempt.id": {Expr: "r.attempt_id"},
	}),
	Sort:    analytics.QuizRunSchema.Default(),
	Convert: quizAttemptRow.run,
	Removal: ofRemovedCourse,
}

type quizRunReader struct{ *session }

// List returns a page of the quiz attempts.
func (c quizRunReader) List(ctx context.Context, q query.Query) (query.Result[analytics.QuizRun], error) {
	return quizRunList.Page(ctx, c.session, q)
}
