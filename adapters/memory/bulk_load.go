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
	_ ports.Loader = (*store)(nil)
	_ ports.LoadTx = (*loadTx)(nil)
)

// Load implements ports.Loader.
func (s *store) Load(ctx context.Context, id school.ID, fn func(ctx context.Context, l ports.LoadTx) error) error {
	load := inLoadTx(fn)
	return notSaved(s.write(ctx, id, func(ctx context.Context, w *tx) error { return load(ctx, w.repos()) }))
}

// LoadNewSchool implements ports.Loader. The school becomes visible together with its records
// when the transaction is published.
func (s *store) LoadNewSchool(ctx context.Context, made school.School, fn func(ctx context.Context, l ports.LoadTx) error) error {
	if ctx.Value(inTx{}) != nil {
		return notSaved(errNested)
	}
	if _, err := s.tenant(made.State().ID); err == nil {
		return notSaved(fmt.Errorf("memory: the ID of the school %s is taken: %w", made.State().ID, ports.ErrExists))
	}
	if err := s.lockNames(ctx); err != nil {
		return notSaved(err)
	}
	defer s.unlockNames()
	t := newTenant(made)
	load := inLoadTx(fn)
	return notSaved(s.inTenant(ctx, t, func(ctx context.Context, w *tx) error {
		w.newSchool = t
		return load(ctx, w.repos())
	}))
}

// notSaved returns a ports.NotSavedError with err, or nil if err is nil.
func notSaved(err error) error {
	if err == nil {
		return nil
	}
	return &ports.NotSavedError{Err: err}
}

func inLoadTx(fn func(ctx context.Context, l ports.LoadTx) error) func(context.Context, ports.Tx) error {
	return func(ctx context.Context, t ports.Tx) error {
		l := &loadTx{tx: t, within: t.Events.(events).tx}
		if f := l.within.state.feed.table; f.position > 0 {
			l.after = f.lastAt.Add(time.Millisecond)
		}
		return errors.Join(fn(ctx, l), l.failed)
	}
}

// loadTx adds records through the repositories of a transaction.
type loadTx struct {
	tx     ports.Tx
	within *tx
	failed error     // the first error of Add
	after  time.Time // lower bound for the times of events
	last   time.Time // time of the last event added
}

// Add implements ports.LoadTx. After an error it adds nothing.
func (l *loadTx) Add(ctx context.Context, b ports.Batch) error {
	if l.failed == nil {
		l.failed = asExists(l.add(ctx, b))
	}
	return l.failed
}

// Tx implements ports.LoadTx.
func (l *loadTx) Tx() ports.Tx { return l.tx }

// asExists returns ErrExists if err contains a fault for a unique value that is taken. Otherwise it
// returns err.
func asExists(err error) error {
	for _, f := range fault.All(err) {
		if f.Holder != nil {
			return fmt.Errorf("%w: %v", ports.ErrExists, err) //lint:ignore errorlint a fault is for clients
		}
	}
	return err
}

func (l *loadTx) add(ctx context.Context, b ports.Batch) error {
	t := l.tx
	partner := func(ctx context.Context, p person.Partnership) error {
		return isNew(t.Partnerships.AddIfAbsent(ctx, p))
	}
	complete := func(ctx context.Context, c attempt.Completion) error {
		return isNew(attempts{l.within}.addCompletionIfAbsent(ctx, c))
	}
	hold := func(ctx context.Context, h ports.GroupCourse) error {
		n, err := t.Groups.AddCourses(ctx, h.Group, []course.ID{h.Course})
		return isNew(n == 1, err)
	}
	for _, step := range []func() error{
		func() error { return each(ctx, b.Properties, t.Properties.Add) },
		func() error { return each(ctx, b.Categories, t.Categories.Add) },
		func() error { return each(ctx, b.Coupons, t.Coupons.Add) },
		func() error { return each(ctx, b.People, t.People.Add) },
		func() error { return each(ctx, b.Partnerships, partner) },
		func() error { return each(ctx, b.Redemptions, t.Redemptions.Add) },
		func() error { return each(ctx, b.Courses, t.Courses.Add) },
		func() error { return each(ctx, b.Quizzes, quizzes{tx: l.within}.add) },
		func() error { return each(ctx, b.Assignments, assignmentEntity.repo(l.within).Add) },
		func() error { return each(ctx, b.Activities, activities{activityEntity.repo(l.within)}.add) },
		func() error { return each(ctx, b.Groups, t.Groups.Add) },
		func() error { return each(ctx, b.GroupCourses, hold) },
		func() error { return addAll(ctx, b.Memberships, t.Memberships.AddIfAbsent) },
		func() error { return addAll(ctx, b.Enrollments, t.Enrollments.AddIfAbsent) },
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

// addAll adds rows. It returns ErrExists if one of them exists.
func addAll[T any](ctx context.Context, rows []T, add func(context.Context, []T) (int, error)) error {
	n, err := add(ctx, rows)
	return isNew(n == len(rows), err)
}

// isNew returns err or, if nothing was added and err is nil, ErrExists.
func isNew(added bool, err error) error {
	if err == nil && !added {
		return ports.ErrExists
	}
	return err
}

// append adds events with their own times, which must not decrease.
func (l *loadTx) append(ctx context.Context, es []event.Event) error {
	for _, e := range es {
		if e.CreatedAt.Before(l.last) {
			return fmt.Errorf("memory: event times decrease: %s is before %s", e.CreatedAt, l.last)
		}
		l.last = e.CreatedAt
	}
	return l.tx.Events.(events).load(ctx, es, l.after)
}
