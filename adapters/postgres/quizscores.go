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
}

func (r quizScoreRow) score() (analytics.QuizScore, error) {
	return analytics.QuizScore{
		ID: r.ID, Person: person.ID{UUID: r.Person}, Course: course.ID{UUID: r.Course},
		CourseAttempt: attempt.ID{UUID: r.Attempt}, CourseNumber: r.CourseNumber,
		Activity: activity.ID{UUID: r.Activity}, Quiz: quiz.ID{UUID: r.Quiz},
		Score: quizattempt.Score{
			Answered: r.Answered, Correct: r.Correct, Total: r.Total, LastAnsweredAt: r.LastAnsweredAt.UTC(),
		},
	}, nil
}

var quizScoreList = listing[quizScoreRow, analytics.QuizScore]{
	table: "quiz_scores",
	columns: `r.id, r.person_id, r.course_id, r.attempt_id, r.course_number, r.activity_id, r.quiz_id,
		r.answered, r.correct, r.total, r.last_answered_at`,
	others: []*other{ofPerson, ofCourse, ofQuiz, ofActivity},
	attrs: columns(ofLearner, inActivity, inQuiz, ofRun, map[string]column{
		"uuid":                      {expr: "r.id"},
		"last_question_answered_at": {expr: "r.last_answered_at"},
	}),
	sort:    analytics.ScoreSchema.Default(),
	convert: quizScoreRow.score,
	removal: ofRemovedCourse,
}

type quizScoreReader struct{ *session }

// List returns a page of how learners have done in quizzes.
func (c quizScoreReader) List(ctx context.Context, q query.Query) (query.Result[analytics.QuizScore], error) {
	return quizScoreList.page(ctx, c.session, q)
}
