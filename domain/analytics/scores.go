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

// ScoreType is the resource type of a QuizScore.
const ScoreType = "quiz_scores"

// QuizScore is the score of a person's latest quiz attempt in an activity within a course attempt.
type QuizScore struct {
	ID                  int64 // from a sequence that all schools of the store share
	Person              person.ID
	Course              course.ID
	CourseAttempt       attempt.ID
	CourseAttemptNumber int
	Activity            activity.ID
	Quiz                quiz.ID
	Score               quizattempt.Score
	// The names and texts below are for searches. A store need not set them in the rows of a list.
	PersonName, PersonEmail string
	CourseName              string
	QuizName                string
	ActivityTitle           string
}

// ScoreSchema defines the attributes by which lists of quiz scores are filtered, searched and
// sorted.
var ScoreSchema = query.Define(
	query.IntegerField("uuid", func(r *QuizScore) int64 { return r.ID }),
	query.IntegerField("course_attempt_number", func(r *QuizScore) int64 { return int64(r.CourseAttemptNumber) }),
	query.TimeField("last_question_answered_at", func(r *QuizScore) time.Time { return r.Score.LastAnsweredAt }),
	query.OptionalNumber("percent_correct", func(r *QuizScore) *big.Rat { return r.Score.PercentCorrect().Rat() }),
	query.OptionalNumber("progress", func(r *QuizScore) *big.Rat { return r.Score.Progress().Rat() }),
	query.TextField("questions_completed", func(r *QuizScore) string { return r.Score.AnsweredOfTotal() }),
	query.UUIDField("course.id", func(r *QuizScore) uuid.UUID { return r.Course.UUID }),
	query.UUIDField("person.id", func(r *QuizScore) uuid.UUID { return r.Person.UUID }),
	query.UUIDField("quiz.id", func(r *QuizScore) uuid.UUID { return r.Quiz.UUID }),
	query.UUIDField("activity.id", func(r *QuizScore) uuid.UUID { return r.Activity.UUID }),
	query.TextField("person_name", func(r *QuizScore) string { return r.PersonName }).Searched().Hidden(),
	query.TextField("person_email", func(r *QuizScore) string { return r.PersonEmail }).Searched().Hidden(),
	query.TextField("course_name", func(r *QuizScore) string { return r.CourseName }).Searched().Hidden(),
	query.TextField("quiz_name", func(r *QuizScore) string { return r.QuizName }).Searched().Hidden(),
	query.TextField("activity_title", func(r *QuizScore) string { return r.ActivityTitle }).Searched().Hidden(),
).OrderBy("-last_question_answered_at")
