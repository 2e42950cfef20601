package structure

import (
	"fmt"
	"maps"

	"lyceum/domain/assignment"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
)

// quiz returns the id of the planned quiz: the quiz that the plan refers to, the quiz that the
// activity already has (has), or a new quiz. path is the path of the activity in the plan.
func (r *reviser) quiz(path string, plan *Quiz, has quiz.ID) (quiz.ID, error) {
	if plan == nil {
		return quiz.ID{}, fault.Blank("")
	}
	id := plan.ID
	if id == (quiz.ID{}) {
		if id = has; !plan.Defined {
			return id, fault.Invalidf("", "must have an id, or a name and questions")
		}
	}
	if id == (quiz.ID{}) {
		return r.newQuiz(*plan)
	}
	was, ok := r.was.Quizzes[id]
	if !ok {
		return quiz.ID{}, fault.Invalidf("id", "does not refer to an existing quiz")
	}
	if !plan.Defined {
		return id, nil
	}
	if first, ok := r.quizzes[id]; ok {
		if !first.plan.same(*plan) {
			return id, fault.Invalidf("", "differs from the definition with the same id in %s", first.path)
		}
		return id, nil
	}
	r.quizzes[id] = definition[Quiz]{*plan, path}
	return id, r.reviseQuiz(quiz.Restore(was), *plan)
}

func (r *reviser) newQuiz(plan Quiz) (quiz.ID, error) {
	id, checked := quiz.ID{UUID: r.newID()}, plan.check()
	var errs []error
	for i, q := range plan.Questions {
		if q.Key == "" {
			errs = append(errs, fault.Blank(fmt.Sprintf("questions[%d].key", i)))
		}
	}
	if errs != nil { // find only the other faults
		checked = quiz.Check(plan.Name, quiz.WithKeys(plan.Questions))
	}
	made, err := quiz.NewChecked(id, checked.WithIDs(r.newID), r.now)
	if err := fault.Join(append(errs, err)...); err != nil {
		return quiz.ID{}, err
	}
	r.AddedQuizzes = append(r.AddedQuizzes, made)
	r.After.Quizzes[id] = made.State()
	return id, nil
}

func (r *reviser) reviseQuiz(q quiz.Quiz, plan Quiz) error {
	id, asked := q.State().ID, q.ActiveQuestions()
	changed, err := q.UpdateChecked(plan.check(), r.usage.Quizzes[id], r.newID, r.now)
	if err != nil || !changed {
		return err
	}
	r.ChangedQuizzes = append(r.ChangedQuizzes, q)
	r.After.Quizzes[id] = q.State()
	if !maps.Equal(asked, q.ActiveQuestions()) {
		r.RescoredQuizzes = append(r.RescoredQuizzes, id)
	}
	return nil
}

// assignment is like quiz, for assignments.
func (r *reviser) assignment(path string, plan *Assignment, has assignment.ID) (assignment.ID, error) {
	if plan == nil {
		return assignment.ID{}, fault.Blank("")
	}
	id := plan.ID
	if id == (assignment.ID{}) {
		if id = has; !plan.Defined {
			return id, fault.Invalidf("", "must have an id or a title")
		}
	}
	if id == (assignment.ID{}) {
		made, err := assignment.New(assignment.ID{UUID: r.newID()}, plan.Title, r.now)
		if err != nil {
			return id, err
		}
		r.AddedAssignments = append(r.AddedAssignments, made)
		r.After.Assignments[made.State().ID] = made.State()
		return made.State().ID, nil
	}
	was, ok := r.was.Assignments[id]
	if !ok {
		return assignment.ID{}, fault.Invalidf("id", "does not refer to an existing assignment")
	}
	if !plan.Defined {
		return id, nil
	}
	if first, ok := r.assignments[id]; ok {
		if first.plan.Title != plan.Title {
			return id, fault.Invalidf("", "differs from the definition with the same id in %s", first.path)
		}
		return id, nil
	}
	r.assignments[id] = definition[Assignment]{*plan, path}
	a := assignment.Restore(was)
	if err := a.Rename(plan.Title, r.now); err != nil || a.State() == was {
		return id, err
	}
	r.ChangedAssignments = append(r.ChangedAssignments, a)
	r.After.Assignments[id] = a.State()
	return id, nil
}
