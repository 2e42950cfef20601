package storetest

import (
	"context"

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
}
