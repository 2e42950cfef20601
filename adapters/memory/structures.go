package memory

import (
	"context"

	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
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
