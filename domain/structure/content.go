package structure

import (
	"time"

	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
)

const msgBegun = "cannot be changed: learners have started the activity"

// content returns the planned content of an activity. was is the existing activity, or zero for a
// new one.
func (r *reviser) content(path string, plan Activity, was activity.State) (activity.Content, error) {
	kind, err := activity.ParseKind(plan.Kind)
	if plan.Kind == "" {
		err = fault.Blank("kind")
	}
	if err != nil {
		return activity.Content{}, err
	}
	errs := []error{plan.checkKindFields(kind)}
	content := activity.Content{Kind: kind}
	switch kind {
	case activity.Video:
		content, err = plan.video(was.Content)
	case activity.Quiz:
		content.Quiz, err = r.quiz(path, plan.Quiz, was.Content.Quiz)
		err = fault.InPath("quiz", err)
	case activity.Assignment:
		content.Assignment, err = r.assignment(path, plan.Assignment, was.Content.Assignment)
		err = fault.InPath("assignment", err)
	}
	content.Text = planned(plan.Text, was.Content.Text)
	errs = append(errs, err, activity.CheckText(content.Text))
	if r.usage.Activities[was.ID] {
		errs = append(errs, r.checkKept(content, was.Content))
	}
	return content, fault.Join(errs...)
}

// checkKept returns a fault if the plan changes the kind, quiz or assignment of an activity that
// has learner data.
func (r *reviser) checkKept(content, was activity.Content) error {
	switch {
	case content.Kind != was.Kind:
		return fault.Invalidf("kind", msgBegun)
	case content.Quiz != was.Quiz && content.Quiz != (quiz.ID{}):
		return fault.Invalidf("quiz.id", msgBegun)
	case content.Assignment != was.Assignment && content.Assignment != (assignment.ID{}):
		return fault.Invalidf("assignment.id", msgBegun)
	}
	return nil
}

// checkKindFields returns a fault for each field that the activity's kind does not allow.
func (a Activity) checkKindFields(kind activity.Kind) error {
	var errs []error
	for _, part := range []struct {
		name string
		has  bool
		of   activity.Kind
	}{
		{"duration", a.Duration != nil, activity.Video},
		{"video_url", a.VideoURL != nil, activity.Video},
		{"quiz", a.Quiz != nil, activity.Quiz},
		{"assignment", a.Assignment != nil, activity.Assignment},
	} {
		if part.has && kind != part.of {
			errs = append(errs, fault.Invalidf(part.name, "is allowed only for the kind %s", part.of))
		}
	}
	return fault.Join(errs...)
}

// planned returns the planned value of a field, which is was if the plan does not contain it.
func planned(plan *string, was string) string {
	if plan == nil {
		return was
	}
	return *plan
}

// video returns the planned content of a video. was is the existing content.
func (a Activity) video(was activity.Content) (activity.Content, error) {
	address := planned(a.VideoURL, was.VideoURL)
	if a.Duration == nil {
		return activity.Content{}, fault.Join(fault.Blank("duration"), activity.CheckVideoURL(address))
	}
	// Clamp the duration before the multiplication, which could overflow.
	longest := int64(activity.MaxDuration / time.Second)
	length := time.Duration(min(max(*a.Duration, 0), longest+1)) * time.Second
	content := activity.VideoContent(length)
	err := fault.OnField("duration", content.Check())
	content.VideoURL = address
	return content, fault.Join(err, activity.CheckVideoURL(address))
}
