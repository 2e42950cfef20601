package ports

import (
	"context"

	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
)

// AttemptRepo reads and writes course attempts and the completions in them.
type AttemptRepo interface {
	// Latest returns the attempt with the highest number of a person in a course,
	// NotFound when there is none. The caller has found the person's enrollment
	// (EnrollmentRepo.Find), so that nobody else records for them in this course
	// meanwhile.
	Latest(ctx context.Context, p person.ID, c course.ID) (attempt.Attempt, error)

	// LatestMany is Latest for many at once, by pair; pairs without an attempt are
	// absent.
	LatestMany(ctx context.Context, pairs []enrollment.Pair) (map[enrollment.Pair]attempt.Attempt, error)

	// Add keeps a new attempt. A person or course that the school has not, or a
	// number that the person has in the course already, is refused with an error.
	Add(ctx context.Context, a attempt.Attempt) error

	// AddMany is Add for many at once: it keeps all or none.
	AddMany(ctx context.Context, all []attempt.Attempt) error

	// Save keeps a changed attempt, NotFound when there is no such attempt.
	Save(ctx context.Context, a attempt.Attempt) error

	// SaveMany is Save for many at once, no two of them alike: it keeps all or,
	// with NotFound, none.
	SaveMany(ctx context.Context, all []attempt.Attempt) error

	// Complete keeps the completion unless the activity is completed in the
	// attempt already, and tells whether it was kept. An attempt or an activity
	// that the school has not is refused with an error.
	Complete(ctx context.Context, c attempt.Completion) (bool, error)

	// CompleteMany is Complete for many at once, no two of them alike. It returns
	// those that were kept, in any order.
	CompleteMany(ctx context.Context, all []attempt.Completion) ([]attempt.Completion, error)

	// Completed returns the completion of an activity in an attempt, NotFound when
	// there is none.
	Completed(ctx context.Context, in attempt.ID, a activity.ID) (attempt.Completion, error)

	// Tallies returns the tally of the completions of each of the attempts, by id:
	// of activities that its course has, archived ones counting for the time alone.
	// Attempts that do not exist are absent.
	Tallies(ctx context.Context, ids []attempt.ID) (map[attempt.ID]attempt.Tally, error)

	// LockOfPerson locks all attempts of a person, in the order of their ids.
	LockOfPerson(ctx context.Context, p person.ID) error

	// RemoveOfPerson forgets all attempts of a person and their completions. It
	// refuses with an error while quiz attempts or submissions of the person exist.
	RemoveOfPerson(ctx context.Context, p person.ID) error
}

// Answered is a quiz activity whose questions all have an answer, within a course
// attempt.
type Answered struct {
	Attempt  attempt.Attempt
	Activity activity.ID
}

// QuizAttemptRepo reads and writes quiz attempts. The list of quiz scores
// (Reader.QuizScores) follows from them: for each course attempt and quiz
// activity a row with the score of the quiz attempt with the highest number. The
// row's id is greater than all that were given before in the whole store, and
// never changes.
type QuizAttemptRepo interface {
	// Latest returns the quiz attempt with the highest number of an activity
	// within a course attempt, with its answers, NotFound when there is none. As
	// for AttemptRepo.Latest, the caller has found the enrollment.
	Latest(ctx context.Context, in attempt.ID, a activity.ID) (quizattempt.Attempt, error)

	// Add keeps a new quiz attempt with its answers, of which there is at least
	// one. What it belongs to must exist, and its number must be new in its
	// activity and course attempt; else it is refused with an error.
	Add(ctx context.Context, a quizattempt.Attempt) error

	// Save keeps a changed quiz attempt with its answers, NotFound when there is
	// no such quiz attempt.
	Save(ctx context.Context, a quizattempt.Attempt) error

	// Uncompleted returns where a quiz attempt at one of the quizzes has an answer
	// to each question, of which there is at least one, although its activity, which
	// is not archived, is not completed in the course attempt. Each is returned once,
	// in any order.
	Uncompleted(ctx context.Context, quizzes []quiz.ID) ([]Answered, error)

	// Open returns the people and courses of all quiz attempts at one of the quizzes
	// whose activity is not completed in the course attempt, each once and in any
	// order.
	Open(ctx context.Context, quizzes []quiz.ID) ([]enrollment.Pair, error)

	// RemoveOfPerson forgets all quiz attempts of a person, with their answers and
	// scores.
	RemoveOfPerson(ctx context.Context, p person.ID) error
}
