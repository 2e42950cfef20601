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
// duration and address of a Video, and a text, which every kind may have. Fields that the Kind does
// not use are zero.
type Content struct {
	Kind       Kind
	Quiz       quiz.ID
	Assignment assignment.ID
	Duration   time.Duration // whole seconds
	VideoURL   string        // blank: the video has no address yet
	Text       string        // Markdown; blank: none. Lists of activities do not contain it
}

// MaxDuration is the maximum duration of a video.
const MaxDuration = 24 * time.Hour

// TextContent returns the content of a text.
func TextContent() Content { return Content{Kind: Text} }

// VideoContent returns the content of a video with the given duration.
func VideoContent(length time.Duration) Content { return Content{Kind: Video, Duration: length} }

// QuizContent returns the content of a quiz.
func QuizContent(id quiz.ID) Content { return Content{Kind: Quiz, Quiz: id} }

// AssignmentContent returns the content of an assignment.
func AssignmentContent(id assignment.ID) Content { return Content{Kind: Assignment, Assignment: id} }

// Check returns the faults of the content. The kind must be set, and the duration of a video must
// be a whole number of seconds, at least 1 second and at most MaxDuration. Only a video has an
// address, which must satisfy CheckVideoURL. The text must satisfy CheckText.
func (c Content) Check() error {
	errs := []error{CheckVideoURL(c.VideoURL), CheckText(c.Text)}
	if c.Kind == (Kind{}) {
		errs = append(errs, fault.Blank("kind"))
	}
	if c.Kind == Video && (c.Duration < time.Second || c.Duration > MaxDuration || c.Duration%time.Second != 0) {
		errs = append(errs, fault.Invalidf("length", "must be a whole number of seconds between 1 and %d", int(MaxDuration/time.Second)))
	}
	if c.Kind != Video && c.VideoURL != "" {
		errs = append(errs, fault.Invalidf("video_url", "is allowed only for the kind %s", Video))
	}
	return fault.Join(errs...)
}
