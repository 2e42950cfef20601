package ports

import "lyceum/domain/analytics"

// The lists of package analytics. The names in their rows are those of the
// moment.
type (
	// CourseAnalytics lists, for each enrollment as learner, the person's attempts
	// in the course, or a row without an attempt. EnrolledAt is the enrollment's
	// CreatedAt, the figures are those of the attempt.
	CourseAnalytics Lister[analytics.CourseRow]

	// QuizScores lists the scores that follow from the quiz attempts
	// (QuizAttemptRepo), enrolled or not.
	QuizScores Lister[analytics.QuizScore]

	// RawAnswers lists every answer of every quiz attempt, enrolled or not, with the
	// present position of its question: archived questions have the number 0, and
	// the total is that of the score of the quiz attempt.
	RawAnswers Lister[analytics.RawAnswer]

	// QuizRuns lists every quiz attempt, enrolled or not, with its own score.
	QuizRuns Lister[analytics.QuizRun]

	// Completions lists every completion of every course attempt, enrolled or not.
	Completions Lister[analytics.Completion]
)
