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

// Learner is a person in a course, and what every decision about learning contains. The person's
// progress is locked, so that decisions about one person in one course are made one after another.
type Learner struct {
	Request
	Person person.State
	Course course.State
}

// Work is a learner in an activity.
type Work struct {
	Learner
	Activity activity.State
	// Attempt is the latest attempt at the course, with its progress. It may be the first one,
	// which the request begins. In imports it has no progress.
	Attempt attempt.State
}

// Recording is the decision to append an event to the feed, which counts as viewing the activity.
// Without effect the event is not appended, begins no attempt and completes no activity.
type Recording struct {
	Work
	Event event.Event
}

// Completing is the decision to complete an activity in a person's course attempt in which it is
// not completed yet. Without effect the event, answer or submission that would complete it is
// saved.
type Completing struct {
	Work
}

// BeginningAttempt is the decision to begin a course attempt: the first with the first event,
// answer, completion or submission of a learner, another one on request. Without effect none of
// them is saved.
type BeginningAttempt struct {
	Learner
	Number int            // of the attempt that begins, from 1
	Last   *attempt.State // the attempt before; nil for the first, and in imports
}

// beginningAttempt is the rules on beginning a course attempt.
var beginningAttempt = Rules[BeginningAttempt]{{Check: retakable}}

func retakable(b BeginningAttempt) error {
	if b.Last == nil {
		return nil
	}
	return attempt.Restore(*b.Last).CheckRetake()
}

// BeginningQuizAttempt is the decision to begin an attempt at a quiz, with its first answer.
// Without effect the answers in it are not saved.
type BeginningQuizAttempt struct {
	Work
	Quiz   quiz.State
	Number int                // of the attempt that begins, from 1 in each course attempt
	Last   *quizattempt.State // the attempt before, which is complete; nil for the first, and in imports
}

// Answering is the decision to save a person's answer to a quiz question. Without effect the answer
// is graded but not saved.
type Answering struct {
	Work
	Quiz        quiz.State
	QuizAttempt quizattempt.State   // before the answer; in imports without answers
	Before      *quizattempt.Answer // the answer that is replaced; nil: none
	Answer      quizattempt.Answer
}
