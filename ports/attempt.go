package ports

import (
	"context"

	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
)

// AttemptRepo reads and writes course attempts and their completions.
type AttemptRepo interface {
	// LatestMany is like CourseAnalytics.LatestMany. The caller must hold the locks on the
	// enrollments (EnrollmentRepo.GetManyForUpdate), so that no other transaction records progress
	// of the people in these courses concurrently.
	LatestMany(ctx context.Context, pairs []enrollment.PersonCourse) (map[enrollment.PersonCourse]attempt.Attempt, error)

	// Add inserts a new attempt. It returns an error if the person or the course does not exist, or
	// if the person already has an attempt with that number in the course.
	Add(ctx context.Context, a attempt.Attempt) error

	// AddMany is like Add, but for many attempts. It inserts all of them or none.
	AddMany(ctx context.Context, all []attempt.Attempt) error

	// Save updates an attempt. It returns NotFound if the attempt does not exist.
	Save(ctx context.Context, a attempt.Attempt) error

	// SaveMany is like Save, but for many different attempts. It updates all of them or, if one
	// does not exist, returns NotFound and updates none.
	SaveMany(ctx context.Context, all []attempt.Attempt) error

	// AddCompletionsIfAbsent inserts each of the different completions unless the activity is
	// already completed in the attempt, and returns the inserted completions, in any order. It
	// returns an error if an attempt or an activity does not exist.
	AddCompletionsIfAbsent(ctx context.Context, all []attempt.Completion) ([]attempt.Completion, error)

	// AbsentCompletions returns those of the different completions whose activity is not completed
	// in the attempt, in the same order.
	AbsentCompletions(ctx context.Context, all []attempt.Completion) ([]attempt.Completion, error)

	// GetCompletion returns the completion of an activity in an attempt, or NotFound if there is
	// none.
	GetCompletion(ctx context.Context, in attempt.ID, a activity.ID) (attempt.Completion, error)

	// Tallies returns the tally of the completions of each attempt, as a map by id that omits ids
	// that do not exist. Only activities of the attempt's course are counted. Archived activities
	// affect only the time of the last completion.
	Tallies(ctx context.Context, ids []attempt.ID) (map[attempt.ID]attempt.Tally, error)

	// LockByPerson locks all attempts of a person for update, in the order of their ids.
	LockByPerson(ctx context.Context, p person.ID) error

	// DeleteByPerson deletes at most limit attempts of a person with their completions, and returns
	// how many it deleted. It returns an error if quiz attempts or submissions of the person exist.
	DeleteByPerson(ctx context.Context, p person.ID, limit int) (int, error)
}

// AnsweredQuiz identifies a course attempt and a quiz activity in which the person has answered
// every question.
type AnsweredQuiz struct {
	Attempt  attempt.Attempt
	Activity activity.ID
}

// QuizAttemptRepo reads and writes quiz attempts. The list of quiz scores (Reader.QuizScores) is
// derived from them: it has a row for each course attempt and quiz activity, with the score of the
// latest quiz attempt. The id of a row never changes. A new id is greater than all ids that the
// store has assigned to rows before, in any school.
type QuizAttemptRepo interface {
	// Latest is like QuizAttempts.Latest. The caller must hold the lock on the enrollment, as for
	// AttemptRepo.LatestMany.
	Latest(ctx context.Context, in attempt.ID, a activity.ID) (quizattempt.Attempt, error)

	// Add inserts a new quiz attempt with at least one answer. It returns an error if a record that
	// it refers to does not exist, or if its number is already used in the activity and course
	// attempt.
	Add(ctx context.Context, a quizattempt.Attempt) error

	// Save updates a quiz attempt with its answers. It returns NotFound if the quiz attempt does
	// not exist.
	Save(ctx context.Context, a quizattempt.Attempt) error

	// Uncompleted returns the activities that should be completed because of a quiz attempt at one
	// of the quizzes: the quiz has at least one question, every question has an answer, the
	// activity is not archived, and it is not completed in the course attempt. The result contains
	// each activity and course attempt once, in any order.
	Uncompleted(ctx context.Context, quizzes []quiz.ID) ([]AnsweredQuiz, error)

	// Open returns the person and the course of every quiz attempt at one of the quizzes whose
	// activity is not completed in the course attempt. The result contains each pair once, in any
	// order.
	Open(ctx context.Context, quizzes []quiz.ID) ([]enrollment.PersonCourse, error)

	// DeleteByPerson deletes at most limit quiz attempts of a person with their answers, starting
	// with the oldest, and returns how many it deleted. The score of an activity is deleted with
	// its latest quiz attempt.
	DeleteByPerson(ctx context.Context, p person.ID, limit int) (int, error)
}
