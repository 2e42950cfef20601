package learning

import (
	"context"
	"time"

	"lyceum/app/usecase"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/ports"
)

// Learning records what learners do, with the resulting progress and scores. A person's first
// action in a course starts their first course attempt.
type Learning struct {
	deps    usecase.Deps
	files   ports.Files
	batcher eventBatcher
}

// New returns the use cases of learners. Submitted files are stored in files.
func New(d usecase.Deps, files ports.Files) *Learning {
	return &Learning{deps: d, files: files}
}

// CompleteActivity adds the completion of an activity to the person's latest course attempt. It
// returns the completion, without names, and reports whether it is new. An existing completion is
// left unchanged.
func (u *Learning) CompleteActivity(
	ctx context.Context, a usecase.Actor, p person.ID, id activity.ID,
) (done analytics.Completion, fresh bool, err error) {
	err = u.record(ctx, a, p, id, func(ctx context.Context, tx ports.Tx, s activityContext) error {
		in := s.attempt.State()
		now := attempt.Completion{Attempt: in.ID, Activity: id, At: s.now}
		done = analytics.Completion{Completion: now, Person: in.Person, Course: in.Course, CourseAttemptNumber: in.Number}
		made, refused, err := completeAll(ctx, u.deps.Policies.Living, tx, []activityContext{s})
		if err == nil {
			err = refused[0]
		}
		if fresh = len(made) > 0; err != nil || fresh {
			return err
		}
		done.Completion, err = tx.Attempts.GetCompletion(ctx, in.ID, id)
		return err
	})
	return done, fresh, asRecordNotFound(err, "activity")
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
		begun, err = u.beginNext(ctx, tx, enrollment.PersonCourse{Person: p, Course: id}, now)
		return err
	})
	return begun, err
}

func (u *Learning) beginNext(
	ctx context.Context, tx ports.Tx, pair enrollment.PersonCourse, now time.Time,
) (attempt.Attempt, error) {
	pairs := []enrollment.PersonCourse{pair}
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
	if found, ok := begun[pair]; ok {
		if err := found.CheckRetake(); err != nil {
			return attempt.Attempt{}, err
		}
		last = &found
	}
	made := attempt.Begin(attempt.ID{UUID: u.deps.IDs.New()}, enrollments[pair], last, now)
	return made, tx.Attempts.Add(ctx, made)
}
