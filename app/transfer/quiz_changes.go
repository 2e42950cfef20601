package transfer

import (
	"context"
	"maps"
	"slices"

	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/course"
	"lyceum/domain/quiz"
	"lyceum/domain/structure"
	"lyceum/ports"
)

// standsIn returns the courses that the school has in which a quiz stands.
func (m *importing) standsIn(id quiz.ID) []course.ID {
	var found []course.ID
	for in, lessons := range m.keys {
		for _, l := range lessons {
			if l.is.Content.Quiz == id {
				found = append(found, in)
				break
			}
		}
	}
	return found
}

// reword keeps the quizzes that ask something else, which are as they were when
// the import began.
func (m *importing) reword(ctx context.Context, all []reworded) error {
	if m.load == nil || len(all) == 0 {
		return nil
	}
	tx := m.load.Tx()
	ids := make([]quiz.ID, len(all))
	for i, q := range all {
		ids[i] = q.was.ID
	}
	// Those of the courses are locked; nobody answers the others.
	found, err := tx.Quizzes.Load(ctx, ids)
	if err != nil {
		return err
	}
	var r structure.Revision
	for _, q := range all {
		is, ok := found[q.was.ID]
		if !ok || !is.State().UpdatedAt.Equal(q.was.UpdatedAt) || !is.State().Same(q.was) {
			return ports.ErrChanged
		}
		r.ChangedQuizzes = append(r.ChangedQuizzes, q.next)
		if !maps.Equal(quiz.Restore(q.was).Asked(), q.next.Asked()) {
			r.Requestioned = append(r.Requestioned, q.was.ID)
		}
	}
	return tx.Structures.Save(ctx, r)
}

// indexed returns what a course consists of before the lines are settled.
func (m *importing) indexed(in course.ID, lines []lessonLine) structure.Structure {
	were := map[string]activity.State{}
	for key, l := range m.keys[in] {
		were[key] = l.is
	}
	for _, l := range lines {
		if !l.added {
			were[l.was.Key] = l.was
		}
	}
	quizzes, assignments := map[quiz.ID]quiz.State{}, map[assignment.ID]assignment.State{}
	for _, e := range m.quizzes {
		quizzes[e.is.ID] = e.is
	}
	for _, e := range m.assignments {
		assignments[e.is.ID] = e.is
	}
	return structure.New(in, slices.Collect(maps.Values(were)), quizzes, assignments)
}
