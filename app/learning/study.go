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

// task is what somebody works on, and the row of a request that says so.
type task struct {
	person   person.ID
	activity activity.ID
	row      int // from 0; noRow when the request is about one task alone
}

const noRow = -1

// study is a person at work on an activity, within a course attempt. Until the
// end of the transaction nobody else records for them in this course.
type study struct {
	activity activity.State
	attempt  attempt.Attempt
	now      time.Time
	there    bool // whether the school has the activity
}

// studies is resolve, then begin unless anything is wrong with tasks.
func (u *Learning) studies(
	ctx context.Context, tx ports.Tx, tasks []task, now time.Time, locks ...func() error,
) ([]study, error) {
	r, err := u.resolve(ctx, tx, tasks, now, locks...)
	if err != nil {
		return r.all, err
	}
	return r.all, u.begin(ctx, tx, r)
}

// resolved is a study for each of tasks, without the course attempt until it is begun.
type resolved struct {
	tasks  []task
	all    []study
	pairs  []enrollment.Pair
	places map[enrollment.Pair]enrollment.Enrollment
	now    time.Time
}

// resolve returns the studies of tasks. What is wrong with tasks is on the fields
// activity and person; then of a study only the activity is there, if there is one.
// What else is locked after the courses and before the people, locks lock.
func (u *Learning) resolve(
	ctx context.Context, tx ports.Tx, tasks []task, now time.Time, locks ...func() error,
) (resolved, error) {
	all := make([]study, len(tasks))
	r := resolved{tasks: tasks, all: all, now: now}
	ids := make([]activity.ID, len(tasks))
	for i, t := range tasks {
		ids[i] = t.activity
	}
	found, err := tx.Activities.Load(ctx, ids)
	if err != nil {
		return resolved{}, err
	}
	for _, lock := range locks {
		if err := lock(); err != nil {
			return resolved{}, err
		}
	}
	for i, t := range tasks {
		act, ok := found[t.activity]
		if all[i] = (study{activity: act.State(), now: now, there: ok}); ok {
			r.pairs = append(r.pairs, all[i].pair(t))
		}
	}
	if r.places, err = tx.Enrollments.FindMany(ctx, r.pairs, enrollment.Learner); err == nil {
		err = checkTasks(ctx, tx, tasks, all, r.places)
	}
	return r, fault.Join(err, checkLive(tasks, all))
}

// begin finds the latest course attempts of the studies, and begins the first attempt of
// a person at a course where there is none.
func (u *Learning) begin(ctx context.Context, tx ports.Tx, r resolved) error {
	begun, err := u.attempts(ctx, tx, r.pairs, r.places, r.now)
	for i, t := range r.tasks {
		r.all[i].attempt = begun[r.all[i].pair(t)]
	}
	return err
}

func (s study) pair(t task) enrollment.Pair {
	return enrollment.Pair{Person: t.person, Course: s.activity.Course}
}

// checkLive says which tasks are about an activity that its course shows no more.
func checkLive(tasks []task, all []study) error {
	var errs []error
	for i, t := range tasks {
		errs = append(errs, fault.AtRow(all[i].activity.CheckLive(), t.row))
	}
	return fault.Join(errs...)
}

// checkTasks says which tasks name what there is not, or somebody who does not
// learn in the activity's course. Who has a place is there.
func checkTasks(
	ctx context.Context, tx ports.Tx, tasks []task, all []study, places map[enrollment.Pair]enrollment.Enrollment,
) error {
	var without []person.ID
	for i, t := range tasks {
		if _, ok := places[all[i].pair(t)]; !ok {
			without = append(without, t.person)
		}
	}
	if len(without) == 0 {
		return nil
	}
	people, err := tx.People.Load(ctx, without)
	if err != nil {
		return err
	}
	var errs []error
	for i, t := range tasks {
		if _, ok := places[all[i].pair(t)]; ok {
			continue
		}
		if !all[i].there {
			errs = append(errs, t.missing("activity"))
		}
		if _, ok := people[t.person]; !ok {
			errs = append(errs, t.missing("person"))
		} else if all[i].there {
			errs = append(errs, t.invalid("person", "is not enrolled in the course as a learner"))
		}
	}
	return fault.Join(errs...)
}

// missing says that the task's field names no record of the school.
func (t task) missing(field string) error {
	return fault.AtRow(fault.At(field, fault.Missing()), t.row)
}

// invalid says that the task's field breaks a rule.
func (t task) invalid(field, detail string) error {
	return fault.AtRow(fault.Invalidf(field, "%s", detail), t.row)
}

// attempts returns the latest attempts of pairs, all of whom have places; who has
// none yet begins one.
func (u *Learning) attempts(
	ctx context.Context, tx ports.Tx, pairs []enrollment.Pair, places map[enrollment.Pair]enrollment.Enrollment, now time.Time,
) (map[enrollment.Pair]attempt.Attempt, error) {
	begun, err := tx.Attempts.LatestMany(ctx, pairs)
	if err != nil {
		return nil, err
	}
	var first []attempt.Attempt
	for _, pair := range pairs {
		if _, ok := begun[pair]; !ok {
			begun[pair] = attempt.Begin(attempt.ID{UUID: u.deps.IDs.New()}, places[pair], nil, now)
			first = append(first, begun[pair])
		}
	}
	if len(first) == 0 {
		return begun, nil
	}
	return begun, tx.Attempts.AddMany(ctx, first)
}

// record does what fn does in a transaction in which the person is at work on
// the activity id.
func (u *Learning) record(
	ctx context.Context, a usecase.Actor, p person.ID, id activity.ID, fn func(context.Context, ports.Tx, study) error,
) error {
	now := u.deps.Clock.Now()
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		all, err := u.studies(ctx, tx, []task{{p, id, noRow}}, now)
		if err != nil {
			return err
		}
		return fn(ctx, tx, all[0])
	})
}

// itself returns err, in which a fault that field names no record tells that the
// record which was asked for is not there.
func itself(err error, field string) error {
	for _, f := range fault.All(err) {
		if f.Kind == fault.NotFound && f.Field == field {
			return fault.Missing()
		}
	}
	return err
}
