package learnerlists

import (
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/listsql"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/person"
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
}

func (r quizScoreRow) score() (analytics.QuizScore, error) {
	return analytics.QuizScore{
		ID: r.ID, Person: person.ID{UUID: r.Person}, Course: course.ID{UUID: r.Course},
		CourseAttempt: attempt.ID{UUID: r.Attempt}, CourseAttemptNumber: r.CourseNumber,
		Activity: activity.ID{UUID: r.Activity}, Quiz: quiz.ID{UUID: r.Quiz},
		Score: quizattempt.Score{
			Answered: r.Answered, Correct: r.Correct, Total: r.Total, LastAnsweredAt: r.LastAnsweredAt.UTC(),
		},
	}, nil
}

// QuizScores is the list of the scores of quiz attempts.
var QuizScores = listsql.New(listsql.Definition{
	Table:   "quiz_scores",
	Columns: listsql.RowColumns[quizScoreRow](),
	Joins:   []*listsql.Join{JoinPerson, JoinCourse, JoinQuiz, JoinActivity},
	Attrs: Columns(LearnerAttrs, ActivityAttrs, QuizAttrs, QuizAttemptAttrs, map[string]listsql.Column{
		"uuid":                      {Expr: "r.id"},
		"last_question_answered_at": {Expr: "r.last_answered_at"},
	}),
	Sort:    analytics.ScoreSchema.Default(),
	Removal: listsql.HideRemovedCourses,
}, quizScoreRow.score)
