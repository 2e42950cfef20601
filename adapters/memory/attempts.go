package memory

import (
	"context"
	"fmt"
	"slices"

	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
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

func (r attempts) LatestMany(
	ctx context.Context, pairs []enrollment.Pair,
) (map[enrollment.Pair]attempt.Attempt, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	found := make(map[enrollment.Pair]attempt.Attempt, len(pairs))
	for _, pair := range pairs {
		if last, ok := s.attempts.table.latest(pair.Person, pair.Course); ok {
			found[pair] = attempt.Restore(cloneAttempt(*last))
		}
	}
	return found, nil
}

func (r attempts) Add(ctx context.Context, a attempt.Attempt) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	added := cloneAttempt(a.State())
	if !s.people.table.Has(added.Person.UUID) {
		return fmt.Errorf("memory: the attempt %s names the unknown person %s", added.ID, added.Person)
	}
	if !s.courses.table.Has(added.Course.UUID) {
		return fmt.Errorf("memory: the attempt %s names the unknown course %s", added.ID, added.Course)
	}
	if _, ok := s.attempts.table.byID.Get(added.ID.UUID); ok {
		return fmt.Errorf("memory: course attempts: %w: %s", ports.ErrKnown, added.ID)
	}
	if other, ok := s.attempts.table.numbered.Get(&added); ok {
		return fmt.Errorf("memory: the attempt %s has the number %d: %w", other.ID, other.Number, ports.ErrKnown)
	}
	s.relist(added.Person, added.Course, func() { s.attempts.own(s.version).set(&added) })
	return nil
}

func (r attempts) AddMany(ctx context.Context, all []attempt.Attempt) error {
	return each(ctx, all, r.Add)
}

func (r attempts) Save(ctx context.Context, a attempt.Attempt) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	changed := cloneAttempt(a.State())
	old, ok := s.attempts.table.byID.Get(changed.ID.UUID)
	if !ok {
		return fault.Missing()
	}
	next := *old // whose run it is and which stays
	next.Progress, next.LastCompletedAt = changed.Progress, changed.LastCompletedAt
	s.attempts.own(s.version).set(&next)
	return nil
}

func (r attempts) SaveMany(ctx context.Context, all []attempt.Attempt) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	for _, a := range all {
		if _, ok := s.attempts.table.byID.Get(a.State().ID.UUID); !ok {
			return fault.Missing()
		}
	}
	return each(ctx, all, r.Save)
}

func (r attempts) Complete(ctx context.Context, c attempt.Completion) (bool, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return false, err
	}
	in, ok := s.attempts.table.byID.Get(c.Attempt.UUID)
	if !ok {
		return false, fmt.Errorf("memory: a completion in the unknown attempt %s", c.Attempt)
	}
	if !s.activities.table.Has(c.Activity.UUID) {
		return false, fmt.Errorf("memory: a completion of the unknown activity %s", c.Activity)
	}
	if _, ok := s.attempts.table.done.Get(&finished{Completion: c}); ok {
		return false, nil
	}
	s.attempts.own(s.version).finish(&finished{c, in})
	return true, nil
}

func (r attempts) Completed(ctx context.Context, in attempt.ID, a activity.ID) (attempt.Completion, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return attempt.Completion{}, err
	}
	c, ok := s.attempts.table.completion(in, a)
	if !ok {
		return attempt.Completion{}, fault.Missing()
	}
	return c.Completion, nil
}

func (r attempts) CompleteMany(ctx context.Context, all []attempt.Completion) ([]attempt.Completion, error) {
	var kept []attempt.Completion
	for _, c := range all {
		fresh, err := r.Complete(ctx, c)
		if err != nil {
			return nil, err
		}
		if fresh {
			kept = append(kept, c)
		}
	}
	return kept, nil
}

func (r attempts) Tallies(ctx context.Context, ids []attempt.ID) (map[attempt.ID]attempt.Tally, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	found := map[attempt.ID]attempt.Tally{}
	for _, id := range ids {
		if a, ok := s.attempts.table.byID.Get(id.UUID); ok {
			found[id] = tally(s, a)
		}
	}
	return found, nil
}

// tally returns what the completions of an attempt come to.
func tally(s *state, a *attempt.State) attempt.Tally {
	var t attempt.Tally
	for act := range activitiesIn(s, a.Course).From(0) {
		if !act.Row.Archived() {
			t.Activities++
		}
	}
	for c := range s.attempts.table.completions(a.ID) {
		done, _ := s.activities.table.ByID.Get(c.Activity.UUID)
		if done.Row.Course != a.Course {
			continue
		}
		if !done.Row.Archived() {
			t.Completed++
		}
		if t.LastAt == nil || c.At.After(*t.LastAt) {
			t.LastAt = clonePointer(&c.At)
		}
	}
	return t
}

func (r attempts) removeOfCourse(ctx context.Context, c course.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	for _, a := range slices.Collect(s.attempts.table.at(c)) {
		s.relist(a.Person, c, func() { s.attempts.own(s.version).remove(a) })
	}
	return nil
}

// LockOfPerson implements ports.AttemptRepo. There is one writer at a time.
func (r attempts) LockOfPerson(ctx context.Context, _ person.ID) error {
	_, err := r.tx.current(ctx)
	return err
}

func (r attempts) RemoveOfPerson(ctx context.Context, p person.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	if s.submissions.table.rows.Within("person.id", p.UUID).Length() > 0 {
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
