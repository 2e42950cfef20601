package policy

import (
	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/event"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
)

// Learner is a person in a course. Every decision about learning contains it. The person's progress
// in the course is locked, so that decisions about it are made one after another.
type Learner struct {
	Request
	Person person.State
	Course course.State
}

// Work is a learner in an activity. Rules receive the activity without its text.
type Work struct {
	Learner
	Activity activity.State
	// Attempt is the person's latest attempt at the course, with its progress. It can be the first
	// attempt, which the request begins. In imports it has no progress; for an imported event it is
	// zero.
	Attempt attempt.State
}

// Recording is the decision to append an event to the feed. An event counts as viewing the
// activity. If a rule returns NoEffect, the event is not appended, begins no attempt and completes
// no activity.
type Recording struct {
	Work
	Event event.Event
}

// Completing is the decision to complete an activity in a course attempt in which it is not
// completed yet. If a rule returns NoEffect, the completion is not saved; the event, answer or
// submission that caused it is saved.
type Completing struct {
	Work
}

// BeginningAttempt is the decision to begin a course attempt. The learner's first event, answer,
// completion or submission in a course begins the first attempt; a request can begin a further
// attempt. If a rule returns NoEffect, neither the attempt nor the event, answer, completion or
// submission is saved.
type BeginningAttempt struct {
	Learner
	Number int            // 1-based number of the attempt that begins
	Last   *attempt.State // the previous attempt; nil for the first attempt, and in imports
}

// beginningAttempt contains the standard rules on beginning a course attempt.
var beginningAttempt = Rules[BeginningAttempt]{{Check: retakable}}

func retakable(b BeginningAttempt) error {
	if b.Last == nil {
		return nil
	}
	return attempt.Restore(*b.Last).CheckRetake()
}

// BeginningQuizAttempt is the decision to begin an attempt at a quiz, with its first answer. If a
// rule returns NoEffect, neither the attempt nor its answers are saved.
type BeginningQuizAttempt struct {
	Work
	Quiz   quiz.State
	Number int                // 1-based number of the attempt that begins, in its course attempt
	Last   *quizattempt.State // the previous attempt, which is complete; nil for the first attempt, and in imports
}

// Answering is the decision to save a person's answer to a quiz question. If a rule returns
// NoEffect, the answer is graded but not saved.
type Answering struct {
	Work
	Quiz        quiz.State
	QuizAttempt quizattempt.State   // the attempt before the answer; in imports it has no answers
	Before      *quizattempt.Answer // the answer to be replaced; nil: none
	Answer      quizattempt.Answer
}
