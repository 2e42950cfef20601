package analytics

import (
	"math/big"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
)

// QuizAttemptType is the resource type of a QuizAttempt.
const QuizAttemptType = "quiz_attempts"

// QuizAttempt is one quiz attempt of a person, the latest or an earlier one, together with the
// names of its person, course, activity and quiz.
type QuizAttempt struct {
	ID                  quizattempt.ID
	Person              person.ID
	Course              course.ID
	CourseAttempt       attempt.ID
	CourseAttemptNumber int
	Activity            activity.ID
	Quiz                quiz.ID
	Number              int // from 1, in its activity and course attempt
	Score               quizattempt.Score
	StartedAt           time.Time
	// The names and texts below are for searches. A store need not set them in the rows of a list.
	PersonName, PersonEmail string
	CourseName              string
	QuizName                string
	ActivityTitle           string
}

// NewQuizAttempt returns the row of the quiz attempt s. The names are left blank.
func NewQuizAttempt(s quizattempt.State) QuizAttempt {
	return QuizAttempt{
		ID: s.ID, Person: s.Person, Course: s.Course, CourseAttempt: s.CourseAttempt, CourseAttemptNumber: s.CourseAttemptNumber,
		Activity: s.Activity, Quiz: s.Quiz, Number: s.Number, Score: s.Score, StartedAt: s.StartedAt,
	}
}

// QuizAttemptSchema defines the attributes by which lists of quiz attempts are filtered, searched
// and sorted. The attribute updated_at is the time of the last answer.
var QuizAttemptSchema = query.Define(
	query.UUIDField("uuid", func(r *QuizAttempt) uuid.UUID { return r.ID.UUID }),
	query.TimeField("created_at", func(r *QuizAttempt) time.Time { return r.StartedAt }),
	query.TimeField("updated_at", func(r *QuizAttempt) time.Time { return r.Score.LastAnsweredAt }),
	query.IntegerField("number", func(r *QuizAttempt) int64 { return int64(r.Number) }),
	query.IntegerField("course_attempt_number", func(r *QuizAttempt) int64 { return int64(r.CourseAttemptNumber) }),
	query.OptionalNumber("percent_correct", func(r *QuizAttempt) *big.Rat { return r.Score.PercentCorrect().Rat() }),
	query.OptionalNumber("progress", func(r *QuizAttempt) *big.Rat { return r.Score.Progress().Rat() }),
	query.TextField("questions_completed", func(r *QuizAttempt) string { return r.Score.AnsweredOfTotal() }),
	query.UUIDField("person.id", func(r *QuizAttempt) uuid.UUID { return r.Person.UUID }),
	query.UUIDField("course.id", func(r *QuizAttempt) uuid.UUID { return r.Course.UUID }),
	query.UUIDField("course_attempt.id", func(r *QuizAttempt) uuid.UUID { return r.CourseAttempt.UUID }),
	query.UUIDField("quiz.id", func(r *QuizAttempt) uuid.UUID { return r.Quiz.UUID }),
	query.UUIDField("activity.id", func(r *QuizAttempt) uuid.UUID { return r.Activity.UUID }),
	query.TextField("person_name", func(r *QuizAttempt) string { return r.PersonName }).Searched().Hidden(),
	query.TextField("person_email", func(r *QuizAttempt) string { return r.PersonEmail }).Searched().Hidden(),
	query.TextField("course_name", func(r *QuizAttempt) string { return r.CourseName }).Searched().Hidden(),
	query.TextField("quiz_name", func(r *QuizAttempt) string { return r.QuizName }).Searched().Hidden(),
	query.TextField("activity_title", func(r *QuizAttempt) string { return r.ActivityTitle }).Searched().Hidden(),
).OrderBy("-created_at")
