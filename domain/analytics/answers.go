package analytics

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/activity"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
)

// AnswerType is the resource type of a RawAnswer.
const AnswerType = "quiz_raw_answers"

// RawAnswer is one answer of a quiz attempt, together with the names of its person, course,
// activity, quiz and question.
type RawAnswer struct {
	QuizAttempt quizattempt.ID
	Answer      quizattempt.Answer
	// Position is the current position of the question among the active questions (0 if it is
	// archived). Its Total equals the Total of the quiz attempt's score.
	Position            quiz.Position
	Person              person.ID
	Course              course.ID
	CourseAttemptNumber int
	Activity            activity.ID
	Quiz                quiz.ID
	// The names and texts below are for searches. A store need not set them in the rows of a list.
	PersonName, PersonEmail string
	CourseName              string
	QuizName                string
	ActivityTitle           string
	QuestionText            string
}

// Key returns the row's id: the ids of the quiz attempt and the question, joined by a colon.
func (r RawAnswer) Key() string { return r.QuizAttempt.String() + ":" + r.Answer.Question.String() }

// AnswerSchema defines the attributes by which lists of answers are filtered, searched and sorted.
var AnswerSchema = query.Define(
	query.CompositeField("uuid", 2, func(r *RawAnswer) string { return r.Key() }),
	query.TextField("activity_title", func(r *RawAnswer) string { return r.ActivityTitle }).Searched(),
	query.IntegerField("course_attempt_number", func(r *RawAnswer) int64 { return int64(r.CourseAttemptNumber) }),
	query.TextField("course_name", func(r *RawAnswer) string { return r.CourseName }).Searched(),
	query.TimeField("date_answered", func(r *RawAnswer) time.Time { return r.Answer.At }),
	query.BooleanField("marked_correct", func(r *RawAnswer) bool { return r.Answer.Correct }),
	query.TextField("question_number", func(r *RawAnswer) string { return r.Position.String() }),
	query.TextField("question_text", func(r *RawAnswer) string { return r.QuestionText }),
	query.TextField("quiz_name", func(r *RawAnswer) string { return r.QuizName }).Searched(),
	query.TextField("response", func(r *RawAnswer) string { return r.Answer.Response }),
	query.UUIDField("person.id", func(r *RawAnswer) uuid.UUID { return r.Person.UUID }),
	query.UUIDField("course.id", func(r *RawAnswer) uuid.UUID { return r.Course.UUID }),
	query.UUIDField("quiz.id", func(r *RawAnswer) uuid.UUID { return r.Quiz.UUID }),
	query.UUIDField("activity.id", func(r *RawAnswer) uuid.UUID { return r.Activity.UUID }),
	query.TextField("person_name", func(r *RawAnswer) string { return r.PersonName }).Searched().Hidden(),
	query.TextField("person_email", func(r *RawAnswer) string { return r.PersonEmail }).Searched().Hidden(),
).OrderBy("-date_answered")
