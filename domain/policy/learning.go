package policy

import (
	"time"

	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/event"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
)

// Recording is the decision to append an event to the feed. Its person is a learner of the
// activity's course.
type Recording struct {
	Event    event.Event
	Activity activity.State
}

// recording is the rules on recording an event.
var recording = Rules[Recording]{}

// Completing is the decision to complete an activity in a person's course attempt in which it is
// not completed yet.
type Completing struct {
	Person   person.ID
	Attempt  attempt.ID
	Activity activity.State
	At       time.Time
}

// completing is the rules on completing an activity.
var completing = Rules[Completing]{}

// Answering is the decision to save a person's answer to a quiz question.
type Answering struct {
	Person   person.ID
	Activity activity.State
	Quiz     quiz.State
	Question quiz.QuestionID
	At       time.Time
}

// answering is the rules on saving an answer.
var answering = Rules[Answering]{}
