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

// QuizRunType is the plural noun of QuizRun.
const QuizRunType = "quiz_attempts"

// QuizRun is one run of a person through the quiz of an activity, whether or not
// a later one followed, with the names of all that it belongs to.
type QuizRun struct {
	ID                      quizattempt.ID
	Person                  person.ID
	Course                  course.ID
	CourseAttempt           attempt.ID
	CourseNumber            int // of the course attempt
	Activity                activity.ID
	Quiz                    quiz.ID
	Number                  int // 1 is the first in its activity and course attempt
	Score                   quizattempt.Score
	StartedAt               time.Time
	PersonName, PersonEmail string
	CourseName              string
	QuizName                string
	ActivityTitle           string
}

// NewQuizRun returns the run that s is the record of, without the names.
func NewQuizRun(s quizattempt.State) QuizRun {
	return QuizRun{
		ID: s.ID, Person: s.Person, Course: s.Course, CourseAttempt: s.CourseAttempt, CourseNumber: s.CourseNumber,
		Activity: s.Activity, Quiz: s.Quiz, Number: s.Number, Score: s.Score, StartedAt: s.StartedAt,
	}
}

// QuizRunSchema is what the list can be filtered, searched and sorted by. The
// last answer is the last change.
var QuizRunSchema = query.Define(
	query.UUIDField("uuid", func(r *QuizRun) uuid.UUID { return r.ID.UUID }),
	query.TimeField("created_at", func(r *QuizRun) time.Time { return r.StartedAt }),
	query.TimeField("updated_at", func(r *QuizRun) time.Time { return r.Score.LastAnsweredAt }),
	query.IntegerField("number", func(r *QuizRun) int64 { return int64(r.Number) }),
	query.IntegerField("course_attempt_number", func(r *QuizRun) int64 { return int64(r.CourseNumber) }),
	query.OptionalNumber("percent_correct", func(r *QuizRun) *big.Rat { return r.Score.PercentCorrect().Rat() }),
	query.OptionalNumber("progress", func(r *QuizRun) *big.Rat { return r.Score.Progress().Rat() }),
	query.TextField("questions_completed", func(r *QuizRun) string { return r.Score.Completed() }),
	query.UUIDField("person.id", func(r *QuizRun) uuid.UUID { return r.Person.UUID }),
	query.UUIDField("course.id", func(r *QuizRun) uuid.UUID { return r.Course.UUID }),
	query.UUIDField("course_attempt.id", func(r *QuizRun) uuid.UUID { return r.CourseAttempt.UUID }),
	query.UUIDField("quiz.id", func(r *QuizRun) uuid.UUID { return r.Quiz.UUID }),
	query.UUIDField("activity.id", func(r *QuizRun) uuid.UUID { return r.Activity.UUID }),
	query.TextField("person_name", func(r *QuizRun) string { return r.PersonName }).Searched().Hidden(),
	query.TextField("person_email", func(r *QuizRun) string { return r.PersonEmail }).Searched().Hidden(),
	query.TextField("course_name", func(r *QuizRun) string { return r.CourseName }).Searched().Hidden(),
	query.TextField("quiz_name", func(r *QuizRun) string { return r.QuizName }).Searched().Hidden(),
	query.TextField("activity_title", func(r *QuizRun) string { return r.ActivityTitle }).Searched().Hidden(),
).OrderBy("-created_at")
