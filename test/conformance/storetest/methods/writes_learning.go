package methods

import (
	"context"
	"math"

	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/domain/reconcile"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
	"lyceum/test/kit/fake"
)

// nextAttempt returns the attempt that follows the fixture's attempt, modified by change.
func nextAttempt(e fixture.Fixture, change func(*attempt.State)) attempt.Attempt {
	a := e.Coursework.Attempt
	a.ID, a.Number = attempt.ID{UUID: e.IDs.New()}, 2
	change(&a)
	return attempt.Restore(a)
}

// nextQuizAttempt returns the quiz attempt that follows the fixture's quiz attempt, modified by
// change.
func nextQuizAttempt(e fixture.Fixture, change func(*quizattempt.State)) quizattempt.Attempt {
	r := e.QuizAttempt
	r.ID, r.Number = quizattempt.ID{UUID: e.IDs.New()}, 2
	change(&r)
	return quizattempt.Restore(r)
}

// learningMethods contains methods of the ports of course attempts, quiz attempts and events, and
// of the reconciler.
var learningMethods = []portMethod{
	{port: "Attempts", method: "LatestMany", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		found, err := tx.Attempts.LatestMany(ctx, []enrollment.PersonCourse{ours.Coursework.PersonCourse(), theirs.Coursework.PersonCourse()})
		delete(found, ours.Coursework.PersonCourse())
		return len(found), err
	}},
	{port: "Attempts", method: "AddMany", of: "their person", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		return nil, tx.Attempts.AddMany(ctx, []attempt.Attempt{
			nextAttempt(ours, func(*attempt.State) {}), nextAttempt(ours, func(a *attempt.State) { a.Person = theirs.Coursework.Learner.ID }),
		})
	}},
	{port: "Attempts", method: "AddMany", of: "their course", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		return nil, tx.Attempts.AddMany(ctx, []attempt.Attempt{nextAttempt(ours, func(a *attempt.State) { a.Course = theirs.Coursework.Course.ID })})
	}},
	{port: "Attempts", method: "GetCompletion", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return result(tx.Attempts.GetCompletion(ctx, theirs.Completion.Attempt, theirs.Completion.Activity))
	}},
	{port: "Attempts", method: "Add", of: "their person", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		return nil, tx.Attempts.Add(ctx, nextAttempt(ours, func(a *attempt.State) { a.Person = theirs.Coursework.Learner.ID }))
	}},
	{port: "Attempts", method: "Add", of: "their course", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		return nil, tx.Attempts.Add(ctx, nextAttempt(ours, func(a *attempt.State) { a.Course = theirs.Coursework.Course.ID }))
	}},
	{port: "Attempts", method: "Save", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		a := theirs.Coursework.Attempt
		a.Progress = 100
		return nil, tx.Attempts.Save(ctx, attempt.Restore(a))
	}},
	{port: "Attempts", method: "Tallies", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		found, err := tx.Attempts.Tallies(ctx, []attempt.ID{ours.Coursework.Attempt.ID, theirs.Coursework.Attempt.ID})
		delete(found, ours.Coursework.Attempt.ID)
		return len(found), err
	}},
	{port: "Attempts", method: "AddCompletionsIfAbsent", of: "their attempt", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		kept, err := tx.Attempts.AddCompletionsIfAbsent(ctx, []attempt.Completion{
			{Attempt: ours.Coursework.Attempt.ID, Activity: ours.Coursework.Video.ID, At: fake.Start},
			{Attempt: theirs.Coursework.Attempt.ID, Activity: ours.Coursework.Video.ID, At: fake.Start},
		})
		return len(kept), err
	}},
	{port: "Attempts", method: "AddCompletionsIfAbsent", of: "their activity", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		kept, err := tx.Attempts.AddCompletionsIfAbsent(ctx, []attempt.Completion{
			{Attempt: ours.Coursework.Attempt.ID, Activity: theirs.Coursework.Video.ID, At: fake.Start},
		})
		return len(kept), err
	}},
	{port: "Attempts", method: "AbsentCompletions", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		absent, err := tx.Attempts.AbsentCompletions(ctx, []attempt.Completion{theirs.Completion})
		return len(absent) - 1, err
	}},
	{port: "Attempts", method: "SaveMany", foreign: missing, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		mine, a := ours.Coursework.Attempt, theirs.Coursework.Attempt
		mine.Progress, a.Progress = 100, 100
		return nil, tx.Attempts.SaveMany(ctx, []attempt.Attempt{attempt.Restore(mine), attempt.Restore(a)})
	}},
	{port: "QuizAttempts", method: "Uncompleted", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		found, err := tx.QuizAttempts.Uncompleted(ctx, []quiz.ID{theirs.Coursework.Quiz.ID})
		return len(found), err
	}},
	{port: "QuizAttempts", method: "Open", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		found, err := tx.QuizAttempts.Open(ctx, []quiz.ID{theirs.Coursework.Quiz.ID})
		return len(found), err
	}},
	{port: "Attempts", method: "LockByPerson", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.Attempts.LockByPerson(ctx, theirs.Coursework.Learner.ID)
	}},
	{port: "Attempts", method: "DeleteByPerson", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, fixture.Second(tx.Attempts.DeleteByPerson(ctx, theirs.Coursework.Learner.ID, math.MaxInt32))
	}},
	{port: "QuizAttempts", method: "Latest", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		r, err := tx.QuizAttempts.Latest(ctx, theirs.Coursework.Attempt.ID, theirs.Coursework.QuizActivity.ID)
		return r.State(), err
	}},
	{port: "QuizAttempts", method: "Add", of: "their course attempt", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		return nil, tx.QuizAttempts.Add(ctx, nextQuizAttempt(ours, func(r *quizattempt.State) { r.CourseAttempt = theirs.Coursework.Attempt.ID }))
	}},
	{port: "QuizAttempts", method: "Add", of: "their activity", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		return nil, tx.QuizAttempts.Add(ctx, nextQuizAttempt(ours, func(r *quizattempt.State) { r.Activity = theirs.Coursework.QuizActivity.ID }))
	}},
	{port: "QuizAttempts", method: "Add", of: "their quiz", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		return nil, tx.QuizAttempts.Add(ctx, nextQuizAttempt(ours, func(r *quizattempt.State) { r.Quiz = theirs.Coursework.Quiz.ID }))
	}},
	{port: "QuizAttempts", method: "Add", of: "their person", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		return nil, tx.QuizAttempts.Add(ctx, nextQuizAttempt(ours, func(r *quizattempt.State) { r.Person = theirs.Coursework.Learner.ID }))
	}},
	{port: "QuizAttempts", method: "Add", of: "their course", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		return nil, tx.QuizAttempts.Add(ctx, nextQuizAttempt(ours, func(r *quizattempt.State) { r.Course = theirs.Coursework.Course.ID }))
	}},
	{port: "QuizAttempts", method: "Save", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.QuizAttempts.Save(ctx, quizattempt.Restore(theirs.QuizAttempt))
	}},
	{port: "QuizAttempts", method: "DeleteByPerson", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, fixture.Second(tx.QuizAttempts.DeleteByPerson(ctx, theirs.Coursework.Learner.ID, math.MaxInt32))
	}},
	{port: "Events", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return listed(ctx, r.Events, func(e event.Event) bool { return e.Person == theirs.Coursework.Learner.ID })
	}},
	{port: "Events", method: "Append", of: "their person", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		kept, err := tx.Events.Append(ctx, []event.Event{event.NewView(theirs.Coursework.Learner.ID, ours.Coursework.Text.ID)}, fake.Start)
		return len(kept), err
	}},
	{port: "Events", method: "Append", of: "their activity", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		kept, err := tx.Events.Append(ctx, []event.Event{event.NewView(ours.Coursework.Learner.ID, theirs.Coursework.Text.ID)}, fake.Start)
		return len(kept), err
	}},
	{port: "Events", method: "ByClientKeys", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		found, err := tx.Events.ByClientKeys(ctx, []event.ClientKey{theirs.NewEvent().ClientKey()})
		return len(found), err
	}},
	{port: "Events", method: "DeleteByPerson", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, fixture.Second(tx.Events.DeleteByPerson(ctx, theirs.Coursework.Learner.ID, math.MaxInt32))
	}},
	{port: "Reconciler", method: "RecalculateDerived", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, _ fixture.Fixture) (any, error) {
		// The method takes no record. Correct data has no discrepancy.
		wrong, err := tx.Reconciler.RecalculateDerived(ctx)
		return len(wrong), err
	}},
	{port: "Reconciler", method: "AttemptsForUpdate", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		found, err := tx.Reconciler.AttemptsForUpdate(ctx, attempt.ID{}, 100)
		return amount(found, func(a reconcile.AttemptCheck) bool { return a.Attempt.State().ID == theirs.Coursework.Attempt.ID }), err
	}},
	{port: "Reconciler", method: "QuizAttemptsForUpdate", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		found, err := tx.Reconciler.QuizAttemptsForUpdate(ctx, quizattempt.ID{}, 100)
		return amount(found, func(a reconcile.QuizAttemptCheck) bool { return a.Attempt.State().ID == theirs.QuizAttempt.ID }), err
	}},
}

// amount returns the number of elements that wanted accepts.
func amount[T any](all []T, wanted func(T) bool) int {
	n := 0
	for _, e := range all {
		n += fixture.Ordinal(wanted(e))
	}
	return n
}

// statisticsMethods contains the method of ports.Statistics.
var statisticsMethods = []portMethod{
	{port: "Statistics", method: "Of", outside: true, foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		found, err := r.Statistics.Of(ctx, analytics.StatisticsScope{Courses: []course.ID{theirs.Course.ID}, Limit: 10})
		return len(found.Weeks) + len(found.Courses) + len(found.Questions), err
	}},
}
