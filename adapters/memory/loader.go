package memory

import (
	"context"
	"errors"
	"fmt"
	"time"

	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/event"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/ports"
)

var (
	_ ports.Loader = (*Store)(nil)
	_ ports.Load   = (*loading)(nil)
)

// Load adds records in one transaction.
func (s *Store) Load(ctx context.Context, id school.ID, fn func(ctx context.Context, l ports.Load) error) error {
	return s.InTx(ctx, id, loaded(fn))
}

// LoadNew adds records to a school of which nobody knows before the end.
func (s *Store) LoadNew(ctx context.Context, made school.School, fn func(ctx context.Context, l ports.Load) error) error {
	if ctx.Value(inTx{}) != nil {
		return errNested
	}
	if _, err := s.tenant(made.State().ID); err == nil {
		return fmt.Errorf("memory: schools: %w: %s", ports.ErrKnown, made.State().ID)
	}
	select {
	case s.adding <- struct{}{}:
		defer func() { <-s.adding }()
	case <-ctx.Done():
		return alive(ctx)
	}
	t := newTenant(made)
	load := loaded(fn)
	return s.inTenant(ctx, t, func(ctx context.Context, w *tx) error {
		w.made = t
		return load(ctx, w.repos())
	})
}

// loaded makes the function of a transaction out of that of a Load.
func loaded(fn func(ctx context.Context, l ports.Load) error) func(context.Context, ports.Tx) error {
	return func(ctx context.Context, t ports.Tx) error {
		l := &loading{tx: t}
		if f := t.Events.(events).tx.state.feed.table; f.position > 0 {
			l.after = f.at.Add(time.Millisecond)
		}
		return errors.Join(fn(ctx, l), l.failed)
	}
}

// loading adds through the repositories of a transaction.
type loading struct {
	tx     ports.Tx
	failed error     // the first error of Add
	after  time.Time // the earliest instant that an event may have
	last   time.Time // of the event added last
}

// Add adds the records of b. After an error it adds nothing more.
func (l *loading) Add(ctx context.Context, b ports.Batch) error {
	if l.failed == nil {
		l.failed = known(l.add(ctx, b))
	}
	return l.failed
}

// Tx returns the transaction's repositories.
func (l *loading) Tx() ports.Tx { return l.tx }

// known makes ErrKnown of the fault that a value is taken.
func known(err error) error {
	for _, f := range fault.All(err) {
		if f.Holder != nil {
			return fmt.Errorf("%w: %v", ports.ErrKnown, err) //lint:ignore errorlint a fault is for clients
		}
	}
	return err
}

func (l *loading) add(ctx context.Context, b ports.Batch) error {
	t := l.tx
	partner := func(ctx context.Context, p person.Partnership) error {
		return isNew(t.Partnerships.AddIfAbsent(ctx, p))
	}
	complete := func(ctx context.Context, c attempt.Completion) error { return isNew(t.Attempts.Complete(ctx, c)) }
	hold := func(ctx context.Context, h ports.GroupCourse) error {
		n, err := t.Groups.AddCourses(ctx, h.Group, []course.ID{h.Course})
		return isNew(n == 1, err)
	}
	for _, step := range []func() error{
		func() error { return each(ctx, b.Categories, t.Categories.Add) },
		func() error { return each(ctx, b.Coupons, t.Coupons.Add) },
		func() error { return each(ctx, b.People, t.People.Add) },
		func() error { return each(ctx, b.Partnerships, partner) },
		func() error { return each(ctx, b.Redemptions, t.Redemptions.Add) },
		func() error { return each(ctx, b.Courses, t.Courses.Add) },
		func() error { return each(ctx, b.Quizzes, t.Quizzes.Add) },
		func() error { return each(ctx, b.Assignments, t.Assignments.Add) },
		func() error { return each(ctx, b.Activities, t.Activities.Add) },
		func() error { return each(ctx, b.Groups, t.Groups.Add) },
		func() error { return each(ctx, b.GroupCourses, hold) },
		func() error { return all(ctx, b.Memberships, t.Memberships.AddIfAbsent) },
		func() error { return all(ctx, b.Enrollments, t.Enrollments.AddIfAbsent) },
		func() error { return each(ctx, b.Attempts, t.Attempts.Add) },
		func() error { return each(ctx, b.Completions, complete) },
		func() error { return each(ctx, b.QuizAttempts, t.QuizAttempts.Add) },
		func() error { return each(ctx, b.Submissions, t.Submissions.Add) },
		func() error { return l.append(ctx, b.Events) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func each[T any](ctx context.Context, records []T, add func(context.Context, T) error) error {
	for _, r := range records {
		if err := add(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// all adds relations, every one of which must be new.
func all[T any](ctx context.Context, rows []T, add func(context.Context, []T) (int, error)) error {
	n, err := add(ctx, rows)
	return isNew(n == len(rows), err)
}

func isNew(added bool, err error) error {
	if err == nil && !added {
		return ports.ErrKnown
	}
	return err
}

// append adds events with the times that they have.
func (l *loading) append(ctx context.Context, es []event.Event) error {
	for _, e := range es {
		if e.CreatedAt.Before(l.last) {
			return fmt.Errorf("memory: an event of %s behind one of %s", e.CreatedAt, l.last)
		}
		l.last = e.CreatedAt
	}
	return l.tx.Events.(events).load(ctx, es, l.after)
}
