package structure

import (
	"time"

	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
)

const begun = "cannot be changed: learners have begun the activity"

// content returns what the plan wants an activity to hold, which was is before,
// if it is at all.
func (r *revising) content(place string, plan Activity, was activity.State) (activity.Content, error) {
	kind, err := activity.ParseKind(plan.Kind)
	if plan.Kind == "" {
		err = fault.Blank("kind")
	}
	if err != nil {
		return activity.Content{}, err
	}
	errs := []error{plan.strays(kind)}
	content := activity.Content{Kind: kind}
	switch kind {
	case activity.Video:
		content, err = plan.video()
	case activity.Quiz:
		content.Quiz, err = r.quiz(place, plan.Quiz, was.Content.Quiz)
		err = fault.Within("quiz", err)
	case activity.Assignment:
		content.Assignment, err = r.assignment(place, plan.Assignment, was.Content.Assignment)
		err = fault.Within("assignment", err)
	}
	errs = append(errs, err)
	if r.facts.Activities[was.ID] {
		errs = append(errs, r.keeps(content, was.Content))
	}
	return content, fault.Join(errs...)
}

// keeps says what the content of an activity that learners have begun may not
// be.
func (r *revising) keeps(content, was activity.Content) error {
	switch {
	case content.Kind != was.Kind:
		return fault.Invalidf("kind", begun)
	case content.Quiz != was.Quiz && content.Quiz != (quiz.ID{}):
		return fault.Invalidf("quiz.id", begun)
	case content.Assignment != was.Assignment && content.Assignment != (assignment.ID{}):
		return fault.Invalidf("assignment.id", begun)
	}
	return nil
}

// strays says what the plan has that its kind has not.
func (a Activity) strays(kind activity.Kind) error {
	var errs []error
	for _, part := range []struct {
		name string
		has  bool
		of   activity.Kind
	}{
		{"duration", a.Duration != nil, activity.Video},
		{"quiz", a.Quiz != nil, activity.Quiz},
		{"assignment", a.Assignment != nil, activity.Assignment},
	} {
		if part.has && kind != part.of {
			errs = append(errs, fault.Invalidf(part.name, "is for the kind %s alone", part.of))
		}
	}
	return fault.Join(errs...)
}

func (a Activity) video() (activity.Content, error) {
	if a.Duration == nil {
		return activity.Content{}, fault.Blank("duration")
	}
	// What is not whole seconds of a day is beyond them as well, and does not wrap.
	longest := int64(activity.MaxLength / time.Second)
	length := time.Duration(min(max(*a.Duration, 0), longest+1)) * time.Second
	content := activity.Watching(length)
	return content, fault.At("duration", content.Check())
}
