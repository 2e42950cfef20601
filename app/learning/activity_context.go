package learning

import (
	"context"

	"github.com/google/uuid"
	"lyceum/app/usecase"
	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/audit"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/query"
	"lyceum/ports"
)

// activityRef identifies an activity and a person in a row of a request.
type activityRef struct {
	person   person.ID
	activity activity.ID
	row      int // 0-based; noRow if the request is about one activity
}

const noRow = -1

// activityContext is an activity with a person's latest course attempt. The person's enrollment is
// locked for update.
type activityContext struct {
	activity activity.State
	attempt  attempt.Attempt
	learner  policy.Learner
	exists   bool  // whether the activity exists
	fresh    bool  // whether attempt is new and not saved yet
	verdict  error // verdict of the rules on beginning attempt

	origin *audit.Origin // of the completion of the activity; nil: the origin of the transaction
}

// work returns the data about s that rules receive.
func (s activityContext) work() policy.Work {
	return policy.Work{Learner: s.learner, Activity: s.activity, Attempt: s.attempt.State()}
}

// resolved contains the activity context of each ref. begin sets their attempts.
type resolved struct {
	refs        []activityRef
	contexts    []activityContext
	pairs       []enrollment.PersonCourse
	enrollments map[enrollment.PersonCourse]enrollment.Enrollment
}

// resolve loads the activity of each ref and locks the enrollments of the people. For invalid refs
// it returns faults on the fields activity and person; in that case it sets only the activities
// that exist. If a learner sends the request of a ref, an activity of a course in which the learner
// is not enrolled does not exist. It calls locks after it has locked courses and before it locks
// people. by(i) returns the request of refs[i].
func (u *Learning) resolve(
	ctx context.Context, tx ports.Tx, refs []activityRef, by func(i int) policy.Request, locks ...func() error,
) (resolved, error) {
	all := make([]activityContext, len(refs))
	r := resolved{refs: refs, contexts: all}
	ids := make([]activity.ID, len(refs))
	for i, t := range refs {
		ids[i] = t.activity
	}
	found, err := tx.Activities.GetManyForShare(ctx, ids)
	if err != nil {
		return resolved{}, err
	}
	for _, lock := range locks {
		if err := lock(); err != nil {
			return resolved{}, err
		}
	}
	for i, t := range refs {
		act, ok := found[t.activity]
		if all[i] = (activityContext{activity: act.State(), exists: ok}); ok {
			r.pairs = append(r.pairs, all[i].pair(t))
		}
	}
	learners, err := newLearners(ctx, u.deps, tx, r.pairs)
	if err != nil {
		return resolved{}, err
	}
	for i, t := range refs {
		all[i].learner = learners.of(by(i), all[i].pair(t))
	}
	if r.enrollments, err = tx.Enrollments.GetManyForUpdate(ctx, r.pairs, enrollment.Learner); err == nil {
		for i, t := range refs {
			if _, ok := r.enrollments[all[i].pair(t)]; !ok && by(i).By.Learner != (person.ID{}) {
				all[i].activity, all[i].exists = activity.State{}, false
			}
		}
		err = checkReferences(ctx, tx, refs, all, r.enrollments)
	}
	return r, fault.Join(err, checkNotArchived(refs, all))
}

func (s activityContext) pair(t activityRef) enrollment.PersonCourse {
	return enrollment.PersonCourse{Person: t.person, Course: s.activity.Course}
}

// checkNotArchived returns faults for the refs to archived activities.
func checkNotArchived(refs []activityRef, all []activityContext) error {
	var errs []error
	for i, t := range refs {
		errs = append(errs, fault.AtRow(all[i].activity.CheckNotArchived(), t.row))
	}
	return fault.Join(errs...)
}

// checkReferences returns a fault for each ref whose activity or person does not exist, or whose
// person is not a learner in the activity's course. It looks up only people without an enrollment.
func checkReferences(
	ctx context.Context, tx ports.Tx, refs []activityRef, all []activityContext, enrollments map[enrollment.PersonCourse]enrollment.Enrollment,
) error {
	var without []person.ID
	for i, t := range refs {
		if _, ok := enrollments[all[i].pair(t)]; !ok {
			without = append(without, t.person)
		}
	}
	if len(without) == 0 {
		return nil
	}
	people, err := tx.People.GetManyForShare(ctx, without)
	if err != nil {
		return err
	}
	var errs []error
	for i, t := range refs {
		if _, ok := enrollments[all[i].pair(t)]; ok {
			continue
		}
		if !all[i].exists {
			errs = append(errs, t.missing("activity"))
		}
		if _, ok := people[t.person]; !ok {
			errs = append(errs, t.missing("person"))
		} else if all[i].exists {
			errs = append(errs, t.invalid("person", "is not enrolled in the course as a learner"))
		}
	}
	return fault.Join(errs...)
}

// missing returns the fault for a field that refers to a record that does not exist.
func (t activityRef) missing(field string) error {
	return fault.AtRow(fault.OnField(field, fault.RecordNotFound()), t.row)
}

func (t activityRef) invalid(field, detail string) error {
	return fault.AtRow(fault.Invalidf(field, "%s", detail), t.row)
}

// activitiesOf is like usecase.ActivitiesOf in a transaction. of is the attribute of activities with
// the ID of the quiz or the assignment.
func activitiesOf(ctx context.Context, tx ports.Tx, learner person.ID, of string, id uuid.UUID) ([]activity.ID, error) {
	return usecase.ActivitiesOf(ctx, tx.Activities, tx.Enrollments, learner, query.HasID(activity.Schema.Attr(of), id))
}

// asRecordNotFound returns fault.RecordNotFound if err contains a NotFound fault on field, and err
// otherwise. Use it if the URL of the request identifies the record.
func asRecordNotFound(err error, field string) error {
	for _, f := range fault.All(err) {
		if f.Kind == fault.NotFound && f.Field == field {
			return fault.RecordNotFound()
		}
	}
	return err
}
