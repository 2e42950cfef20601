package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/course"
	"lyceum/domain/decimal"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/domain/structure"
)

func (r structures) Save(ctx context.Context, rev structure.Revision) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	facts, err := r.Facts(ctx, rev.Removed, nil)
	if err != nil {
		return err
	}
	for id := range facts.Activities {
		return fmt.Errorf("memory: learners have begun the activity %s", id)
	}
	tx := r.tx
	for _, step := range []func() error{
		func() error { return each(ctx, rev.AddedQuizzes, quizzes{tx: tx}.Add) },
		func() error { return each(ctx, rev.ChangedQuizzes, quizzes{tx: tx}.save) },
		func() error { return each(ctx, rev.AddedAssignments, assignments{tx: tx}.Add) },
		func() error { return each(ctx, rev.ChangedAssignments, assignments{tx: tx}.save) },
		func() error { return each(ctx, rev.Removed, activities{tx: tx}.remove) },
		func() error { return each(ctx, rev.Changed, activities{tx: tx}.save) },
		func() error { return each(ctx, rev.Added, activities{tx: tx}.Add) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	if rev.Progress != nil {
		s.progress(rev.After.Course, rev.Progress)
	}
	for _, id := range rev.Requestioned {
		tx.remark(id)
	}
	return nil
}

// progress gives each attempt at the course the progress of so many activities
// as are completed in it.
func (s *state) progress(c course.ID, of []decimal.Percent) {
	live := map[activity.ID]bool{}
	for a := range activitiesIn(s, c).From(0) {
		live[a.Row.ID] = !a.Row.Archived()
	}
	for _, a := range slices.Collect(s.attempts.table.at(c)) {
		done := 0
		for c := range s.attempts.table.completions(a.ID) {
			if live[c.Activity] {
				done++
			}
		}
		if right := of[done]; a.Progress != right {
			next := *a
			next.Progress = right
			s.attempts.own(s.version).set(&next)
		}
	}
}

// remark marks all quiz attempts at a quiz anew.
func (w *tx) remark(id quiz.ID) {
	s, asked, seen := w.state, w.state.quiz(id).Asked(), map[uuid.UUID]bool{}
	for given := range s.rawAnswers.table.Within("quiz.id", id.UUID).From(0) {
		seen[given.run.ID.UUID] = true
	}
	for run := range seen {
		old, _ := s.quizAttempts.table.byID.Get(run)
		marked := quizattempt.Restore(old.state())
		marked.Mark(asked)
		if next := marked.State(); next.Score != old.score {
			quizAttempts{w}.put(s, old, newQuizRun(next, old))
		}
	}
}

func (r activities) save(ctx context.Context, a activity.Activity) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	row := a.State()
	old, err := s.activities.table.Get(row.ID.UUID)
	if err != nil {
		return err
	}
	if err := s.activities.own(s.version).Update(row.ID.UUID, func(kept *activity.State) { *kept = row }); err != nil {
		return err
	}
	if old.Content.Quiz == row.Content.Quiz {
		return nil
	}
	if err := s.stand(old, false); err != nil {
		return err
	}
	return s.stand(row, true)
}

func (r activities) remove(ctx context.Context, id activity.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	row, err := s.activities.table.Get(id.UUID)
	if err != nil {
		return err
	}
	if err := s.stand(row, false); err != nil {
		return err
	}
	return s.activities.own(s.version).Remove(id.UUID)
}

func (r quizzes) save(ctx context.Context, q quiz.Quiz) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	row := q.State()
	s.ask(row)
	return s.quizzes.own(s.version).Update(row.ID.UUID, func(kept *quiz.Summary) {
		kept.Name, kept.UpdatedAt = row.Name, row.UpdatedAt
	})
}

func (r assignments) save(ctx context.Context, a assignment.Assignment) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	row := a.State()
	return s.assignments.own(s.version).Update(row.ID.UUID, func(kept *assignment.State) { *kept = row })
}
