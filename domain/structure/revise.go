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

// reviser builds a Revision.
type reviser struct {
	Revision
	was         Structure
	usage       Usage
	newID       func() uuid.UUID
	now         time.Time
	unnamed     map[string]activity.State // activities of the course that have not occurred in the plan yet
	seen        map[string]bool           // keys that have occurred in the plan
	archived    []activity.State          // activities that the plan archives
	quizzes     map[quiz.ID]definition[Quiz]
	assignments map[assignment.ID]definition[Assignment]
}

// definition is the definition of a quiz or an assignment in the plan, and the path at which it
// occurs.
type definition[T any] struct {
	plan T
	path string
}

// maxFaults is the number of faults after which Revise stops checking the plan. A response contains
// far fewer.
const maxFaults = 1000

// Revise returns the changes that make the course match the plan, or the faults of the plan (up to
// maxFaults), each with its path, such as activities[3].quiz.questions[0].text. usage must cover
// everything that UsageNeeded returns. newID generates ids.
//
// An activity that is not in the plan is deleted if it has no learner data and otherwise archived.
// An archived activity whose key is in the plan is restored, unless the plan archives it. The kind,
// quiz and assignment of an activity with learner data cannot change.
func (s Structure) Revise(p Plan, usage Usage, newID func() uuid.UUID, now time.Time) (Revision, error) {
	if p.shown() > MaxActivities {
		return Revision{}, fault.Invalidf("activities", "has too many elements (maximum is %d)", MaxActivities)
	}
	r := reviser{
		was: s, usage: usage, newID: newID, now: now, unnamed: s.byKey(), seen: map[string]bool{},
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
		path := fmt.Sprintf("activities[%d]", i)
		if plan.ArchivedAt == nil {
			position++
		}
		errs[i] = fault.InPath(path, r.activity(path, position, plan))
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

// activity applies the plan of one activity. position is ignored if the plan archives it.
func (r *reviser) activity(path string, position int, plan Activity) error {
	var errKey error
	if plan.Key != "" && r.seen[plan.Key] {
		errKey = fault.Invalidf("key", "is used more than once: %s", plan.Key)
	}
	r.seen[plan.Key] = true
	was, exists := r.unnamed[plan.Key]
	content, errContent := r.content(path, plan, was)
	if errContent != nil {
		content = activity.TextContent() // placeholder, so that the other fields are checked
	}
	a := activity.Restore(was)
	var err error
	if !exists {
		id := activity.ID{UUID: r.newID()}
		a, err = activity.New(id, r.was.Course, activity.Slot{Key: plan.Key, Position: position}, plan.Title, content, r.now)
	}
	if err == nil {
		err = a.Update(plan.Title, content, position, plan.ArchivedAt, r.now)
	}
	if err := fault.Join(errKey, err, errContent); err != nil {
		return err
	}
	delete(r.unnamed, plan.Key)
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

// dropRest archives or deletes the activities that are not in the plan.
func (r *reviser) dropRest() {
	for _, was := range r.was.Activities {
		if _, ok := r.unnamed[was.Key]; !ok {
			continue
		}
		if !r.usage.Activities[was.ID] {
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

// measure sets Progress if the number of activities that are not archived may have changed.
func (r *reviser) measure() {
	if len(r.Added)+len(r.Removed)+len(r.Report.Archived)+len(r.Report.Restored) == 0 {
		return
	}
	r.Progress = Progress(len(r.After.Activities))
}

// Progress returns the progress of an attempt at a course with the given number of activities,
// indexed by the number of completed ones.
func Progress(activities int) []decimal.Percent {
	progress := make([]decimal.Percent, activities+1)
	for done := range progress {
		progress[done] = attempt.Tally{Completed: done, Activities: activities}.Progress()
	}
	return progress
}
