package storetest

import (
	"context"

	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/quiz"
	"lyceum/domain/structure"
	"lyceum/ports"
)

// structureVerbs is the methods that what courses consist of is changed with.
var structureVerbs = []verb{
	{port: "Structures", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs exhibit) (any, error) {
		s, err := r.Structures.Get(ctx, theirs.lesson.course.ID)
		return len(s.Activities), err
	}},
	{port: "Structures", method: "GetForUpdate", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs exhibit) (any, error) {
		s, err := tx.Structures.GetForUpdate(ctx, theirs.lesson.course.ID, nil, nil)
		return len(s.Activities), err
	}},
	{port: "Structures", method: "GetForUpdate", of: "their quiz and assignment", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs exhibit) (any, error) {
		s, err := tx.Structures.GetForUpdate(ctx, ours.course.ID, []quiz.ID{theirs.lesson.quiz.ID}, []assignment.ID{theirs.lesson.paper.ID})
		return len(s.Quizzes) + len(s.Assignments), err
	}},
	{port: "Structures", method: "Usage", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs exhibit) (any, error) {
		f, err := tx.Structures.Usage(ctx, []activity.ID{theirs.lesson.text.ID}, []quiz.ID{theirs.lesson.quiz.ID})
		return len(f.Activities) + len(f.Quizzes), err
	}},
	{port: "Structures", method: "Save", of: "their quiz", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs exhibit) (any, error) {
		return nil, tx.Structures.Save(ctx, structure.Revision{Added: []activity.Activity{
			ours.step(func(a *activity.State) { a.Content = activity.QuizContent(theirs.lesson.quiz.ID) }),
		}})
	}},
}
