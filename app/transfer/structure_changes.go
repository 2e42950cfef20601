package transfer

import (
	"context"
	"maps"
	"slices"

	"lyceum/app/transfer/format"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
	"lyceum/domain/structure"
	"lyceum/ports"
)

// pendingChanges contains the changes of existing courses and quizzes since the last call of
// applyStructureChanges.
type pendingChanges struct {
	activities map[course.ID][]activityLine
	differs    map[course.ID]bool // whether a line differs from the stored activity
	quizzes    []changedQuiz
	// courses contains functions that save names, categories and instructors of courses.
	courses []func(context.Context, ports.Tx) error
}

// activityLine is the change of an activity by a line.
type activityLine struct {
	before, after activity.State // before is zero for a new activity
	line          int
	position      int // 0: not given
	added         bool
}

// changedQuiz is the change of a quiz by a line.
type changedQuiz struct {
	before quiz.State
	after  quiz.Quiz
}

func newPendingChanges() pendingChanges {
	return pendingChanges{activities: map[course.ID][]activityLine{}, differs: map[course.ID]bool{}}
}

func (p *pendingChanges) record(l activityLine, differs bool) {
	in := l.after.Course
	p.activities[in] = append(p.activities[in], l)
	p.differs[in] = p.differs[in] || differs
}

// applyStructureChanges saves the pending changes, course by course in the order of permalinks,
// under the rules of package structure. A refused change is a fault of its line.
func (m *importer) applyStructureChanges(ctx context.Context) error {
	p := m.pending
	if len(p.activities)+len(p.quizzes)+len(p.courses) == 0 || m.load != nil && len(m.faults) > 0 {
		return nil
	}
	m.pending = newPendingChanges()
	before, err := m.lockStructures(ctx, p)
	if err != nil {
		return err
	}
	for _, save := range p.courses {
		if err := save(ctx, m.load.Tx()); err != nil {
			return err
		}
	}
	if err := m.saveQuizChanges(ctx, p.quizzes); err != nil {
		return err
	}
	for _, in := range slices.Sorted(maps.Keys(m.courses)) {
		id := m.courses[in].record.ID
		lines := p.activities[id]
		if !p.differs[id] {
			for range lines {
				m.count(format.ActivityKind).Unchanged++
			}
			continue
		}
		if err := m.restructure(ctx, before[id], lines); err != nil {
			return err
		}
	}
	return nil
}

// restructure applies lines to the structure of a course.
func (m *importer) restructure(ctx context.Context, was structure.Structure, lines []activityLine) error {
	if changedSince(was, lines) {
		return ports.ErrChanged
	}
	plan, at := mergePlan(was, lines)
	usage, err := m.usage(ctx, was, plan)
	if err != nil {
		return err
	}
	r, err := was.Revise(plan, usage, m.newID, m.now)
	if fault.IsRefusal(err) {
		for _, f := range fault.All(err) {
			line, named := at.lineOf(f)
			m.refuse(line, format.ActivityKind, named)
		}
		return nil
	}
	if err != nil {
		return err
	}
	changed := map[activity.ID]bool{}
	for _, a := range r.Changed {
		changed[a.State().ID] = true
	}
	for _, a := range slices.Concat(r.After.Activities, r.After.Archived) {
		if l := m.keys[a.Course][a.Key]; l != nil {
			l.state = a
		}
	}
	for _, l := range lines {
		if !l.added {
			// The change is saved with the structure, so save does nothing.
			_ = m.saveIfChanged(format.ActivityKind, changed[l.after.ID], func() error { return nil })
		}
	}
	if slices.ContainsFunc(lines, func(l activityLine) bool { return l.added }) {
		r.Progress = structure.Progress(len(r.After.Activities))
	}
	if m.load == nil || r.Empty() && r.Progress == nil {
		return nil
	}
	_, err = m.load.Tx().Structures.Save(ctx, r)
	return err
}

// usage returns which of the activities whose usage the plan needs have learner data in the school
// or in the file.
func (m *importer) usage(ctx context.Context, was structure.Structure, plan structure.Plan) (structure.Usage, error) {
	usage := structure.Usage{Activities: map[activity.ID]bool{}}
	activities, _ := was.UsageNeeded(plan)
	if len(activities) == 0 {
		return usage, nil
	}
	ask := func(ctx context.Context, tx ports.Tx) (err error) {
		usage, err = tx.Structures.Usage(ctx, activities, nil)
		return err
	}
	var err error
	if m.load != nil {
		err = ask(ctx, m.load.Tx())
	} else {
		err = m.deps.Store.InLongTx(ctx, m.school, ask)
	}
	if err != nil {
		return usage, err
	}
	for _, id := range activities {
		usage.Activities[id] = usage.Activities[id] || m.hasLearnerData[id]
	}
	return usage, nil
}

// lockStructures returns the current structures of the courses in p, without the pending changes.
// They are locked for update if the import writes.
func (m *importer) lockStructures(ctx context.Context, p pendingChanges) (map[course.ID]structure.Structure, error) {
	courses := maps.Clone(p.differs)
	for _, q := range p.quizzes {
		for _, in := range m.coursesOfQuiz(q.before.ID) {
			courses[in] = true
		}
	}
	before := map[course.ID]structure.Structure{}
	if m.load == nil {
		for id, differs := range courses {
			if differs {
				before[id] = m.plannedStructure(id, p.activities[id])
			}
		}
		return before, nil
	}
	if err := m.flush(ctx); err != nil {
		return nil, err
	}
	tx := m.load.Tx()
	for _, in := range slices.Sorted(maps.Keys(m.courses)) {
		e := m.courses[in]
		if !courses[e.record.ID] {
			continue
		}
		var quizzes []quiz.ID
		var assignments []assignment.ID
		for _, l := range p.activities[e.record.ID] {
			quizzes, assignments = append(quizzes, l.after.Content.Quiz), append(assignments, l.after.Content.Assignment)
		}
		was, err := tx.Structures.GetForUpdate(ctx, e.record.ID, quizzes, assignments)
		if fault.Is(err, fault.NotFound) {
			return nil, ports.ErrChanged
		}
		if err != nil {
			return nil, err
		}
		before[e.record.ID] = was
	}
	return before, nil
}
