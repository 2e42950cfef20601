package lists

import (
	"github.com/google/uuid"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/assignment"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/quiz"
	"lyceum/domain/submission"
	"lyceum/ports"
)

// Each schema has an attribute link, like those that the transport adds.
var (
	enrollmentCase = &Case[enrollment.Summary]{
		name:   "Enrollments",
		Schema: enrollment.Schema.With("link", "https://lyceum.test/e/", "role", ".html"),
		of:     func(r ports.Reader) ports.Lister[enrollment.Summary] { return r.Enrollments },
		ids: func(row enrollment.Summary) []uuid.UUID {
			return []uuid.UUID{row.ID.UUID, row.Person.UUID, row.Course.UUID}
		},
		words: []string{"learner", "MANAG"},
		write: writeEnrollments,
	}
	activityCase = &Case[activity.State]{
		name:   "Activities",
		Schema: activity.Schema.With("link", "https://lyceum.test/a/", "title", "/view"),
		of:     func(r ports.Reader) ports.Lister[activity.State] { return r.Activities },
		ids:    func(row activity.State) []uuid.UUID { return []uuid.UUID{row.ID.UUID, row.Course.UUID} },
		write:  writeActivities,
	}
	quizCase = &Case[quiz.Summary]{
		name:   "Quizzes",
		Schema: quiz.Schema.With("link", "https://lyceum.test/q/", "name", ""),
		of:     func(r ports.Reader) ports.Lister[quiz.Summary] { return r.Quizzes },
		ids:    func(row quiz.Summary) []uuid.UUID { return []uuid.UUID{row.ID.UUID} },
		write:  writeQuizzes,
	}
	assignmentCase = &Case[assignment.State]{
		name:   "Assignments",
		Schema: assignment.Schema.With("link", "https://lyceum.test/w/", "title", "?"),
		of:     func(r ports.Reader) ports.Lister[assignment.State] { return r.Assignments },
		ids:    func(row assignment.State) []uuid.UUID { return []uuid.UUID{row.ID.UUID} },
		write:  writeAssignments,
	}
	submissionCase = &Case[submission.Summary]{
		name:   "Submissions",
		Schema: submission.Schema.With("link", "https://lyceum.test/s/", "course_name", ".pdf"),
		of:     func(r ports.Reader) ports.Lister[submission.Summary] { return r.Submissions },
		ids: func(row submission.Summary) []uuid.UUID {
			return []uuid.UUID{row.ID.UUID, row.Assignment.UUID, row.Course.UUID, row.Person.UUID, row.CourseAttempt.UUID}
		},
		write: writeSubmissions,
	}
	eventCase = &Case[event.Event]{
		name:   "Events",
		Schema: event.Schema.With("link", "https://lyceum.test/", "type", "/v2"),
		of:     func(r ports.Reader) ports.Lister[event.Event] { return r.Events },
		ids:    func(row event.Event) []uuid.UUID { return []uuid.UUID{row.Person.UUID, row.Activity.UUID} },
		number: func(row event.Event) int64 { return row.Position },
		words: []string{
			event.ViewedActivity.String(), event.ViewedVideo.String(), "learner_viewed_", "VIDEO", "ID-", "id-1", "%_",
		},
		write: writeEvents,
	}
	courseAnalyticsCase = &Case[analytics.CourseProgress]{
		name:    "CourseAnalytics",
		Schema:  analytics.CourseSchema.With("link", "https://lyceum.test/ca/", "course_name", ""),
		of:      func(r ports.Reader) ports.Lister[analytics.CourseProgress] { return r.CourseAnalytics },
		outside: true,
		ids: func(row analytics.CourseProgress) []uuid.UUID {
			return []uuid.UUID{row.Person.UUID, row.Course.UUID, row.Attempt.UUID}
		},
		key:   analytics.CourseProgress.Key,
		write: writeCourseAnalytics,
	}
	scoreCase = &Case[analytics.QuizScore]{
		name:    "QuizScores",
		Schema:  analytics.ScoreSchema.With("link", "https://lyceum.test/qs/", "quiz_name", "/"),
		of:      func(r ports.Reader) ports.Lister[analytics.QuizScore] { return r.QuizScores },
		outside: true,
		ids: func(row analytics.QuizScore) []uuid.UUID {
			return []uuid.UUID{row.Person.UUID, row.Course.UUID, row.Quiz.UUID, row.Activity.UUID, row.CourseAttempt.UUID}
		},
		number: func(row analytics.QuizScore) int64 { return row.ID },
		words:  []string{"1/1", "2/5", "/", "5"},
		write:  writeScores,
	}
	answerCase = &Case[analytics.RawAnswer]{
		name:    "RawAnswers",
		Schema:  analytics.AnswerSchema.With("link", "https://lyceum.test/qa/", "response", "/"),
		of:      func(r ports.Reader) ports.Lister[analytics.RawAnswer] { return r.RawAnswers },
		outside: true,
		ids: func(row analytics.RawAnswer) []uuid.UUID {
			return []uuid.UUID{
				row.Person.UUID, row.Course.UUID, row.Quiz.UUID, row.Activity.UUID, row.QuizAttempt.UUID,
				row.Answer.Question.UUID,
			}
		},
		key:   analytics.RawAnswer.Key,
		words: []string{"1/1", "2/5", "/", "5"},
		write: writeAnswers,
	}
	quizAttemptCase = &Case[analytics.QuizAttempt]{
		name:    "QuizAttempts",
		Schema:  analytics.QuizAttemptSchema.With("link", "https://lyceum.test/qr/", "activity_title", "/"),
		of:      func(r ports.Reader) ports.Lister[analytics.QuizAttempt] { return r.QuizAttempts },
		outside: true,
		ids: func(row analytics.QuizAttempt) []uuid.UUID {
			return []uuid.UUID{
				row.ID.UUID, row.Person.UUID, row.Course.UUID, row.CourseAttempt.UUID, row.Quiz.UUID, row.Activity.UUID,
			}
		},
		words: []string{"1/1", "2/5", "/", "5"},
		write: writeQuizAttempts,
	}
	completionCase = &Case[analytics.Completion]{
		name:    "Completions",
		Schema:  analytics.CompletionSchema.With("link", "https://lyceum.test/done/", "activity_title", ""),
		of:      func(r ports.Reader) ports.Lister[analytics.Completion] { return r.Completions },
		outside: true,
		ids: func(row analytics.Completion) []uuid.UUID {
			return []uuid.UUID{row.Person.UUID, row.Course.UUID, row.Attempt.UUID, row.Activity.UUID}
		},
		key:   analytics.Completion.Key,
		write: writeCompletions,
	}
)
