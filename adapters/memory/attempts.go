package memory

import (
	"context"
	"fmt"
	"slices"

	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/ports"
)

var _ ports.AttemptRepo = attempts{}

type attempts struct{ tx *tx }

func cloneAttempt(a attempt.State) attempt.State {
	a.LastCompletedAt = clonePointer(a.LastCompletedAt)
	return a
}

func (r attempts) Latest(ctx context.Context, p person.ID, c course.ID) (attempt.Attempt, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return attempt.Attempt{}, err
	}
	last, ok := s.attempts.table.latest(p, c)
	if !ok {
		return attempt.Attempt{}, fault.Missing()
	}
	return attempt.Restore(cloneAttempt(*last)), nil
}

func (r attempts) Add(ctx context.Context, a attempt.Attempt) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	added := cloneAttempt(a.State())
	if !s.people.table.has(added.Person.UUID) {
		return fmt.Errorf("memory: the attempt %s names the unknown person %s", added.ID, added.Person)
	}
	if !s.courses.table.has(added.Course.UUID) {
		return fmt.Errorf("memory: the attempt %s names the unknown course %s", added.ID, added.Course)
	}
	if _, ok := s.attempts.table.byID.get(added.ID.UUID); ok {
		return fmt.Errorf("memory: course attempts: %w: %s", ports.ErrKnown, added.ID)
	}
	if other, ok := s.attempts.table.numbered.Get(&added); ok {
		return fmt.Errorf("memory: the attempt %s has the number %d: %w", other.ID, other.Number, ports.ErrKnown)
	}
	s.relist(added.Person, added.Course, func() { s.attempts.own(s.version).set(&added) })
	return nil
}

func (r attempts) Save(ctx context.Context, a attempt.Attempt) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	changed := cloneAttempt(a.State())
	old, ok := s.attempts.table.byID.get(changed.ID.UUID)
	if !ok {
		return fault.Missing()
	}
	next := *old // whose run it is and which stays
	next.Progress, next.LastCompletedAt = changed.Progress, changed.LastCompletedAt
	s.attempts.own(s.version).set(&next)
	return nil
}

func (r attempts) Complete(ctx context.Context, c attempt.Completion) (bool, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return false, err
	}
	if _, ok := s.attempts.table.byID.get(c.Attempt.UUID); !ok {
		return false, fmt.Errorf("memory: a completion in the unknown attempt %s", c.Attempt)
	}
	if !s.activities.table.has(c.Activity.UUID) {
		return false, fmt.Errorf("memory: a completion of the unknown activity %s", c.Activity)
	}
	if _, ok := s.attempts.table.done.Get(&c); ok {
		return false, nil
	}
	s.attempts.own(s.version).done.Set(&c)
	return true, nil
}

func (r attempts) Tally(ctx context.Context, id attempt.ID) (attempt.Tally, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return attempt.Tally{}, err
	}
	a, ok := s.attempts.table.byID.get(id.UUID)
	if !ok {
		return attempt.Tally{}, fault.Missing()
	}
	return tally(s, a), nil
}

// tally returns what the completions of an attempt come to.
func tally(s *state, a *attempt.State) attempt.Tally {
	t := attempt.Tally{Activities: activitiesIn(s, a.Course).length()}
	for c := range s.attempts.table.completions(a.ID) {
		if done, _ := s.activities.table.byID.get(c.Activity.UUID); done.Row.Course != a.Course {
			continue
		}
		t.Completed++
		if t.LastAt == nil || c.At.After(*t.LastAt) {
			t.LastAt = clonePointer(&c.At)
		}
	}
	return t
}

func (r attempts) RemoveOfPerson(ctx context.Context, p person.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	if s.submissions.table.rows.within("person.id", p.UUID).length() > 0 {
		return fmt.Errorf("memory: the person %s has submissions", p)
	}
	for range s.quizAttempts.table.of(p) {
		return fmt.Errorf("memory: the person %s has quiz attempts", p)
	}
	for _, a := range slices.Collect(s.attempts.table.of(p)) {
		s.relist(p, a.Course, func() { s.attempts.own(s.version).remove(a) })
	}
	return nil
}
