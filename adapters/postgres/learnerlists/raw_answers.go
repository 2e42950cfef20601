package learnerlists

import (
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/listsql"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
)

// AnswerRow is a row of the table quiz_answers.
type AnswerRow struct {
	Attempt    uuid.UUID `db:"quiz_attempt_id"`
	Question   uuid.UUID `db:"question_id"`
	Number     int       `db:"number"`
	Total      int       `db:"total"`
	Response   string    `db:"response"`
	Correct    bool      `db:"correct"`
	AnsweredAt time.Time `db:"answered_at"`
}

// Answer returns the answer.
func (r AnswerRow) Answer() quizattempt.Answer {
	return quizattempt.Answer{
		Question: quiz.QuestionID{UUID: r.Question}, Position: quiz.Position{Number: r.Number, Total: r.Total},
		Response: r.Response, Correct: r.Correct, At: r.AnsweredAt.UTC(),
	}
}

type rawAnswerRow struct {
	AnswerRow
	Person         uuid.UUID `db:"person_id"`
	Course         uuid.UUID `db:"course_id"`
	CourseNumber   int       `db:"course_number"`
	Activity       uuid.UUID `db:"activity_id"`
	Quiz           uuid.UUID `db:"quiz_id"`
	CourseName     string    `db:"course_name"`
	QuizName       string    `db:"quiz_name"`
	ActivityTitle  string    `db:"activity_title"`
	QuestionText   string    `db:"question_text"`
	QuestionNumber int       `db:"question_number"`
	Questions      int       `db:"questions"`
}

func (r rawAnswerRow) raw() (analytics.RawAnswer, error) {
	return analytics.RawAnswer{
		QuizAttempt: quizattempt.ID{UUID: r.Attempt}, Answer: r.Answer(),
		Position: quiz.Position{Number: r.QuestionNumber, Total: r.Questions},
		Person:   person.ID{UUID: r.Person}, Course: course.ID{UUID: r.Course}, CourseAttemptNumber: r.CourseNumber,
		Activity: activity.ID{UUID: r.Activity}, Quiz: quiz.ID{UUID: r.Quiz},
		CourseName: r.CourseName, QuizName: r.QuizName,
		ActivityTitle: r.ActivityTitle, QuestionText: r.QuestionText,
	}, nil
}

var rawAnswerKey = []string{"r.quiz_attempt_id", "r.question_id"}

// questionNumber and questionTotal are SQL expressions for the current position of an answer's
// question. An archived question has the number 0. The total is the total of the quiz attempt, so
// that it agrees with the score.
const (
	questionNumber = `(SELECT o.number FROM quiz_questions o
		WHERE o.school_id = r.school_id AND o.quiz_id = r.quiz_id AND o.id = r.question_id)`
	questionTotal = `(SELECT o.total FROM quiz_attempts o WHERE o.school_id = r.school_id AND o.id = r.quiz_attempt_id)`
)

// RawAnswers is the list of answers.
var RawAnswers = listsql.New(listsql.Definition{
	Table: "quiz_answers",
	Columns: `r.quiz_attempt_id, r.question_id, r.number, r.total, r.response, r.correct, r.answered_at,
		r.person_id, r.course_id, r.course_number, r.activity_id, r.quiz_id,
		c.name AS course_name, z.name AS quiz_name, a.title AS activity_title, n.text AS question_text,
		n.number AS question_number, ` + questionTotal + ` AS questions`,
	Key:        rawAnswerKey,
	ShownJoins: []*listsql.Join{JoinCourse, JoinQuiz, JoinActivity, joinQuestion},
	Joins:      []*listsql.Join{JoinPerson, JoinCourse, JoinQuiz, JoinActivity, joinQuestion},
	Attrs: Columns(LearnerAttrs, ActivityAttrs, QuizAttrs, map[string]listsql.Column{
		"uuid":                  listsql.Joined(rawAnswerKey),
		"course_attempt_number": {Expr: "r.course_number"},
		"date_answered":         {Expr: "r.answered_at"},
		"marked_correct":        {Expr: "r.correct"},
		"question_number":       listsql.RatioText(questionNumber, questionTotal),
		"question_text":         joinQuestion.Text("text"),
		"response":              listsql.TextColumn("response"),
	}),
	Sort:    analytics.AnswerSchema.Default(),
	Removal: listsql.HideRemovedCourses,
}, rawAnswerRow.raw)
