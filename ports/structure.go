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
	// Get returns a consistent snapshot of the course's structure, including the texts of all
	// activities, or NotFound if the course does not exist.
	Get(ctx context.Context, c course.ID) (structure.Structure, error)
}

// StructureRepo reads and writes course structures.
type StructureRepo interface {
	StructureReader

	// GetForUpdate returns the structure of the course, or NotFound if the course does not exist.
	// The structure contains the quizzes and assignments of the course, and the given quizzes and
	// assignments if they exist in the school. GetForUpdate locks all of them for update: no other
	// transaction can get the structure for update, change one of its quizzes or assignments, or
	// get its activities and quizzes with ActivityRepo.GetManyForShare and
	// QuizRepo.GetManyForShare. Transactions call these two methods before they record progress in
	// an activity.
	GetForUpdate(ctx context.Context, c course.ID, quizzes []quiz.ID, assignments []assignment.ID) (structure.Structure, error)

	// Usage returns which of the activities have learner data (a completion, a quiz attempt, a
	// submission or an event), and which of the quizzes learners have started.
	Usage(ctx context.Context, activities []activity.ID, quizzes []quiz.ID) (structure.Usage, error)

	// Save applies a revision of a structure that GetForUpdate returned. It also updates the
	// progress of the course's attempts, and the scores of the quizzes whose active questions
	// change, as reconcile.AttemptCheck and reconcile.QuizAttemptCheck define them. It returns how
	// many course attempts and quiz attempts it has updated. It returns an error if the revision
	// deletes an activity that has learner data, or if an added activity has the key of another
	// activity of the course or refers to a course, quiz or assignment that does not exist.
	Save(ctx context.Context, r structure.Revision) (changed int, err error)
}
