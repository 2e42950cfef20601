package structure

import (
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/attempt"
	"lyceum/domain/decimal"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
)

// revising is a revision in the making.
type revising struct {
	Revision
	was         Structure
	facts       Facts
	newID       func() uuid.UUID
	now         time.Time
	left        map[string]activity.State // not named by the plan so far
	seen        map[string]bool           // keys of the plan
	archived    []activity.State          // of the plan
	quizzes     map[quiz.ID]definition[Quiz]
	assignments map[assignment.ID]definition[Assignment]
}

// definition is what the plan says of a quiz or an assignment, and where.
type definition[T any] struct {
	plan  T
	place string
}

// maxFaults is how many faults of a plan are looked for. It is far above what a response
// shows, some of which the caller may leave out.
const maxFaults = 1000

// Revise returns what has to be done so that the course is as the plan says, or
// what is wrong with the plan (all of it, up to maxFaults), each fault with its place, such as
// activities[3].quiz.questions[0].text. facts tells of all that Doubts has
// asked for; newID makes ids.
//
// An activity that the plan does not name is removed when no learner has done
// anything in it, else archived. To name the key of an archived one brings it
// back, unless the plan archives it. Kind, quiz and assignment of an activity in which a learner has done
// anything stay as they are.
func (s Structure) Revise(p Plan, facts Facts, newID func() uuid.UUID, now time.Time) (Revision, error) {
	if p.shown() > MaxActivities {
		return Revision{}, fault.Invalidf("activities", "must be at most %d", MaxActivities)
	}
	r := revising{
		was: s, facts: facts, newID: newID, now: now, left: s.byKey(), seen: map[string]bool{},
		quizzes: map[quiz.ID]definition[Quiz]{}, assignments: map[assignment.ID]definition[Assignment]{},
	}
	r.After = s.copy()
	r.After.Activities = nil
	errs := make([]error, len(p.Activities))
	position, found := 0, 0
	for i, plan := range p.Activities {
		if found >= maxFaults {
			break
		}
		place := fmt.Sprintf("activities[%d]", i)
		if plan.ArchivedAt == nil {
			position++
		}
		errs[i] = fault.Within(place, r.activity(place, position, plan))
		found += len(fault.All(errs[i]))
	}
	if err := fault.Join(errs...); err != nil {
		return Revision{}, err
	}
	r.dropRest()
	r.report()
	r.measure()
	return r.Revision, nil
}

// activity makes the activity as its plan says, at a position unless it is to be
// archived.
func (r *revising) activity(place string, position int, plan Activity) error {
	var errKey error
	if plan.Key != "" && r.seen[plan.Key] {
		errKey = fault.Invalidf("key", "is there already: %s", plan.Key)
	}
	r.seen[plan.Key] = true
	was, exists := r.left[plan.Key]
	content, errContent := r.content(place, plan, was)
	if errContent != nil {
		content = activity.Reading() // so that the rest is checked
	}
	a := activity.Restore(was)
	var err error
	if !exists {
		id := activity.ID{UUID: r.newID()}
		a, err = activity.New(id, r.was.Course, activity.Place{Key: plan.Key, Position: position}, plan.Title, content, r.now)
	}
	if err == nil {
		err = a.Revise(plan.Title, content, position, plan.ArchivedAt, r.now)
	}
	if err := fault.Join(errKey, err, errContent); err != nil {
		return err
	}
	delete(r.left, plan.Key)
	switch state := a.State(); {
	case !exists:
		r.Added = append(r.Added, a)
	case state != was:
		r.Changed = append(r.Changed, a)
	}
	if !a.State().Archived() {
		r.After.Activities = append(r.After.Activities, a.State())
		return nil
	}
	r.archived = append(r.archived, a.State())
	if exists && !was.Archived() {
		r.Report.Archived = append(r.Report.Archived, entryOf(was))
	}
	return nil
}

// dropRest archives or removes what the plan does not name.
func (r *revising) dropRest() {
	for _, was := range r.was.Activities {
		if _, ok := r.left[was.Key]; !ok {
			continue
		}
		if !r.facts.Activities[was.ID] {
			r.Removed = append(r.Removed, was.ID)
			r.Report.Deleted = append(r.Report.Deleted, entryOf(was))
			continue
		}
		a := activity.Restore(was)
		a.Archive(r.now)
		r.Changed = append(r.Changed, a)
		r.After.Archived = append(r.After.Archived, a.State())
		r.Report.Archived = append(r.Report.Archived, entryOf(was))
	}
	r.After.Archived = slices.DeleteFunc(r.After.Archived, func(a activity.State) bool { return r.seen[a.Key] })
	r.After.Archived = append(r.After.Archived, r.archived...)
	slices.SortFunc(r.After.Archived, byKey)
}

// measure works out the progress when the course has other activities than
// before.
func (r *revising) measure() {
	if len(r.Added)+len(r.Removed)+len(r.Report.Archived)+len(r.Report.Restored) == 0 {
		return
	}
	r.Progress = Progress(len(r.After.Activities))
}

// Progress returns that of an attempt at a course of so many activities, by how
// many of them are completed in it.
func Progress(activities int) []decimal.Percent {
	progress := make([]decimal.Percent, activities+1)
	for done := range progress {
		progress[done] = attempt.Tally{Completed: done, Activities: activities}.Progress()
	}
	return progress
}
