package memory

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/adapters/memory/tables"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/course"
	"lyceum/domain/decimal"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/domain/structure"
	"lyceum/ports"
)

var (
	_ ports.StructureReader = structureReader{}
	_ ports.StructureRepo   = structures{}
)

type structureReader struct{ view view }

// Get implements ports.StructureReader.
func (r structureReader) Get(ctx context.Context, c course.ID) (structure.Structure, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return structure.Structure{}, err
	}
	return s.structure(c, nil, nil)
}

// structure returns the structure of a course. It contains the quizzes and assignments of the
// activities, and the given quizzes and assignments. Unknown IDs are ignored.
func (s *state) structure(c course.ID, quizzes []quiz.ID, assignments []assignment.ID) (structure.Structure, error) {
	if !s.courses.table.Has(c.UUID) {
		return structure.Structure{}, fault.RecordNotFound()
	}
	var activities []activity.State
	for a := range activitiesIn(s, c).From(0) {
		activities = append(activities, activityKind.Clone(a.Row))
		quizzes, assignments = append(quizzes, a.Row.Content.Quiz), append(assignments, a.Row.Content.Assignment)
	}
	tests, tasks := map[quiz.ID]quiz.State{}, map[assignment.ID]assignment.State{}
	for _, id := range quizzes {
		if s.quizzes.table.Has(id.UUID) {
			tests[id] = s.quiz(id).State()
		}
	}
	for _, id := range assignments {
		if task, ok := s.assignments.table.ByID.Get(id.UUID); ok {
			tasks[id] = task.Row
		}
	}
	return structure.New(c, activities, tests, tasks), nil
}

type structures struct {
	structureReader
	tx *tx
}

// GetForUpdate implements ports.StructureRepo.
func (r structures) GetForUpdate(
	ctx context.Context, c course.ID, quizzes []quiz.ID, assignments []assignment.ID,
) (structure.Structure, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return structure.Structure{}, err
	}
	return s.structure(c, quizzes, assignments)
}

// Usage implements ports.StructureRepo.
func (r structures) Usage(
	ctx context.Context, activities []activity.ID, quizzes []quiz.ID,
) (structure.Usage, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return structure.Usage{}, err
	}
	f := structure.Usage{Activities: map[activity.ID]bool{}, Quizzes: map[quiz.ID]bool{}}
	courses := map[course.ID]map[activity.ID]bool{}
	for _, id := range activities {
		a, ok := s.activities.table.ByID.Get(id.UUID)
		if !ok {
			continue
		}
		done, ok := courses[a.Row.Course]
		if !ok {
			done = s.usedActivities(a.Row.Course)
			courses[a.Row.Course] = done
		}
		if done[id] || s.feed.table.rows.Within("activity.id", id.UUID).Length() > 0 ||
			s.scores.table.Rows.Within("activity.id", id.UUID).Length() > 0 {
			f.Activities[id] = true
		}
	}
	for _, id := range quizzes {
		if s.scores.table.Rows.Within("quiz.id", id.UUID).Length() > 0 {
			f.Quizzes[id] = true
		}
	}
	return f, nil
}

// usedActivities returns the activities of a course that have a completion or a submission.
func (s *state) usedActivities(c course.ID) map[activity.ID]bool {
	done := map[activity.ID]bool{}
	for a := range s.attempts.table.OfCourse(c) {
		for c := range s.attempts.table.Completions(a.ID) {
			done[c.Activity] = true
		}
	}
	for submitted := range s.submissions.table.Rows.Within("course.id", c.UUID).From(0) {
		done[submitted.Activity] = true
	}
	return done
}

// Save implements ports.StructureRepo.
func (r structures) Save(ctx context.Context, rev structure.Revision) (changed int, err error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return 0, err
	}
	usage, err := r.Usage(ctx, rev.Removed, nil)
	if err != nil {
		return 0, err
	}
	for id := range usage.Activities {
		return 0, fmt.Errorf("memory: learners have started the activity %s", id)
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
			return 0, err
		}
	}
	if rev.Progress != nil {
		changed = s.updateProgress(rev.After.Course, rev.Progress)
	}
	err = each(ctx, rev.RescoredQuizzes, func(ctx context.Context, id quiz.ID) error {
		rescored, err := tx.rescoreQuiz(ctx, id)
		changed += rescored
		return err
	})
	return changed, err
}

// updateProgress sets the progress of each attempt at the course to of[n], where n is the number of
// activities completed in the attempt, without archived activities. It returns how many attempts have
// changed.
func (s *state) updateProgress(c course.ID, of []decimal.Percent) (changed int) {
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
			changed++
		}
	}
	return changed
}

// rescoreQuiz recomputes the scores of all attempts at a quiz, until ctx ends. It returns how many have
// changed.
func (w *tx) rescoreQuiz(ctx context.Context, id quiz.ID) (changed int, err error) {
	s, asked, seen := w.state, w.state.quiz(id).ActiveQuestions(), map[uuid.UUID]bool{}
	for given := range s.rawAnswers.table.Within("quiz.id", id.UUID).From(0) {
		seen[given.Head.ID.UUID] = true
	}
	for run := range ordered.Until(ctx, maps.Keys(seen)) {
		old, _ := s.quizAttempts.table.ByID.Get(run)
		marked := quizattempt.Restore(old.State())
		marked.UpdateScore(asked)
		if next := marked.State(); next.Score != old.Score {
			quizAttempts{w}.put(s, old, tables.NewQuizAttempt(next, old))
			changed++
		}
	}
	return changed, ordered.CheckContext(ctx)
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
