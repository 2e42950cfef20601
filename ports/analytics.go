package ports

import "lyceum/domain/analytics"

// The lists of package analytics. The names in their rows are the current ones.
type (
	// CourseAnalytics lists the person's attempts in the course for each enrollment as learner, or
	// one row without an attempt if there is none. EnrolledAt is the enrollment's CreatedAt;
	// progress and completion time are those of the attempt.
	CourseAnalytics Lister[analytics.CourseProgress]

	// QuizScores lists the scores derived from the quiz attempts (QuizAttemptRepo), whether or not
	// the person is still enrolled.
	QuizScores Lister[analytics.QuizScore]

	// RawAnswers lists every answer of every quiz attempt, whether or not the person is still
	// enrolled, with the current position of its question: archived questions have the number 0,
	// and the total is that of the quiz attempt's score.
	RawAnswers Lister[analytics.RawAnswer]

	// QuizAttempts lists every quiz attempt with its own score, whether or not the person is still
	// enrolled.
	QuizAttempts Lister[analytics.QuizAttempt]

	// Completions lists every completion of every course attempt, whether or not the person is
	// still enrolled.
	Completions Lister[analytics.Completion]
)
