package ports

import (
	"context"

	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/course"
	"lyceum/domain/quiz"
	"lyceum/domain/structure"
)

// StructureReader reads course structures.
type StructureReader interface {
	// Get returns the structure of the course at one moment, or NotFound if there is no such
	// course.
	Get(ctx context.Context, c course.ID) (structure.Structure, error)
}

// StructureRepo reads and writes course structures.
type StructureRepo interface {
	StructureReader

	// GetForUpdate returns the structure of the course, with those of the given quizzes and
	// assignments that exist in the school in addition to its own, NotFound if there is no such
	// course. It locks all of them for update: no other transaction gets the structure for update,
	// changes one of its quizzes or assignments, or gets its activities and quizzes with
	// ActivityRepo.GetManyForShare and QuizRepo.GetManyForShare, which precede every record of
	// progress in them.
	GetForUpdate(ctx context.Context, c course.ID, quizzes []quiz.ID, assignments []assignment.ID) (structure.Structure, error)

	// Usage returns which of the activities have learner data (a completion, a quiz attempt, a
	// submission or an event), and which of the quizzes have been started.
	Usage(ctx context.Context, activities []activity.ID, quizzes []quiz.ID) (structure.Usage, error)

	// Save applies a revision of a structure that GetForUpdate has returned, and updates the
	// progress of the course's attempts and the scores of the quizzes whose active questions
	// change, as reconcile.AttemptCheck and reconcile.QuizAttemptCheck define them. It returns an error
	// if an activity with learner data would be deleted.
	Save(ctx context.Context, r structure.Revision) error
}
