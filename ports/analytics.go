package ports

import (
	"context"

	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/enrollment"
	"lyceum/domain/quizattempt"
)

// These types are the lists of package analytics. The names in their rows are read from the current
// records.
type (
	// QuizScores lists the scores derived from quiz attempts (QuizAttemptRepo), including the
	// scores of people who are no longer enrolled.
	QuizScores Lister[analytics.QuizScore]

	// RawAnswers lists every answer of every quiz attempt, including the answers of people who are
	// no longer enrolled, with the current position of its question. An archived question has the
	// number 0. The total is the total of the quiz attempt's score.
	RawAnswers Lister[analytics.RawAnswer]

	// Completions lists every completion of every course attempt, including the completions of
	// people who are no longer enrolled.
	Completions Lister[analytics.Completion]
)

// CourseAnalytics reads course attempts.
type CourseAnalytics interface {
	// The list contains, for each enrollment as learner, the person's attempts at the course, or one
	// row without an attempt if there is none. EnrolledAt is the enrollment's CreatedAt. The progress
	// and the completion time belong to the attempt.
	Lister[analytics.CourseProgress]

	// LatestMany returns the attempt with the highest number for each pair of a person and a course.
	// The result omits pairs without an attempt.
	LatestMany(ctx context.Context, pairs []enrollment.PersonCourse) (map[enrollment.PersonCourse]attempt.Attempt, error)
}

// QuizAttempts reads quiz attempts.
type QuizAttempts interface {
	// The list contains every quiz attempt with its own score, including the quiz attempts of people
	// who are no longer enrolled.
	Lister[analytics.QuizAttempt]

	// Latest returns the quiz attempt with the highest number in an activity and a course attempt,
	// with its answers, or NotFound if there is none.
	Latest(ctx context.Context, in attempt.ID, a activity.ID) (quizattempt.Attempt, error)
}

// Statistics computes totals of the lists of package analytics.
type Statistics interface {
	// Of returns the statistics in the given scope. Weeks without records are missing. Courses are
	// ordered by the number of enrollments, descending, and then like the list of courses.
	// Questions are ordered by the share of correct answers, then by the number of answers,
	// descending, and then by ID.
	Of(ctx context.Context, scope analytics.StatisticsScope) (analytics.Statistics, error)
}
