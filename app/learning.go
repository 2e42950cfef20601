package app

import (
	"context"
	"time"

	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/ports"
)

// Learning is where what learners do is recorded: facts, and in the same
// transaction the figures that follow from them. Whoever does the first thing in
// a course opens their first attempt at it.
type Learning struct {
	deps
	files ports.Files
}

// View records that a person has viewed an activity.
func (u *Learning) View(ctx context.Context, a Actor, p person.ID, id activity.ID) error {
	return u.record(ctx, a, p, id, func(ctx context.Context, tx ports.Tx, s study) error {
		_, err := tx.Events.Append(ctx, []event.Event{event.View(p, id)}, s.now)
		return err
	})
}

// Watch records that a person has watched so much of the video of an activity.
func (u *Learning) Watch(ctx context.Context, a Actor, p person.ID, id activity.ID, watched event.Fraction) error {
	return u.record(ctx, a, p, id, func(ctx context.Context, tx ports.Tx, s study) error {
		e, err := event.Watch(p, s.activity, watched)
		if err != nil {
			return err
		}
		_, err = tx.Events.Append(ctx, []event.Event{e}, s.now)
		return err
	})
}

// Complete records that a person has completed an activity. To complete it again
// in the same attempt changes nothing.
func (u *Learning) Complete(ctx context.Context, a Actor, p person.ID, id activity.ID) error {
	return u.record(ctx, a, p, id, func(ctx context.Context, tx ports.Tx, s study) error {
		in := s.attempt.State().ID
		kept, err := tx.Attempts.Complete(ctx, attempt.Completion{Attempt: in, Activity: id, At: s.now})
		if err != nil || !kept {
			return err
		}
		tally, err := tx.Attempts.Tally(ctx, in)
		if err != nil {
			return err
		}
		s.attempt.Measure(tally)
		return tx.Attempts.Save(ctx, s.attempt)
	})
}

// Retake opens a person's next attempt at a course; the last one must be
// complete.
func (u *Learning) Retake(ctx context.Context, a Actor, p person.ID, c course.ID) error {
	now := u.clock.Now()
	return u.inTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		e, err := enrolled(ctx, tx, p, c)
		if err != nil {
			return err
		}
		last, err := tx.Attempts.Latest(ctx, p, c)
		switch {
		case fault.Is(err, fault.NotFound):
			return tx.Attempts.Add(ctx, attempt.Begin(attempt.ID{UUID: u.ids.New()}, e, nil, now))
		case err != nil:
			return err
		}
		if err := last.CheckRetake(); err != nil {
			return err
		}
		return tx.Attempts.Add(ctx, attempt.Begin(attempt.ID{UUID: u.ids.New()}, e, &last, now))
	})
}

// study is a person at work on an activity, within a course attempt. Until the
// end of the transaction nobody else records for them in this course.
type study struct {
	activity activity.State
	attempt  attempt.Attempt
	now      time.Time
}

// record does what fn does in a transaction in which the person is at work on
// the activity id.
func (u *Learning) record(
	ctx context.Context, a Actor, p person.ID, id activity.ID, fn func(context.Context, ports.Tx, study) error,
) error {
	now := u.clock.Now()
	return u.inTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		activities, err := tx.Activities.Load(ctx, []activity.ID{id})
		if err != nil {
			return err
		}
		found, ok := activities[id]
		if !ok {
			return fault.Missing()
		}
		s := study{activity: found.State(), now: now}
		e, err := enrolled(ctx, tx, p, s.activity.Course)
		if err != nil {
			return err
		}
		s.attempt, err = tx.Attempts.Latest(ctx, p, s.activity.Course)
		if fault.Is(err, fault.NotFound) {
			s.attempt = attempt.Begin(attempt.ID{UUID: u.ids.New()}, e, nil, now)
			err = tx.Attempts.Add(ctx, s.attempt)
		}
		if err != nil {
			return err
		}
		return fn(ctx, tx, s)
	})
}

// enrolled returns the enrollment as learner of a person in a course, and locks
// it. The person is locked first, as by whoever deletes them.
func enrolled(ctx context.Context, tx ports.Tx, p person.ID, c course.ID) (enrollment.Enrollment, error) {
	people, err := tx.People.Load(ctx, []person.ID{p})
	if err != nil {
		return enrollment.Enrollment{}, err
	}
	if _, ok := people[p]; !ok {
		return enrollment.Enrollment{}, fault.Missing()
	}
	e, err := tx.Enrollments.Find(ctx, p, c, enrollment.Learner)
	if fault.Is(err, fault.NotFound) {
		return enrollment.Enrollment{}, fault.Invalidf("person", "is not enrolled in the course as a learner")
	}
	return e, err
}
