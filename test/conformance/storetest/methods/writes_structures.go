package methods

import (
	"context"
	"slices"

	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/quiz"
	"lyceum/domain/structure"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// structureMethods contains the methods of ports.StructureReader and ports.StructureRepo.
var structureMethods = []portMethod{
	{port: "Structures", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		s, err := r.Structures.Get(ctx, theirs.Coursework.Course.ID)
		return len(s.Activities), err
	}},
	{port: "Structures", method: "GetForUpdate", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		s, err := tx.Structures.GetForUpdate(ctx, theirs.Coursework.Course.ID, nil, nil)
		return len(s.Activities), err
	}},
	{port: "Structures", method: "GetForUpdate", of: "their quiz and assignment", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		s, err := tx.Structures.GetForUpdate(ctx, ours.Course.ID, []quiz.ID{theirs.Coursework.Quiz.ID}, []assignment.ID{theirs.Coursework.Assignment.ID})
		return len(s.Quizzes) + len(s.Assignments), err
	}},
	{port: "Structures", method: "Usage", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		f, err := tx.Structures.Usage(ctx, []activity.ID{theirs.Coursework.Text.ID}, []quiz.ID{theirs.Coursework.Quiz.ID})
		return len(f.Activities) + len(f.Quizzes), err
	}},
	{port: "Structures", method: "Save", of: "their quiz", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		return nil, fixture.SaveRevision(ctx, tx, structure.Revision{Added: []activity.Activity{
			newActivity(ours, func(a *activity.State) { a.Content = activity.QuizContent(theirs.Coursework.Quiz.ID) }),
		}})
	}},
	{port: "Structures", method: "Save", of: "their course", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		return nil, fixture.SaveRevision(ctx, tx, structure.Revision{Added: []activity.Activity{
			newActivity(ours, func(a *activity.State) { a.Course = theirs.Course.ID }),
		}})
	}},
	{port: "Structures", method: "Save", of: "their assignment", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		return nil, fixture.SaveRevision(ctx, tx, structure.Revision{Added: []activity.Activity{
			newActivity(ours, func(a *activity.State) {
				a.Content = activity.AssignmentContent(theirs.Coursework.Assignment.ID)
			}),
		}})
	}},
	{port: "Structures", method: "Save", of: "the name of their quiz", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		// The name and the questions are the same as in the other school's quiz.
		q := theirs.Coursework.Quiz
		q.ID = quiz.ID{UUID: theirs.IDs.New()}
		q.Questions = slices.Clone(q.Questions)
		for i := range q.Questions {
			q.Questions[i].ID = quiz.QuestionID{UUID: theirs.IDs.New()}
		}
		return nil, fixture.SaveRevision(ctx, tx, structure.Revision{AddedQuizzes: []quiz.Quiz{quiz.Restore(q)}})
	}},
	{port: "Structures", method: "Save", of: "the title of their assignment", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		a := theirs.Coursework.Assignment
		a.ID = assignment.ID{UUID: theirs.IDs.New()}
		return nil, fixture.SaveRevision(ctx, tx, structure.Revision{AddedAssignments: []assignment.Assignment{assignment.Restore(a)}})
	}},
}
