package ports

import (
	"context"

	"lyceum/domain/attempt"
	"lyceum/domain/quizattempt"
	"lyceum/domain/reconcile"
)

// Reconciler compares derived data with the source records that it follows from.
type Reconciler interface {
	// RecalculateCounters recalculates every derived value that the store keeps (the counts of a
	// person's courses, groups and partnerships, of a course's enrollments and of a group's
	// memberships, the quiz score of each course attempt and activity, and the rows of course
	// analytics), fixes those that are wrong and returns them, by record.
	RecalculateCounters(ctx context.Context) ([]reconcile.Discrepancy, error)

	// AttemptsForUpdate returns up to limit course attempts after the given id, in the order of
	// their ids, and locks them for update. The zero id starts at the first. Their tallies are read
	// under the locks: those of their last Save, unless the stored progress is wrong.
	AttemptsForUpdate(ctx context.Context, after attempt.ID, limit int) ([]reconcile.AttemptCheck, error)

	// QuizAttemptsForUpdate is AttemptsForUpdate for quiz attempts.
	QuizAttemptsForUpdate(ctx context.Context, after quizattempt.ID, limit int) ([]reconcile.QuizAttemptCheck, error)
}
