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

// ParseKind returns the kind called name.
func ParseKind(name string) (Kind, error) {
	for _, k := range []Kind{Text, Video, Quiz, Assignment} {
		if k.name == name {
			return k, nil
		}
	}
	return Kind{}, fault.Invalidf("kind", "is not one of text, video, quiz, assignment")
}

// String returns the kind's name.
func (k Kind) String() string { return k.name }

// Content is what an activity holds: the quiz of a Quiz, the assignment of an
// Assignment, the length of a Video; what its Kind does not have is zero.
type Content struct {
	Kind       Kind
	Quiz       quiz.ID
	Assignment assignment.ID
	Length     time.Duration // whole seconds
}

// MaxLength is the longest video.
const MaxLength = 24 * time.Hour

// Reading is the content of something to read.
func Reading() Content { return Content{Kind: Text} }

// Watching is the content of a video that plays for length.
func Watching(length time.Duration) Content { return Content{Kind: Video, Length: length} }

// Answering is the content of a quiz.
func Answering(id quiz.ID) Content { return Content{Kind: Quiz, Quiz: id} }

// HandingIn is the content of an assignment.
func HandingIn(id assignment.ID) Content { return Content{Kind: Assignment, Assignment: id} }

// Check says what is wrong with the content.
func (c Content) Check() error {
	if c.Kind == (Kind{}) {
		return fault.Blank("kind")
	}
	if c.Kind == Video && (c.Length < time.Second || c.Length > MaxLength || c.Length%time.Second != 0) {
		return fault.Invalidf("length", "must be whole seconds, from 1 to %d", int(MaxLength/time.Second))
	}
	return nil
}
