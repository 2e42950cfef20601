package app

import (
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/completion"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/quizattempt"
	"lyceum/domain/submission"
	"lyceum/domain/text"
)

// learned is what has been learned in a school, drafted by the rules by which
// Learning records it.
type learned struct {
	attempts     []*attempt.Attempt
	completions  []attempt.Completion
	quizAttempts []*quizattempt.Attempt
	submissions  []handedIn
	events       []occurrence
}

type handedIn struct {
	submission.Submission
	text string
}

type occurrence struct {
	event.Event
	at time.Time
}

// learner is a person in a course.
type learner struct {
	person person.ID
	course course.ID
}

// fact is a FactPlan with its place in the blueprint.
type fact struct {
	FactPlan
	course course.Course
	place  string
}

// facts drafts what the learners of b have done, in the order of time.
func (d *drafting) facts(b Blueprint) {
	var all []fact
	for i, c := range b.Courses {
		for j, p := range c.Facts {
			p.At = at(p.At, d.now)
			all = append(all, fact{p, d.courses[i], element("courses", i) + "." + element("facts", j)})
		}
	}
	slices.SortStableFunc(all, func(x, y fact) int { return x.At.Compare(y.At) })
	for _, f := range all {
		d.failed(f.place, d.fact(f))
	}
}

func (d *drafting) fact(f fact) error {
	who, ok := d.personByEmail[text.Key(f.Email)]
	if !ok {
		return fault.Invalidf("email", "there is nobody %q", f.Email)
	}
	id := learner{who.State().ID, f.course.State().ID}
	e, ok := d.learners[id]
	if !ok {
		return fault.Invalidf("email", "%q is no learner of the course", f.Email)
	}
	if f.Did == Retook {
		return d.retake(e, f)
	}
	act, err := d.activityByTitle[id.course].find("activity", "activity", f.Activity)
	if err != nil {
		return err
	}
	in := d.latest[id]
	if in == nil {
		in = d.begin(e, nil, f.At)
	}
	switch f.Did {
	case Viewed:
		return d.occurred(event.View(id.person, act.ID), nil, f.At)
	case Watched:
		e, err := event.Watch(id.person, act, f.Fraction)
		if err == nil && completion.ByEvent(e) {
			d.complete(in, act, f.At)
		}
		return d.occurred(e, err, f.At)
	case Completed:
		d.complete(in, act, f.At)
		return nil
	case Answered:
		return d.answer(in, act, f)
	case Submitted:
		return d.submit(in, act, f)
	}
	return fault.Blank("did")
}

// begin opens the attempt after last.
func (d *drafting) begin(e enrollment.Enrollment, last *attempt.Attempt, now time.Time) *attempt.Attempt {
	number := 1
	if last != nil {
		number = last.State().Number + 1
	}
	id := uuid.NewSHA1(e.Person.UUID, fmt.Appendf(nil, "attempt %d %s", number, e.Course))
	begun := attempt.Begin(attempt.ID{UUID: id}, e, last, now)
	d.attempts = append(d.attempts, &begun)
	d.latest[learner{e.Person, e.Course}] = &begun
	return &begun
}

func (d *drafting) retake(e enrollment.Enrollment, f fact) error {
	last := d.latest[learner{e.Person, e.Course}]
	if last != nil {
		if err := last.CheckRetake(); err != nil {
			return err
		}
	}
	d.begin(e, last, f.At)
	return nil
}

func (d *drafting) occurred(e event.Event, err error, at time.Time) error {
	if err == nil {
		d.events = append(d.events, occurrence{e, at})
	}
	return err
}

func (d *drafting) complete(in *attempt.Attempt, act activity.State, now time.Time) {
	id := in.State().ID
	done := d.completed[id]
	switch {
	case done[act.ID]:
		return
	case done == nil:
		done = map[activity.ID]bool{}
		d.completed[id] = done
	}
	done[act.ID] = true
	d.completions = append(d.completions, attempt.Completion{Attempt: id, Activity: act.ID, At: now})
	in.Measure(attempt.Tally{Completed: len(done), Activities: d.activitiesOf[act.Course], LastAt: &now})
}
