package policy

import (
	"time"

	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/event"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
)

// Recording is the decision to append an event to the feed. The person is a learner of the
// activity's course.
type Recording struct {
	Event    event.Event
	Activity activity.State
}

var recording = Rules[Recording]{}

// Completing is the decision to complete an activity in a person's course attempt.
type Completing struct {
	Person   person.ID
	Attempt  attempt.ID
	Activity activity.State
	At       time.Time
}

var completing = Rules[Completing]{}

// Answering is the decision to save a person's answer to a quiz question.
type Answering struct {
	Person   person.ID
	Activity activity.State
	Quiz     quiz.State
	Question quiz.QuestionID
	At       time.Time
}

var answering = Rules[Answering]{}
