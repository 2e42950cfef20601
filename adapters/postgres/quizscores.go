package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
)

type quizScoreRow struct {
	ID             int64     `db:"id"`
	Person         uuid.UUID `db:"person_id"`
	Course         uuid.UUID `db:"course_id"`
	Attempt        uuid.UUID `db:"attempt_id"`
	CourseNumber   int       `db:"course_number"`
	Activity       uuid.UUID `db:"activity_id"`
	Quiz           uuid.UUID `db:"quiz_id"`
	Answered       int       `db:"answered"`
	Correct        int       `db:"correct"`
	Total          int       `db:"total"`
	LastAnsweredAt time.Time `db:"last_answered_at"`
	PersonName     string    `db:"person_name"`
	PersonEmail    string    `db:"person_email"`
	CourseName     string    `db:"course_name"`
	QuizName       string    `db:"quiz_name"`
	ActivityTitle  string    `db:"activity_title"`
}

func (r quizScoreRow) score() (analytics.QuizScore, error) {
	return analytics.QuizScore{
		ID: r.ID, Person: person.ID{UUID: r.Person}, Course: course.ID{UUID: r.Course},
		CourseAttempt: attempt.ID{UUID: r.Attempt}, CourseNumber: r.CourseNumber,
		Activity: activity.ID{UUID: r.Activity}, Quiz: quiz.ID{UUID: r.Quiz},
		Score: quizattempt.Score{
			Answered: r.Answered, Correct: r.Correct, Total: r.Total, LastAnsweredAt: r.LastAnsweredAt.UTC(),
		},
		PersonName: r.PersonName, PersonEmail: r.PersonEmail, CourseName: r.CourseName,
		QuizName: r.QuizName, ActivityTitle: r.ActivityTitle,
	}, nil
}

// percentOf is decimal.PercentOf in SQL: whole numbers are divided as there.
func percentOf(part, whole string) column {
	return hundredths("coalesce((2::bigint * " + part + " * 10000 + " + whole + ") / nullif(2::bigint * " + whole + ", 0), 0)")
}

var quizScoreList = listing[quizScoreRow, analytics.QuizScore]{
	table: "quiz_scores",
	columns: `r.id, r.person_id, r.course_id, r.attempt_id, r.course_number, r.activity_id, r.quiz_id,
		r.answered, r.correct, r.total, r.last_answered_at, p.full_name AS person_name, p.email AS person_email,
		c.name AS course_name, z.name AS quiz_name, a.title AS activity_title`,
	others: []*other{ofPerson, ofCourse, ofQuiz, ofActivity},
	attrs: map[string]column{
		"uuid":                      {expr: "r.id"},
		"course_attempt_number":     {expr: "r.course_number"},
		"last_question_answered_at": {expr: "r.last_answered_at"},
		"percent_correct":           percentOf("r.correct", "r.answered"),
		"progress":                  percentOf("r.answered", "r.total"),
		"questions_completed":       plainText("(r.answered || '/' || r.total)"),
		"course.id":                 {expr: "r.course_id"},
		"person.id":                 {expr: "r.person_id"},
		"quiz.id":                   {expr: "r.quiz_id"},
		"activity.id":               {expr: "r.activity_id"},
		"person_name":               ofPerson.text("full_name"),
		"person_email":              ofPerson.text("email"),
		"course_name":               ofCourse.text("name"),
		"quiz_name":                 ofQuiz.text("name"),
		"activity_title":            ofActivity.text("title"),
	},
	sort:    analytics.ScoreSchema.Default(),
	convert: quizScoreRow.score,
}

type quizScoreReader struct{ *session }

// List returns a page of how learners have done in quizzes.
func (c quizScoreReader) List(ctx context.Context, q query.Query) (query.Result[analytics.QuizScore], error) {
	return quizScoreList.page(ctx, c.session, q)
}
