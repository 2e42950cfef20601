package storetest

import (
	"context"
	"slices"

	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/quiz"
	"lyceum/domain/structure"
	"lyceum/ports"
)

// structureMethods contains the methods of ports.StructureReader and ports.StructureRepo.
var structureMethods = []portMethod{
	{port: "Structures", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		s, err := r.Structures.Get(ctx, theirs.coursework.course.ID)
		return len(s.Activities), err
	}},
	{port: "Structures", method: "GetForUpdate", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		s, err := tx.Structures.GetForUpdate(ctx, theirs.coursework.course.ID, nil, nil)
		return len(s.Activities), err
	}},
	{port: "Structures", method: "GetForUpdate", of: "their quiz and assignment", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		s, err := tx.Structures.GetForUpdate(ctx, ours.course.ID, []quiz.ID{theirs.coursework.quiz.ID}, []assignment.ID{theirs.coursework.assignment.ID})
		return len(s.Quizzes) + len(s.Assignments), err
	}},
	{port: "Structures", method: "Usage", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		f, err := tx.Structures.Usage(ctx, []activity.ID{theirs.coursework.text.ID}, []quiz.ID{theirs.coursework.quiz.ID})
		return len(f.Activities) + len(f.Quizzes), err
	}},
	{port: "Structures", method: "Save", of: "their quiz", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		return nil, tx.Structures.Save(ctx, structure.Revision{Added: []activity.Activity{
			ours.newActivity(func(a *activity.State) { a.Content = activity.QuizContent(theirs.coursework.quiz.ID) }),
		}})
	}},
	{port: "Structures", method: "Save", of: "their course", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		return nil, tx.Structures.Save(ctx, structure.Revision{Added: []activity.Activity{
			ours.newActivity(func(a *activity.State) { a.Course = theirs.course.ID }),
		}})
	}},
	{port: "Structures", method: "Save", of: "their assignment", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		return nil, tx.Structures.Save(ctx, structure.Revision{Added: []activity.Activity{
			ours.newActivity(func(a *activity.State) {
				a.Content = activity.AssignmentContent(theirs.coursework.assignment.ID)
			}),
		}})
	}},
	{port: "Structures", method: "Save", of: "the name of their quiz", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		// The name and the questions are the same as in the other school's quiz.
		q := theirs.coursework.quiz
		q.ID = quiz.ID{UUID: theirs.ids.New()}
		q.Questions = slices.Clone(q.Questions)
		for i := range q.Questions {
			q.Questions[i].ID = quiz.QuestionID{UUID: theirs.ids.New()}
		}
		return nil, tx.Structures.Save(ctx, structure.Revision{AddedQuizzes: []quiz.Quiz{quiz.Restore(q)}})
	}},
	{port: "Structures", method: "Save", of: "the title of their assignment", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		a := theirs.coursework.assignment
		a.ID = assignment.ID{UUID: theirs.ids.New()}
		return nil, tx.Structures.Save(ctx, structure.Revision{AddedAssignments: []assignment.Assignment{assignment.Restore(a)}})
	}},
}
