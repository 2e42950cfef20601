package postgres

import (
	"context"

	"lyceum/domain/analytics"
	"lyceum/domain/query"
)

type quizRunRow struct {
	quizAttemptRow
	PersonName    string `db:"person_name"`
	PersonEmail   string `db:"person_email"`
	CourseName    string `db:"course_name"`
	QuizName      string `db:"quiz_name"`
	ActivityTitle string `db:"activity_title"`
}

func (r quizRunRow) run() (analytics.QuizRun, error) {
	run := analytics.NewQuizRun(r.state(nil))
	run.PersonName, run.PersonEmail, run.CourseName = r.PersonName, r.PersonEmail, r.CourseName
	run.QuizName, run.ActivityTitle = r.QuizName, r.ActivityTitle
	return run, nil
}

var quizRunList = listing[quizRunRow, analytics.QuizRun]{
	table: "quiz_attempts",
	columns: `r.id, r.person_id, r.course_id, r.attempt_id, r.course_number, r.activity_id, r.quiz_id, r.number,
		r.answered, r.correct, r.total, r.last_answered_at, r.started_at,
		p.full_name AS person_name, p.email AS person_email, c.name AS course_name, z.name AS quiz_name,
		a.title AS activity_title`,
	others: []*other{ofPerson, ofCourse, ofQuiz, ofActivity},
	attrs: map[string]column{
		"uuid":                  {expr: "r.id"},
		"created_at":            {expr: "r.started_at"},
		"updated_at":            {expr: "r.last_answered_at"},
		"number":                {expr: "r.number"},
		"course_attempt_number": {expr: "r.course_number"},
		"percent_correct":       percentOf("r.correct", "r.answered"),
		"progress":              percentOf("r.answered", "r.total"),
		"questions_completed":   plainText("(r.answered || '/' || r.total)"),
		"person.id":             {expr: "r.person_id"},
		"course.id":             {expr: "r.course_id"},
		"course_attempt.id":     {expr: "r.attempt_id"},
		"quiz.id":               {expr: "r.quiz_id"},
		"activity.id":           {expr: "r.activity_id"},
		"person_name":           ofPerson.text("full_name"),
		"person_email":          ofPerson.text("email"),
		"course_name":           ofCourse.text("name"),
		"quiz_name":             ofQuiz.text("name"),
		"activity_title":        ofActivity.text("title"),
	},
	sort:    analytics.QuizRunSchema.Default(),
	convert: quizRunRow.run,
}

type quizRunReader struct{ *session }

// List returns a page of the quiz attempts.
func (c quizRunReader) List(ctx context.Context, q query.Query) (query.Result[analytics.QuizRun], error) {
	return quizRunList.page(ctx, c.session, q)
}
