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

// Learning is where what learners do is recorded: facts, and in the same
// transaction the figures that follow from them. Whoever does the first thing in
// a course opens their first attempt at it.
type Learning struct {
	deps     usecase.Deps
	files    ports.Files
	together together
}

// New returns the use cases of learners; what they submit goes to files.
func New(d usecase.Deps, files ports.Files) *Learning {
	return &Learning{deps: d, files: files}
}

// Finish records that a person has completed an activity and returns the
// completion, without the names, and whether it is new. To complete an activity
// again in the same attempt changes nothing and returns the first completion.
func (u *Learning) Finish(
	ctx context.Context, a usecase.Actor, p person.ID, id activity.ID,
) (done analytics.Completion, fresh bool, err error) {
	err = u.record(ctx, a, p, id, func(ctx context.Context, tx ports.Tx, s study) error {
		in := s.attempt.State()
		now := attempt.Completion{Attempt: in.ID, Activity: id, At: s.now}
		done = analytics.Completion{Completion: now, Person: in.Person, Course: in.Course, CourseNumber: in.Number}
		made, refused, err := completeAll(ctx, u.deps.Policies.Living, tx, []study{s})
		if err == nil {
			err = refused[0]
		}
		if fresh = len(made) > 0; err != nil || fresh {
			return err
		}
		done.Completion, err = tx.Attempts.Completed(ctx, in.ID, id)
		return err
	})
	return done, fresh, itself(err, "activity")
}

// Begin opens a person's first or next attempt at the course that ref names, its
// UUID or its permalink, and returns it. The one before must be complete.
func (u *Learning) Begin(ctx context.Context, a usecase.Actor, ref string, p person.ID) (attempt.Attempt, error) {
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
		begun, err = u.beginNext(ctx, tx, enrollment.Pair{Person: p, Course: id}, now)
		return err
	})
	return begun, err
}

// beginNext adds the next attempt of pair.
func (u *Learning) beginNext(
	ctx context.Context, tx ports.Tx, pair enrollment.Pair, now time.Time,
) (attempt.Attempt, error) {
	pairs := []enrollment.Pair{pair}
	places, err := tx.Enrollments.FindMany(ctx, pairs, enrollment.Learner)
	if err == nil {
		t := []task{{person: pair.Person, row: noRow}}
		err = checkTasks(ctx, tx, t, []study{{activity: activity.State{Course: pair.Course}, there: true}}, places)
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
	made := attempt.Begin(attempt.ID{UUID: u.deps.IDs.New()}, places[pair], last, now)
	return made, tx.Attempts.Add(ctx, made)
}
