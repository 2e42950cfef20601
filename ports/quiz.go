package ports

import (
	"context"

	"lyceum/domain/quiz"
)

// QuizReader reads quizzes. The list of activities that use a quiz is derived from the activities.
type QuizReader interface {
	Lister[quiz.Summary]

	// Get returns the quiz with the given id, or NotFound if there is none.
	Get(ctx context.Context, id quiz.ID) (quiz.Summary, error)

	// WithQuestions returns the quiz with the given id and all its questions, or NotFound if there
	// is none.
	WithQuestions(ctx context.Context, id quiz.ID) (quiz.State, error)
}

// QuizRepo reads and locks quizzes. StructureRepo writes them.
type QuizRepo interface {
	QuizReader

	// GetManyForShare returns the quizzes with the given ids and their questions, as a map by id
	// that omits ids that do not exist. It locks them against change and deletion.
	GetManyForShare(ctx context.Context, ids []quiz.ID) (map[quiz.ID]quiz.Quiz, error)
}
