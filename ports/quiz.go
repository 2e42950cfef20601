package ports

import (
	"context"

	"lyceum/domain/quiz"
)

// QuizReader reads quizzes. The activities that a quiz stands in follow from the
// activities.
type QuizReader interface {
	Lister[quiz.Summary]

	// Get returns the quiz id as documents show it, NotFound when there is none.
	Get(ctx context.Context, id quiz.ID) (quiz.Summary, error)
}

// QuizRepo reads and writes quizzes.
type QuizRepo interface {
	QuizReader

	// Load returns the quizzes ids with their questions, each once, by id; those
	// that the school has not are absent. It locks them against removal and change.
	Load(ctx context.Context, ids []quiz.ID) (map[quiz.ID]quiz.Quiz, error)

	// Add keeps a new quiz with its questions, in their order.
	Add(ctx context.Context, q quiz.Quiz) error
}
