package learning

import (
	"context"
	"time"

	"lyceum/app/usecase"
	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/ports"
)

// activityRef names an activity and a person, in a row of a request.
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
	now      time.Time
	exists   bool // whether the activity exists
}

// resolveActivities calls resolve and, unless that fails, begin.
func (u *Learning) resolveActivities(
	ctx context.Context, tx ports.Tx, refs []activityRef, now time.Time, locks ...func() error,
) ([]activityContext, error) {
	r, err := u.resolve(ctx, tx, refs, now, locks...)
	if err != nil {
		return r.contexts, err
	}
	return r.contexts, u.begin(ctx, tx, r)
}

// resolved is the contexts of refs. begin fills in their attempts.
type resolved struct {
	refs        []activityRef
	contexts    []activityContext
	pairs       []enrollment.PersonCourse
	enrollments map[enrollment.PersonCourse]enrollment.Enrollment
	now         time.Time
}

// resolve loads the activity of each ref and locks the enrollments of the people. Invalid refs are
// faults on the fields activity and person; then only existing activities are filled in. It calls
// locks after courses and before people are locked.
func (u *Learning) resolve(
	ctx context.Context, tx ports.Tx, refs []activityRef, now time.Time, locks ...func() error,
) (resolved, error) {
	all := make([]activityContext, len(refs))
	r := resolved{refs: refs, contexts: all, now: now}
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
		if all[i] = (activityContext{activity: act.State(), now: now, exists: ok}); ok {
			r.pairs = append(r.pairs, all[i].pair(t))
		}
	}
	if r.enrollments, err = tx.Enrollments.GetManyForUpdate(ctx, r.pairs, enrollment.Learner); err == nil {
		err = checkReferences(ctx, tx, refs, all, r.enrollments)
	}
	return r, fault.Join(err, checkNotArchived(refs, all))
}

// begin fills in each person's latest course attempt. It starts the first attempt of a person who
// has none.
func (u *Learning) begin(ctx context.Context, tx ports.Tx, r resolved) error {
	begun, err := u.latestAttempts(ctx, tx, r.pairs, r.enrollments, r.now)
	for i, t := range r.refs {
		r.contexts[i].attempt = begun[r.contexts[i].pair(t)]
	}
	return err
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
// person is not a learner in the activity's course. It does not look up people who have an
// enrollment.
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

// missing returns the fault that the record in a field does not exist.
func (t activityRef) missing(field string) error {
	return fault.AtRow(fault.OnField(field, fault.RecordNotFound()), t.row)
}

func (t activityRef) invalid(field, detail string) error {
	return fault.AtRow(fault.Invalidf(field, "%s", detail), t.row)
}

// latestAttempts returns the latest attempts of enrolled people. It starts the first attempt of a
// person who has none.
func (u *Learning) latestAttempts(
	ctx context.Context, tx ports.Tx, pairs []enrollment.PersonCourse, enrollments map[enrollment.PersonCourse]enrollment.Enrollment, now time.Time,
) (map[enrollment.PersonCourse]attempt.Attempt, error) {
	begun, err := tx.Attempts.LatestMany(ctx, pairs)
	if err != nil {
		return nil, err
	}
	var first []attempt.Attempt
	for _, pair := range pairs {
		if _, ok := begun[pair]; !ok {
			begun[pair] = attempt.Begin(attempt.ID{UUID: u.deps.IDs.New()}, enrollments[pair], nil, now)
			first = append(first, begun[pair])
		}
	}
	if len(first) == 0 {
		return begun, nil
	}
	return begun, tx.Attempts.AddMany(ctx, first)
}

// record calls fn in a transaction, with the context of the activity id and a person.
func (u *Learning) record(
	ctx context.Context, a usecase.Actor, p person.ID, id activity.ID, fn func(context.Context, ports.Tx, activityContext) error,
) error {
	now := u.deps.Clock.Now()
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		all, err := u.resolveActivities(ctx, tx, []activityRef{{p, id, noRow}}, now)
		if err != nil {
			return err
		}
		return fn(ctx, tx, all[0])
	})
}

// asRecordNotFound returns a NotFound fault without a field if err is one on field, otherwise err.
// It is for use cases whose client names the record in the URL.
func asRecordNotFound(err error, field string) error {
	for _, f := range fault.All(err) {
		if f.Kind == fault.NotFound && f.Field == field {
			return fault.RecordNotFound()
		}
	}
	return err
}
