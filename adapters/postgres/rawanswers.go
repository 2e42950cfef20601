package postgres

import (
	"context"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/listsql"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
)

type rawAnswerRow struct {
	quizAnswerRow
	Person        uuid.UUID `db:"person_id"`
	Course        uuid.UUID `db:"course_id"`
	CourseNumber  int       `db:"course_number"`
	Activity      uuid.UUID `db:"activity_id"`
	Quiz          uuid.UUID `db:"quiz_id"`
	CourseName    string    `db:"course_name"`
	QuizName      string    `db:"quiz_name"`
	ActivityTitle string    `db:"activity_title"`
	QuestionText  string    `db:"question_text"`
	Place         int       `db:"place"`
	Questions     int       `db:"questions"`
}

func (r rawAnswerRow) raw() (analytics.RawAnswer, error) {
	return analytics.RawAnswer{
		QuizAttempt: quizattempt.ID{UUID: r.Attempt}, Answer: r.answer(),
		Position: quiz.Position{Number: r.Place, Total: r.Questions},
		Person:   person.ID{UUID: r.Person}, Course: course.ID{UUID: r.Course}, CourseNumber: r.CourseNumber,
		Activity: activity.ID{UUID: r.Activity}, Quiz: quiz.ID{UUID: r.Quiz},
		CourseName: r.CourseName, QuizName: r.QuizName,
		ActivityTitle: r.ActivityTitle, QuestionText: r.QuestionText,
	}, nil
}

var rawAnswerKey = []string{"r.quiz_attempt_id", "r.question_id"}

// The present position of an answer's question. Archived questions have the number
// 0. The total is that of the quiz attempt, so that it is the one of its score.
const (
	questionNumber = `(SELECT o.number FROM quiz_questions o
		WHERE o.school_id = r.school_id AND o.quiz_id = r.quiz_id AND o.id = r.question_id)`
	questionsAsked = `(SELECT o.total FROM quiz_attempts o WHERE o.school_id = r.school_id AND o.id = r.quiz_attempt_id)`
)

var rawAnswerList = listsql.List[rawAnswerRow, analytics.RawAnswer]{
	Table: "quiz_answers",
	Columns: `r.quiz_attempt_id, r.question_id, r.number, r.total, r.response, r.correct, r.answered_at,
		r.person_id, r.course_id, r.course_number, r.activity_id, r.quiz_id,
		c.name AS course_name, z.name AS quiz_name, a.title AS activity_title, n.text AS question_text,
		n.number AS place, ` + questionsAsked + ` AS questions`,
	Key:        rawAnswerKey,
	ShownJoins: []*listsql.Join{ofCourse, ofQuiz, ofActivity, ofQuestion},
	Joins:      []*listsql.Join{ofPerson, ofCourse, ofQuiz, ofActivity, ofQuestion},
	Attrs: columns(ofLearner, inActivity, inQuiz, map[string]listsql.Column{
		"uuid":                  listsql.Joined(rawAnswerKey),
		"course_attempt_number": {Expr: "r.course_number"},
		"date_answered":         {Expr: "r.answered_at"},
		"marked_correct":        {Expr: "r.correct"},
		"question_number":       listsql.RatioText(questionNumber, questionsAsked),
		"question_text":         ofQuestion.Text("text"),
		"response":              listsql.TextColumn("response"),
	}),
	Sort:    analytics.AnswerSchema.Default(),
	Convert: rawAnswerRow.raw,
	Removal: ofRemovedCourse,
}

type rawAnswerReader struct{ *session }

// List returns a page of the answers that learners have given.
func (c rawAnswerReader) List(ctx context.Context, q query.Query) (query.Result[analytics.RawAnswer], error) {
	return rawAnswerList.Page(ctx, c.session, q)
}
