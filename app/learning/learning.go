package learning

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/audit"
	"lyceum/domain/change"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/ports"
)

// Learning records what learners do, with the resulting progress and scores. A person's first
// action in a course starts their first course attempt.
type Learning struct {
	deps    usecase.Deps
	files   ports.Files
	batcher eventBatcher
}

// New returns the use cases of learners. files stores submitted files.
func New(d usecase.Deps, files ports.Files) *Learning {
	return &Learning{deps: d, files: files}
}

// CompleteActivity adds the completion of an activity to the person's latest course attempt. It
// returns the completion, without names, and reports whether it is new. An existing completion is
// left unchanged.
func (u *Learning) CompleteActivity(
	ctx context.Context, a usecase.Actor, p person.ID, id activity.ID,
) (done analytics.Completion, fresh bool, err error) {
	if a, err = a.ActFor(p); err != nil {
		return done, false, err
	}
	now := u.deps.Clock.Now()
	err = u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		by, err := u.deps.Request(ctx, tx.School, a, now)
		if err != nil {
			return err
		}
		r, err := u.resolve(ctx, tx, []activityRef{{p, id, noRow}}, func(int) policy.Request { return by })
		if err != nil {
			return err
		}
		if err := u.begin(ctx, tx, r); err != nil {
			return err
		}
		done, fresh, err = u.complete(ctx, tx, r.contexts[0])
		return err
	})
	return done, fresh, asRecordNotFound(err, "activity")
}

// complete adds the completion of an activity. It returns the completion and reports whether it is
// new. A completion that has no effect is returned as a new completion.
func (u *Learning) complete(ctx context.Context, tx ports.Tx, s activityContext) (analytics.Completion, bool, error) {
	in := s.attempt.State()
	done := analytics.Completion{
		Completion: attempt.Completion{Attempt: in.ID, Activity: s.activity.ID, At: s.learner.At},
		Person:     in.Person, Course: in.Course, CourseAttemptNumber: in.Number,
	}
	all := []activityContext{s}
	verdicts, err := checkCompletions(ctx, u.deps.Policies.Living, tx, all)
	if err != nil {
		return done, false, err
	}
	if effect, err := policy.Effect(policy.Combine(s.verdict, verdicts[0])); !effect {
		return done, true, usecase.AtData(err)
	}
	if err := addFresh(ctx, tx, all); err != nil {
		return done, false, err
	}
	made, err := saveCompletions(ctx, tx, all)
	if err != nil || len(made) > 0 {
		return done, true, err
	}
	done.Completion, err = tx.Attempts.GetCompletion(ctx, in.ID, s.activity.ID)
	return done, false, err
}

// StartCourseAttempt starts a person's next attempt at the course ref, which is an ID or a
// permalink, and returns it. The previous attempt must be complete.
func (u *Learning) StartCourseAttempt(ctx context.Context, a usecase.Actor, ref string, p person.ID) (attempt.Attempt, error) {
	now := u.deps.Clock.Now()
	var begun attempt.Attempt
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		id, err := usecase.CourseID(ctx, tx.Courses, ref)
		if err != nil {
			return err
		}
		if _, err := tx.Courses.Get(ctx, id); err != nil {
			return err
		}
		by, err := u.deps.Request(ctx, tx.School, a, now)
		if err != nil {
			return err
		}
		if begun, err = u.beginNext(ctx, tx, enrollment.PersonCourse{Person: p, Course: id}, by); err != nil {
			return err
		}
		return tx.Audit.Add(ctx, audit.Created, change.Record{Type: attempt.Type, ID: begun.State().ID.String()})
	})
	return begun, err
}

// beginNext adds the next attempt of pair, unless a rule refuses it.
func (u *Learning) beginNext(
	ctx context.Context, tx ports.Tx, pair enrollment.PersonCourse, by policy.Request,
) (attempt.Attempt, error) {
	pairs := []enrollment.PersonCourse{pair}
	learners, err := newLearners(ctx, u.deps, tx, pairs)
	if err != nil {
		return attempt.Attempt{}, err
	}
	enrollments, err := tx.Enrollments.GetManyForUpdate(ctx, pairs, enrollment.Learner)
	if err == nil {
		t := []activityRef{{person: pair.Person, row: noRow}}
		err = checkReferences(ctx, tx, t, []activityContext{{activity: activity.State{Course: pair.Course}, exists: true}}, enrollments)
	}
	if err != nil {
		return attempt.Attempt{}, err
	}
	begun, err := tx.Attempts.LatestMany(ctx, pairs)
	if err != nil {
		return attempt.Attempt{}, err
	}
	var last *attempt.Attempt
	d := policy.BeginningAttempt{Learner: learners.of(by, pair), Number: 1}
	if found, ok := begun[pair]; ok {
		state := found.State()
		last, d.Last, d.Number = &found, &state, state.Number+1
	}
	made := attempt.Begin(attempt.ID{UUID: u.deps.IDs.New()}, enrollments[pair], last, by.At)
	if effect, err := policy.Effect(u.deps.Policies.Living.BeginAttempt.Check(d)); !effect {
		return made, err
	}
	return made, tx.Attempts.Add(ctx, made)
}
