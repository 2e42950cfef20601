package memory

import (
	"context"
	"fmt"
	"slices"

	"lyceum/adapters/memory/ordered"
	"lyceum/adapters/memory/tables"
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
	a.LastCompletedAt = tables.ClonePointer(a.LastCompletedAt)
	return a
}

// LatestMany implements ports.AttemptRepo.
func (r attempts) LatestMany(
	ctx context.Context, pairs []enrollment.PersonCourse,
) (map[enrollment.PersonCourse]attempt.Attempt, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	return s.latestAttempts(pairs), nil
}

// Add implements ports.AttemptRepo.
func (r attempts) Add(ctx context.Context, a attempt.Attempt) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	added := cloneAttempt(a.State())
	if !s.people.table.Has(added.Person.UUID) {
		return fmt.Errorf("memory: the attempt %s references the unknown person %s", added.ID, added.Person)
	}
	if !s.courses.table.Has(added.Course.UUID) {
		return fmt.Errorf("memory: the attempt %s references the unknown course %s", added.ID, added.Course)
	}
	if _, ok := s.attempts.table.ByID.Get(added.ID.UUID); ok {
		return fmt.Errorf("memory: course attempts: %w: %s", ports.ErrExists, added.ID)
	}
	if other, ok := s.attempts.table.ByNumber.Get(&added); ok {
		return fmt.Errorf("memory: the attempt %s has the number %d: %w", other.ID, other.Number, ports.ErrExists)
	}
	s.addAttempt(&added)
	return nil
}

// AddMany implements ports.AttemptRepo.
func (r attempts) AddMany(ctx context.Context, all []attempt.Attempt) error {
	return each(ctx, all, r.Add)
}

// Save implements ports.AttemptRepo.
func (r attempts) Save(ctx context.Context, a attempt.Attempt) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	changed := cloneAttempt(a.State())
	old, ok := s.attempts.table.ByID.Get(changed.ID.UUID)
	if !ok {
		return fault.RecordNotFound()
	}
	next := *old // Save changes no other attribute
	next.Progress, next.LastCompletedAt = changed.Progress, changed.LastCompletedAt
	s.attempts.writable(s.version).Set(&next)
	return nil
}

// SaveMany implements ports.AttemptRepo.
func (r attempts) SaveMany(ctx context.Context, all []attempt.Attempt) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	for _, a := range all {
		if _, ok := s.attempts.table.ByID.Get(a.State().ID.UUID); !ok {
			return fault.RecordNotFound()
		}
	}
	return each(ctx, all, r.Save)
}

// addCompletionIfAbsent inserts the completion unless the activity is already completed in the
// attempt, and reports whether it inserted it.
func (r attempts) addCompletionIfAbsent(ctx context.Context, c attempt.Completion) (bool, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return false, err
	}
	in, ok := s.attempts.table.ByID.Get(c.Attempt.UUID)
	if !ok {
		return false, fmt.Errorf("memory: a completion in an unknown attempt %s", c.Attempt)
	}
	if !s.activities.table.Has(c.Activity.UUID) {
		return false, fmt.Errorf("memory: a completion of the unknown activity %s", c.Activity)
	}
	if _, ok := s.attempts.table.CompletionsByAttempt.Get(&tables.CompletionRow{Completion: c}); ok {
		return false, nil
	}
	s.attempts.writable(s.version).AddCompletion(&tables.CompletionRow{Completion: c, Of: in})
	return true, nil
}

// GetCompletion implements ports.AttemptRepo.
func (r attempts) GetCompletion(ctx context.Context, in attempt.ID, a activity.ID) (attempt.Completion, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return attempt.Completion{}, err
	}
	c, ok := s.attempts.table.Completion(in, a)
	if !ok {
		return attempt.Completion{}, fault.RecordNotFound()
	}
	return c.Completion, nil
}

// AddCompletionsIfAbsent implements ports.AttemptRepo.
func (r attempts) AddCompletionsIfAbsent(ctx context.Context, all []attempt.Completion) ([]attempt.Completion, error) {
	var kept []attempt.Completion
	for _, c := range all {
		fresh, err := r.addCompletionIfAbsent(ctx, c)
		if err != nil {
			return nil, err
		}
		if fresh {
			kept = append(kept, c)
		}
	}
	return kept, nil
}

// AbsentCompletions implements ports.AttemptRepo.
func (r attempts) AbsentCompletions(ctx context.Context, all []attempt.Completion) ([]attempt.Completion, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(all), func(c attempt.Completion) bool {
		_, done := s.attempts.table.Completion(c.Attempt, c.Activity)
		return done
	}), nil
}

// Tallies implements ports.AttemptRepo.
func (r attempts) Tallies(ctx context.Context, ids []attempt.ID) (map[attempt.ID]attempt.Tally, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	found := map[attempt.ID]attempt.Tally{}
	for _, id := range ids {
		if a, ok := s.attempts.table.ByID.Get(id.UUID); ok {
			found[id] = tally(s, a)
		}
	}
	return found, nil
}

// tally counts the activities of an attempt's course, and the activities that are completed in the
// attempt.
func tally(s *state, a *attempt.State) attempt.Tally {
	var t attempt.Tally
	for act := range activitiesIn(s, a.Course).From(0) {
		if !act.Row.Archived() {
			t.Activities++
		}
	}
	for c := range s.attempts.table.Completions(a.ID) {
		done, _ := s.activities.table.ByID.Get(c.Activity.UUID)
		if done.Row.Course != a.Course {
			continue
		}
		if !done.Row.Archived() {
			t.Completed++
		}
		if t.LastCompletedAt == nil || c.At.After(*t.LastCompletedAt) {
			t.LastCompletedAt = tables.ClonePointer(&c.At)
		}
	}
	return t
}

func (r attempts) removeOfCourse(ctx context.Context, c course.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	for _, a := range slices.Collect(s.attempts.table.OfCourse(c)) {
		s.removeAttempt(a)
	}
	return nil
}

// LockByPerson implements ports.AttemptRepo. There is nothing to lock: one transaction of a
// school runs at a time.
func (r attempts) LockByPerson(ctx context.Context, _ person.ID) error {
	_, err := r.tx.current(ctx)
	return err
}

// DeleteByPerson implements ports.AttemptRepo.
func (r attempts) DeleteByPerson(ctx context.Context, p person.ID, limit int) (int, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return 0, err
	}
	if s.submissions.table.Rows.Within("person.id", p.UUID).Length() > 0 {
		return 0, fmt.Errorf("memory: the person %s has submissions", p)
	}
	if s.quizAttempts.table.OfPerson(p).Length() > 0 {
		return 0, fmt.Errorf("memory: the person %s has quiz attempts", p)
	}
	deleted := ordered.First(s.attempts.table.OfPerson(p), limit)
	for _, a := range deleted {
		s.removeAttempt(a)
	}
	return len(deleted), nil
}
