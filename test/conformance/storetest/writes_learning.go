package storetest

import (
	"context"
	"math"

	"lyceum/domain/attempt"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/domain/reconcile"
	"lyceum/ports"
	"lyceum/test/kit/fake"
)

// newEvent returns a view of the coursework's text activity by its learner, with a client id. Each
// call returns an equal event.
func (e fixture) newEvent() event.Event {
	viewed := event.NewView(e.coursework.learner.ID, e.coursework.text.ID)
	viewed.ClientID = "viewed-" + e.coursework.learner.ID.String()
	return viewed
}

// personCourse returns the learner and the course of the fixture.
func (l courseFixture) personCourse() enrollment.PersonCourse {
	return enrollment.PersonCourse{Person: l.learner.ID, Course: l.course.ID}
}

// nextAttempt returns the attempt that follows the fixture's attempt, modified by change.
func (e fixture) nextAttempt(change func(*attempt.State)) attempt.Attempt {
	a := e.coursework.attempt
	a.ID, a.Number = attempt.ID{UUID: e.ids.New()}, 2
	change(&a)
	return attempt.Restore(a)
}

// nextQuizAttempt returns the quiz attempt that follows the fixture's quiz attempt, modified by
// change.
func (e fixture) nextQuizAttempt(change func(*quizattempt.State)) quizattempt.Attempt {
	r := e.quizAttempt
	r.ID, r.Number = quizattempt.ID{UUID: e.ids.New()}, 2
	change(&r)
	return quizattempt.Restore(r)
}

// learningMethods contains methods of the ports of course attempts, quiz attempts and events, and
// of the reconciler.
var learningMethods = []portMethod{
	{port: "Attempts", method: "LatestMany", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		found, err := tx.Attempts.LatestMany(ctx, []enrollment.PersonCourse{ours.coursework.personCourse(), theirs.coursework.personCourse()})
		delete(found, ours.coursework.personCourse())
		return len(found), err
	}},
	{port: "Attempts", method: "AddMany", of: "their person", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		return nil, tx.Attempts.AddMany(ctx, []attempt.Attempt{
			ours.nextAttempt(func(*attempt.State) {}), ours.nextAttempt(func(a *attempt.State) { a.Person = theirs.coursework.learner.ID }),
		})
	}},
	{port: "Attempts", method: "AddMany", of: "their course", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		return nil, tx.Attempts.AddMany(ctx, []attempt.Attempt{ours.nextAttempt(func(a *attempt.State) { a.Course = theirs.coursework.course.ID })})
	}},
	{port: "Attempts", method: "GetCompletion", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return result(tx.Attempts.GetCompletion(ctx, theirs.completion.Attempt, theirs.completion.Activity))
	}},
	{port: "Attempts", method: "Add", of: "their person", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		return nil, tx.Attempts.Add(ctx, ours.nextAttempt(func(a *attempt.State) { a.Person = theirs.coursework.learner.ID }))
	}},
	{port: "Attempts", method: "Add", of: "their course", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		return nil, tx.Attempts.Add(ctx, ours.nextAttempt(func(a *attempt.State) { a.Course = theirs.coursework.course.ID }))
	}},
	{port: "Attempts", method: "Save", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		a := theirs.coursework.attempt
		a.Progress = 100
		return nil, tx.Attempts.Save(ctx, attempt.Restore(a))
	}},
	{port: "Attempts", method: "Tallies", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		found, err := tx.Attempts.Tallies(ctx, []attempt.ID{ours.coursework.attempt.ID, theirs.coursework.attempt.ID})
		delete(found, ours.coursework.attempt.ID)
		return len(found), err
	}},
	{port: "Attempts", method: "AddCompletionsIfAbsent", of: "their attempt", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		kept, err := tx.Attempts.AddCompletionsIfAbsent(ctx, []attempt.Completion{
			{Attempt: ours.coursework.attempt.ID, Activity: ours.coursework.video.ID, At: fake.Start},
			{Attempt: theirs.coursework.attempt.ID, Activity: ours.coursework.video.ID, At: fake.Start},
		})
		return len(kept), err
	}},
	{port: "Attempts", method: "AddCompletionsIfAbsent", of: "their activity", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		kept, err := tx.Attempts.AddCompletionsIfAbsent(ctx, []attempt.Completion{
			{Attempt: ours.coursework.attempt.ID, Activity: theirs.coursework.video.ID, At: fake.Start},
		})
		return len(kept), err
	}},
	{port: "Attempts", method: "AbsentCompletions", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		absent, err := tx.Attempts.AbsentCompletions(ctx, []attempt.Completion{theirs.completion})
		return len(absent) - 1, err
	}},
	{port: "Attempts", method: "SaveMany", foreign: missing, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		mine, a := ours.coursework.attempt, theirs.coursework.attempt
		mine.Progress, a.Progress = 100, 100
		return nil, tx.Attempts.SaveMany(ctx, []attempt.Attempt{attempt.Restore(mine), attempt.Restore(a)})
	}},
	{port: "QuizAttempts", method: "Uncompleted", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		found, err := tx.QuizAttempts.Uncompleted(ctx, []quiz.ID{theirs.coursework.quiz.ID})
		return len(found), err
	}},
	{port: "QuizAttempts", method: "Open", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		found, err := tx.QuizAttempts.Open(ctx, []quiz.ID{theirs.coursework.quiz.ID})
		return len(found), err
	}},
	{port: "Attempts", method: "LockByPerson", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, tx.Attempts.LockByPerson(ctx, theirs.coursework.learner.ID)
	}},
	{port: "Attempts", method: "DeleteByPerson", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, second(tx.Attempts.DeleteByPerson(ctx, theirs.coursework.learner.ID, math.MaxInt32))
	}},
	{port: "QuizAttempts", method: "Latest", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		r, err := tx.QuizAttempts.Latest(ctx, theirs.coursework.attempt.ID, theirs.coursework.quizActivity.ID)
		return r.State(), err
	}},
	{port: "QuizAttempts", method: "Add", of: "their course attempt", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		return nil, tx.QuizAttempts.Add(ctx, ours.nextQuizAttempt(func(r *quizattempt.State) { r.CourseAttempt = theirs.coursework.attempt.ID }))
	}},
	{port: "QuizAttempts", method: "Add", of: "their activity", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		return nil, tx.QuizAttempts.Add(ctx, ours.nextQuizAttempt(func(r *quizattempt.State) { r.Activity = theirs.coursework.quizActivity.ID }))
	}},
	{port: "QuizAttempts", method: "Add", of: "their quiz", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		return nil, tx.QuizAttempts.Add(ctx, ours.nextQuizAttempt(func(r *quizattempt.State) { r.Quiz = theirs.coursework.quiz.ID }))
	}},
	{port: "QuizAttempts", method: "Add", of: "their person", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		return nil, tx.QuizAttempts.Add(ctx, ours.nextQuizAttempt(func(r *quizattempt.State) { r.Person = theirs.coursework.learner.ID }))
	}},
	{port: "QuizAttempts", method: "Add", of: "their course", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		return nil, tx.QuizAttempts.Add(ctx, ours.nextQuizAttempt(func(r *quizattempt.State) { r.Course = theirs.coursework.course.ID }))
	}},
	{port: "QuizAttempts", method: "Save", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, tx.QuizAttempts.Save(ctx, quizattempt.Restore(theirs.quizAttempt))
	}},
	{port: "QuizAttempts", method: "DeleteByPerson", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, second(tx.QuizAttempts.DeleteByPerson(ctx, theirs.coursework.learner.ID, math.MaxInt32))
	}},
	{port: "Events", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return listed(ctx, r.Events, func(e event.Event) bool { return e.Person == theirs.coursework.learner.ID })
	}},
	{port: "Events", method: "Append", of: "their person", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		kept, err := tx.Events.Append(ctx, []event.Event{event.NewView(theirs.coursework.learner.ID, ours.coursework.text.ID)}, fake.Start)
		return len(kept), err
	}},
	{port: "Events", method: "Append", of: "their activity", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		kept, err := tx.Events.Append(ctx, []event.Event{event.NewView(ours.coursework.learner.ID, theirs.coursework.text.ID)}, fake.Start)
		return len(kept), err
	}},
	{port: "Events", method: "ByClientKeys", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		found, err := tx.Events.ByClientKeys(ctx, []event.ClientKey{theirs.newEvent().ClientKey()})
		return len(found), err
	}},
	{port: "Events", method: "DeleteByPerson", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, second(tx.Events.DeleteByPerson(ctx, theirs.coursework.learner.ID, math.MaxInt32))
	}},
	{port: "Reconciler", method: "RecalculateDerived", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, _ fixture) (any, error) {
		// The method takes no record. Correct data has no discrepancy.
		wrong, err := tx.Reconciler.RecalculateDerived(ctx)
		return len(wrong), err
	}},
	{port: "Reconciler", method: "AttemptsForUpdate", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		found, err := tx.Reconciler.AttemptsForUpdate(ctx, attempt.ID{}, 100)
		return amount(found, func(a reconcile.AttemptCheck) bool { return a.Attempt.State().ID == theirs.coursework.attempt.ID }), err
	}},
	{port: "Reconciler", method: "QuizAttemptsForUpdate", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		found, err := tx.Reconciler.QuizAttemptsForUpdate(ctx, quizattempt.ID{}, 100)
		return amount(found, func(a reconcile.QuizAttemptCheck) bool { return a.Attempt.State().ID == theirs.quizAttempt.ID }), err
	}},
}

// ordinal returns 1 if b is true, and 0 otherwise.
func ordinal(b bool) int {
	if b {
		return 1
	}
	return 0
}

// amount returns the number of elements that wanted accepts.
func amount[T any](all []T, wanted func(T) bool) int {
	n := 0
	for _, e := range all {
		n += ordinal(wanted(e))
	}
	return n
}
