package app

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/event"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
)

// QuizPlan is a quiz. The ids of its questions follow from its own.
type QuizPlan struct {
	ID        uuid.UUID
	Name      string
	Questions []QuestionPlan
	CreatedAt time.Time
}

// QuestionPlan is a question of a quiz, by whose text answers name it.
type QuestionPlan struct {
	Text    string
	Choices []quiz.Choice
}

// AssignmentPlan is an assignment.
type AssignmentPlan struct {
	ID        uuid.UUID
	Title     string
	CreatedAt time.Time
}

// ActivityPlan is an activity of a course. It is a video when it has a length,
// a quiz or an assignment when it names one, else something to read; to be two
// of these at once is a fault.
type ActivityPlan struct {
	ID         uuid.UUID
	Title      string
	Length     time.Duration
	Quiz       string // name
	Assignment string // title
	CreatedAt  time.Time
}

// Deed is what a person has done.
type Deed struct{ name string }

// The deeds.
var (
	Viewed    = Deed{"viewed"}    // an activity
	Watched   = Deed{"watched"}   // a part of a video
	Completed = Deed{"completed"} // an activity
	Answered  = Deed{"answered"}  // a question of a quiz
	Submitted = Deed{"submitted"} // a file for an assignment
	Retook    = Deed{"retook"}    // the course, from the beginning
)

// ParseDeed returns the deed called name.
func ParseDeed(name string) (Deed, error) {
	for _, d := range []Deed{Viewed, Watched, Completed, Answered, Submitted, Retook} {
		if d.name == name {
			return d, nil
		}
	}
	return Deed{}, fault.Invalidf("did", "is not one of viewed, watched, completed, answered, submitted, retook")
}

// String returns the deed's name.
func (d Deed) String() string { return d.name }

// FactPlan is something that a learner of a course has done. Progress, scores
// and events follow from facts, which count in the order of their times.
type FactPlan struct {
	Email    string
	Did      Deed
	Activity string // title; blank for Retook
	At       time.Time

	Fraction event.Fraction // of the video, for Watched
	Question string         // text, for Answered
	Chosen   []string       // texts of choices, for Answered
	File     FilePlan       // for Submitted
}

// FilePlan is a file that is handed in.
type FilePlan struct {
	Name      string
	MediaType string // may be blank
	Text      string // all that is in it
}
