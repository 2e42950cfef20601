package ports

import (
	"context"

	"lyceum/domain/attempt"
	"lyceum/domain/ledger"
	"lyceum/domain/quizattempt"
)

// Ledger is for the comparison of what is stored with the facts that it follows
// from.
type Ledger interface {
	// Recount sets right every count that the store keeps (of a person's courses,
	// groups and partnerships, a course's enrollments, a group's memberships, the
	// quiz score of each course attempt and activity, and the rows of course
	// analytics) and returns those that were wrong, by record.
	Recount(ctx context.Context) ([]ledger.Difference, error)

	// Attempts returns up to n course attempts behind the given one in the order
	// of their ids, from the first when that is zero, and locks them: what they
	// are compared with is as it was at their last Save.
	Attempts(ctx context.Context, behind attempt.ID, n int) ([]ledger.AttemptAccount, error)

	// QuizAttempts is Attempts for quiz attempts.
	QuizAttempts(ctx context.Context, behind quizattempt.ID, n int) ([]ledger.QuizAccount, error)
}
