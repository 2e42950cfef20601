package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"lyceum/adapters/memory/tables"
	"lyceum/domain/activity"
	"lyceum/domain/course"
	"lyceum/domain/decimal"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/domain/structure"
)

// Save implements ports.StructureRepo.
func (r structures) Save(ctx context.Context, rev structure.Revision) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	usage, err := r.Usage(ctx, rev.Removed, nil)
	if err != nil {
		return err
	}
	for id := range usage.Activities {
		return fmt.Errorf("memory: learners have started the activity %s", id)
	}
	tx, activities, assignments := r.tx, activities{activityEntity.repo(r.tx)}, assignmentEntity.repo(r.tx)
	for _, step := range []func() error{
		func() error { return each(ctx, rev.AddedQuizzes, quizzes{tx: tx}.add) },
		func() error { return each(ctx, rev.ChangedQuizzes, quizzes{tx: tx}.save) },
		func() error { return each(ctx, rev.AddedAssignments, assignments.Add) },
		func() error { return each(ctx, rev.ChangedAssignments, assignments.Save) },
		func() error { return each(ctx, rev.Removed, activities.remove) },
		func() error { return each(ctx, rev.Changed, activities.save) },
		func() error { return each(ctx, rev.Added, activities.add) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	if rev.Progress != nil {
		s.updateProgress(rev.After.Course, rev.Progress)
	}
	for _, id := range rev.RescoredQuizzes {
		tx.rescoreQuiz(id)
	}
	return nil
}

// updateProgress sets the progress of each attempt at the course to of[n], where n is the number of
// activities completed in the attempt, without archived activities.
func (s *state) updateProgress(c course.ID, of []decimal.Percent) {
	live := map[activity.ID]bool{}
	for a := range activitiesIn(s, c).From(0) {
		live[a.Row.ID] = !a.Row.Archived()
	}
	for _, a := range slices.Collect(s.attempts.table.OfCourse(c)) {
		done := 0
		for c := range s.attempts.table.Completions(a.ID) {
			if live[c.Activity] {
				done++
			}
		}
		if right := of[done]; a.Progress != right {
			next := *a
			next.Progress = right
			s.attempts.writable(s.version).Set(&next)
		}
	}
}

// rescoreQuiz recomputes the scores of all attempts at a quiz.
func (w *tx) rescoreQuiz(id quiz.ID) {
	s, asked, seen := w.state, w.state.quiz(id).ActiveQuestions(), map[uuid.UUID]bool{}
	for given := range s.rawAnswers.table.Within("quiz.id", id.UUID).From(0) {
		seen[given.Head.ID.UUID] = true
	}
	for run := range seen {
		old, _ := s.quizAttempts.table.ByID.Get(run)
		marked := quizattempt.Restore(old.State())
		marked.UpdateScore(asked)
		if next := marked.State(); next.Score != old.Score {
			quizAttempts{w}.put(s, old, tables.NewQuizAttempt(next, old))
		}
	}
}

func (r activities) save(ctx context.Context, a activity.Activity) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	old, err := s.activities.table.Get(a.State().ID.UUID)
	if err != nil {
		return err
	}
	if err := r.Save(ctx, a); err != nil || old.Content.Quiz == a.State().Content.Quiz {
		return err
	}
	if err := s.linkQuiz(old, false); err != nil {
		return err
	}
	return s.linkQuiz(a.State(), true)
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
	if err := s.linkQuiz(row, false); err != nil {
		return err
	}
	return s.activities.writable(s.version).Remove(id.UUID)
}

func (r quizzes) save(ctx context.Context, q quiz.Quiz) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	row := q.State()
	s.setQuestions(row)
	return s.quizzes.writable(s.version).Update(row.ID.UUID, func(kept *quiz.Summary) {
		kept.Name, kept.UpdatedAt = row.Name, row.UpdatedAt
	})
}
