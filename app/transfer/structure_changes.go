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

// unsettled is what lines have told of the courses and quizzes that the school
// has, since they were last settled.
type unsettled struct {
	lessons map[course.ID][]lessonLine
	differs map[course.ID]bool // whether there is anything to do
	quizzes []reworded
	courses []func(context.Context, ports.Tx) error // that keep other names, categories and instructors
}

// lessonLine is what a line tells of an activity.
type lessonLine struct {
	was, is  activity.State // was is nothing when it was added
	line     int
	position int // 0 when the line tells none
	added    bool
}

// reworded is a quiz that is to ask something else.
type reworded struct {
	was  quiz.State
	next quiz.Quiz
}

func newUnsettled() unsettled {
	return unsettled{lessons: map[course.ID][]lessonLine{}, differs: map[course.ID]bool{}}
}

func (p *unsettled) tell(l lessonLine, differs bool) {
	in := l.is.Course
	p.lessons[in] = append(p.lessons[in], l)
	p.differs[in] = p.differs[in] || differs
}

// settle gives the courses that the school has the activities of which the file
// has told, in the order of their permalinks, under the rules of a structure.
// What may not change is told with the line of it.
func (m *importing) settle(ctx context.Context) error {
	p := m.pending
	if len(p.lessons)+len(p.quizzes)+len(p.courses) == 0 || m.load != nil && len(m.faults) > 0 {
		return nil
	}
	m.pending = newUnsettled()
	were, err := m.standing(ctx, p)
	if err != nil {
		return err
	}
	for _, keep := range p.courses {
		if err := keep(ctx, m.load.Tx()); err != nil {
			return err
		}
	}
	if err := m.reword(ctx, p.quizzes); err != nil {
		return err
	}
	for _, in := range slices.Sorted(maps.Keys(m.courses)) {
		id := m.courses[in].is.ID
		lines := p.lessons[id]
		if !p.differs[id] {
			for range lines {
				m.count(format.ActivityKind).Unchanged++
			}
			continue
		}
		if err := m.restructure(ctx, were[id], lines); err != nil {
			return err
		}
	}
	return nil
}

// restructure gives a course the activities of lines.
func (m *importing) restructure(ctx context.Context, was structure.Structure, lines []lessonLine) error {
	if missing(was, lines) {
		return ports.ErrChanged
	}
	plan, at := merged(was, lines)
	facts, err := m.facts(ctx, was, plan)
	if err != nil {
		return err
	}
	r, err := was.Revise(plan, facts, m.newID, m.now)
	if fault.IsRefusal(err) {
		for _, f := range fault.All(err) {
			line, told := at.told(f)
			m.refuse(line, format.ActivityKind, told)
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
			l.is = a
		}
	}
	for _, l := range lines {
		if !l.added {
			_ = m.change(format.ActivityKind, changed[l.is.ID], func() error { return nil }) // all are kept at once
		}
	}
	if slices.ContainsFunc(lines, func(l lessonLine) bool { return l.added }) {
		r.Progress = structure.Progress(len(r.After.Activities))
	}
	if m.load == nil || r.Empty() && r.Progress == nil {
		return nil
	}
	return m.load.Tx().Structures.Save(ctx, r)
}

// facts returns in which of the activities in doubt learners have done anything,
// or will have by the file.
func (m *importing) facts(ctx context.Context, was structure.Structure, plan structure.Plan) (structure.Facts, error) {
	facts := structure.Facts{Activities: map[activity.ID]bool{}}
	activities, _ := was.Doubts(plan)
	if len(activities) == 0 {
		return facts, nil
	}
	ask := func(ctx context.Context, tx ports.Tx) (err error) {
		facts, err = tx.Structures.Facts(ctx, activities, nil)
		return err
	}
	var err error
	if m.load != nil {
		err = ask(ctx, m.load.Tx())
	} else {
		err = m.deps.Store.InLongTx(ctx, m.school, ask)
	}
	if err != nil {
		return facts, err
	}
	for _, id := range activities {
		facts.Activities[id] = facts.Activities[id] || m.touched[id]
	}
	return facts, nil
}

// standing returns what the courses of p consist of before p is settled, locked
// when it is to be written.
func (m *importing) standing(ctx context.Context, p unsettled) (map[course.ID]structure.Structure, error) {
	courses := maps.Clone(p.differs)
	for _, q := range p.quizzes {
		for _, in := range m.standsIn(q.was.ID) {
			courses[in] = true
		}
	}
	were := map[course.ID]structure.Structure{}
	if m.load == nil {
		for id, differs := range courses {
			if differs {
				were[id] = m.indexed(id, p.lessons[id])
			}
		}
		return were, nil
	}
	if err := m.flush(ctx); err != nil {
		return nil, err
	}
	tx := m.load.Tx()
	for _, in := range slices.Sorted(maps.Keys(m.courses)) {
		e := m.courses[in]
		if !courses[e.is.ID] {
			continue
		}
		var quizzes []quiz.ID
		var assignments []assignment.ID
		for _, l := range p.lessons[e.is.ID] {
			quizzes, assignments = append(quizzes, l.is.Content.Quiz), append(assignments, l.is.Content.Assignment)
		}
		was, err := tx.Structures.Find(ctx, e.is.ID, quizzes, assignments)
		if fault.Is(err, fault.NotFound) {
			return nil, ports.ErrChanged
		}
		if err != nil {
			return nil, err
		}
		were[e.is.ID] = was
	}
	return were, nil
}
