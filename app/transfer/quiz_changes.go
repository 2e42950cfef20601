package transfer

import (
	"context"
	"maps"
	"slices"

	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/course"
	"lyceum/domain/policy"
	"lyceum/domain/quiz"
	"lyceum/domain/structure"
	"lyceum/ports"
)

// coursesOfQuiz returns the courses that use a quiz, in the school or in the lines read so far.
func (m *importer) coursesOfQuiz(id quiz.ID) []course.ID {
	var found []course.ID
	for in, activities := range m.keys {
		for _, l := range activities {
			if l.state.Content.Quiz == id {
				found = append(found, in)
				break
			}
		}
	}
	return found
}

// mayChangeQuiz returns the verdict on a change of a quiz, which is the verdict on a change of the
// courses that use it.
func (m *importer) mayChangeQuiz(ctx context.Context, id quiz.ID) error {
	if len(m.rules.ChangeCourse) == 0 {
		return nil
	}
	var verdicts []error
	in := m.coursesOfQuiz(id)
	for _, permalink := range slices.Sorted(maps.Keys(m.courses)) {
		c := m.courses[permalink]
		if !c.existing || !slices.Contains(in, c.record.ID) {
			continue
		}
		verdicts = append(verdicts, m.mayChangeCourse(ctx, c.record, c.record, true))
	}
	return policy.Combine(verdicts...)
}

// saveQuizChanges saves the changed quizzes. It returns ports.ErrChanged if a quiz has changed
// since the import began.
func (m *importer) saveQuizChanges(ctx context.Context, all []changedQuiz) error {
	if m.load == nil || len(all) == 0 {
		return nil
	}
	tx := m.load.Tx()
	ids := make([]quiz.ID, len(all))
	for i, q := range all {
		ids[i] = q.before.ID
	}
	// lockStructures has locked the quizzes of courses for update. A quiz that no course uses has
	// no answers, so a shared lock is enough.
	found, err := tx.Quizzes.GetManyForShare(ctx, ids)
	if err != nil {
		return err
	}
	var r structure.Revision
	for _, q := range all {
		is, ok := found[q.before.ID]
		if !ok || !is.State().UpdatedAt.Equal(q.before.UpdatedAt) || !is.State().Same(q.before) {
			return ports.ErrChanged
		}
		r.ChangedQuizzes = append(r.ChangedQuizzes, q.after)
		if !maps.Equal(quiz.Restore(q.before).ActiveQuestions(), q.after.ActiveQuestions()) {
			r.RescoredQuizzes = append(r.RescoredQuizzes, q.before.ID)
		}
	}
	_, err = tx.Structures.Save(ctx, r)
	return err
}

// plannedStructure returns the structure of a course before the changes of lines.
func (m *importer) plannedStructure(in course.ID, lines []activityLine) structure.Structure {
	before := map[string]activity.State{}
	for key, l := range m.keys[in] {
		before[key] = l.state
	}
	for _, l := range lines {
		if !l.added {
			before[l.before.Key] = l.before
		}
	}
	quizzes, assignments := map[quiz.ID]quiz.State{}, map[assignment.ID]assignment.State{}
	for _, e := range m.quizzes {
		quizzes[e.record.ID] = e.record
	}
	for _, e := range m.assignments {
		assignments[e.record.ID] = e.record
	}
	return structure.New(in, slices.Collect(maps.Values(before)), quizzes, assignments)
}
