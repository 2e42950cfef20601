package ports

import (
	"context"

	"lyceum/domain/attempt"
	"lyceum/domain/quizattempt"
	"lyceum/domain/reconcile"
)

// Reconciler compares derived data with the source records from which it is computed.
type Reconciler interface {
	// RecalculateDerived recalculates every derived value that the store saves, fixes wrong values
	// and returns the discrepancies, ordered by record. The values are the counts of a person's
	// courses, groups and partnerships, of a course's enrollments and of a group's memberships, the
	// quiz score of each course attempt and activity, the rows of course analytics, and the numbers
	// of missing positions in the event feed.
	RecalculateDerived(ctx context.Context) ([]reconcile.Discrepancy, error)

	// AttemptsForUpdate returns up to limit course attempts with ids greater than after, ordered by
	// id, and locks them for update. For the zero id, it returns the first attempts. The tallies
	// are read while the locks are held, so a tally that does not match the stored progress means
	// that the progress is wrong.
	AttemptsForUpdate(ctx context.Context, after attempt.ID, limit int) ([]reconcile.AttemptCheck, error)

	// QuizAttemptsForUpdate is like AttemptsForUpdate, but for quiz attempts.
	QuizAttemptsForUpdate(ctx context.Context, after quizattempt.ID, limit int) ([]reconcile.QuizAttemptCheck, error)
}
