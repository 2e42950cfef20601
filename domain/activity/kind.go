package activity

import (
	"time"

	"lyceum/domain/assignment"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
)

// Kind is what a learner does in an activity.
type Kind struct{ name string }

// The kinds of activity.
var (
	Text       = Kind{"text"}
	Video      = Kind{"video"}
	Quiz       = Kind{"quiz"}
	Assignment = Kind{"assignment"}
)

// ParseKind returns the kind with the given name.
func ParseKind(name string) (Kind, error) {
	for _, k := range []Kind{Text, Video, Quiz, Assignment} {
		if k.name == name {
			return k, nil
		}
	}
	return Kind{}, fault.Invalidf("kind", "must be one of: text, video, quiz, assignment")
}

// String returns the kind's name.
func (k Kind) String() string { return k.name }

// Content is what an activity contains: the quiz of a Quiz, the assignment of an Assignment, the
// duration of a Video. Fields that the Kind does not use are zero.
type Content struct {
	Kind       Kind
	Quiz       quiz.ID
	Assignment assignment.ID
	Duration   time.Duration // whole seconds
}

// MaxDuration is the maximum duration of a video.
const MaxDuration = 24 * time.Hour

// TextContent returns the content of a text.
func TextContent() Content { return Content{Kind: Text} }

// VideoContent returns the content of a video with that duration.
func VideoContent(length time.Duration) Content { return Content{Kind: Video, Duration: length} }

// QuizContent returns the content of a quiz.
func QuizContent(id quiz.ID) Content { return Content{Kind: Quiz, Quiz: id} }

// AssignmentContent returns the content of an assignment.
func AssignmentContent(id assignment.ID) Content { return Content{Kind: Assignment, Assignment: id} }

// Check returns the faults of the content. The kind must be set, and the duration of a video must
// be a whole number of seconds, at least 1 second and at most MaxDuration.
func (c Content) Check() error {
	if c.Kind == (Kind{}) {
		return fault.Blank("kind")
	}
	if c.Kind == Video && (c.Duration < time.Second || c.Duration > MaxDuration || c.Duration%time.Second != 0) {
		return fault.Invalidf("length", "must be a whole number of seconds between 1 and %d", int(MaxDuration/time.Second))
	}
	return nil
}
