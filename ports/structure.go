package ports

import (
	"context"

	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/course"
	"lyceum/domain/quiz"
	"lyceum/domain/structure"
)

// StructureReader reads what courses consist of.
type StructureReader interface {
	// Get returns the structure of the course as it is at one moment, NotFound
	// when there is no such course.
	Get(ctx context.Context, c course.ID) (structure.Structure, error)
}

// StructureRepo reads and writes what courses consist of.
type StructureRepo interface {
	StructureReader

	// Find returns the structure of the course, NotFound when there is no such
	// course, with those of the quizzes and assignments named that the school has
	// besides its own. It locks all of them: until the end of the transaction
	// nobody else finds the structure, changes one of its quizzes or assignments,
	// or gets its activities and quizzes with ActivityRepo.Load and QuizRepo.Load,
	// without which nothing is recorded in them.
	Find(ctx context.Context, c course.ID, quizzes []quiz.ID, assignments []assignment.ID) (structure.Structure, error)

	// Facts returns in which of the activities a learner has done anything (a
	// completion, a quiz attempt, a submission or an event), and which of the
	// quizzes somebody has begun.
	Facts(ctx context.Context, activities []activity.ID, quizzes []quiz.ID) (structure.Facts, error)

	// Save keeps a revision of a structure that was found. The progress of the
	// course's attempts and the scores of the quizzes that ask other questions
	// follow: those of ledger.AttemptAccount and ledger.QuizAccount. An activity
	// that is removed although a learner has done anything in it is refused with
	// an error.
	Save(ctx context.Context, r structure.Revision) error
}
