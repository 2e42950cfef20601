package methods

import (
	"context"
	"math"
	"slices"

	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/assignment"
	"lyceum/domain/change"
	"lyceum/domain/enrollment"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/submission"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// newActivity returns a copy of the text activity of the fixture's coursework with a new id and
// key, modified by change.
func newActivity(e fixture.Fixture, change func(*activity.State)) activity.Activity {
	a := e.Coursework.Text
	a.ID = activity.ID{UUID: e.IDs.New()}
	a.Key = a.ID.String()
	change(&a)
	return activity.Restore(a)
}

// newSubmission returns a copy of the fixture's submission with a new id, modified by change.
func newSubmission(e fixture.Fixture, change func(*submission.Submission)) submission.Submission {
	n := e.Submission
	n.ID = submission.ID{UUID: e.IDs.New()}
	change(&n)
	return n
}

// catalogMethods contains methods of the ports of activities, quizzes, assignments and submissions,
// of the change feed, and of the lists of analytics.
var catalogMethods = []portMethod{
	{port: "Activities", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return listed(ctx, r.Activities, func(a activity.State) bool { return a.ID == theirs.Coursework.Text.ID })
	}},
	{port: "Activities", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return result(r.Activities.Get(ctx, theirs.Coursework.Text.ID))
	}},
	{port: "Activities", method: "GetManyForShare", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		found, err := tx.Activities.GetManyForShare(ctx, []activity.ID{ours.Coursework.Text.ID, theirs.Coursework.Text.ID})
		delete(found, ours.Coursework.Text.ID)
		return len(found), err
	}},
	{port: "Activities", method: "ByAssignment", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		found, err := tx.Activities.ByAssignment(ctx, theirs.Coursework.Assignment.ID)
		return len(found), err
	}},
	{port: "Quizzes", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return listed(ctx, r.Quizzes, func(q quiz.Summary) bool { return q.ID == theirs.Coursework.Quiz.ID })
	}},
	{port: "Quizzes", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return result(r.Quizzes.Get(ctx, theirs.Coursework.Quiz.ID))
	}},
	{port: "Quizzes", method: "WithQuestions", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return result(r.Quizzes.WithQuestions(ctx, theirs.Coursework.Quiz.ID))
	}},
	{port: "Quizzes", method: "GetManyForShare", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		found, err := tx.Quizzes.GetManyForShare(ctx, []quiz.ID{ours.Coursework.Quiz.ID, theirs.Coursework.Quiz.ID})
		delete(found, ours.Coursework.Quiz.ID)
		return len(found), err
	}},
	{port: "Assignments", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return listed(ctx, r.Assignments, func(a assignment.State) bool { return a.ID == theirs.Coursework.Assignment.ID })
	}},
	{port: "Assignments", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return result(r.Assignments.Get(ctx, theirs.Coursework.Assignment.ID))
	}},
	{port: "Submissions", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return listed(ctx, r.Submissions, func(s submission.Summary) bool { return s.ID == theirs.Submission.ID })
	}},
	{port: "Submissions", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return result(r.Submissions.Get(ctx, theirs.Submission.ID))
	}},
	{port: "Submissions", method: "Add", of: "their assignment", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		return nil, tx.Submissions.Add(ctx, newSubmission(ours, func(s *submission.Submission) { s.Assignment = theirs.Coursework.Assignment.ID }))
	}},
	{port: "Submissions", method: "Add", of: "their activity", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		return nil, tx.Submissions.Add(ctx, newSubmission(ours, func(s *submission.Submission) { s.Activity = theirs.Coursework.AssignmentActivity.ID }))
	}},
	{port: "Submissions", method: "Add", of: "their person", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		return nil, tx.Submissions.Add(ctx, newSubmission(ours, func(s *submission.Submission) { s.Person = theirs.Coursework.Learner.ID }))
	}},
	{port: "Submissions", method: "Add", of: "their course attempt", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		return nil, tx.Submissions.Add(ctx, newSubmission(ours, func(s *submission.Submission) { s.CourseAttempt = theirs.Coursework.Attempt.ID }))
	}},
	{port: "Submissions", method: "DeleteByPerson", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		removed, err := tx.Submissions.DeleteByPerson(ctx, theirs.Coursework.Learner.ID, math.MaxInt32)
		return len(removed), err
	}},
	{port: "Changes", method: "Page", outside: true, foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		page, err := r.Changes.Page(ctx, query.Query{Page: query.AllRows()})
		return len(slices.DeleteFunc(page.Items, func(c change.Change) bool { return c.Record.ID != theirs.Category.ID.String() })), err
	}},
	{port: "Changes", method: "Feed", outside: true, foreign: empty, read: func(ctx context.Context, r ports.Reader, _, _ fixture.Fixture) (any, error) {
		// The method takes no record.
		f, err := r.Changes.Feed(ctx)
		return int(f.Start), err
	}},
	{port: "CourseAnalytics", method: "List", outside: true, foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return listed(ctx, r.CourseAnalytics, func(c analytics.CourseProgress) bool { return c.Person == theirs.Coursework.Learner.ID })
	}},
	{port: "CourseAnalytics", method: "LatestMany", outside: true, foreign: empty, read: func(ctx context.Context, r ports.Reader, ours, theirs fixture.Fixture) (any, error) {
		found, err := r.CourseAnalytics.LatestMany(ctx, []enrollment.PersonCourse{ours.Coursework.PersonCourse(), theirs.Coursework.PersonCourse()})
		delete(found, ours.Coursework.PersonCourse())
		return len(found), err
	}},
	{port: "QuizScores", method: "List", outside: true, foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return listed(ctx, r.QuizScores, func(s analytics.QuizScore) bool { return s.Person == theirs.Coursework.Learner.ID })
	}},
	{port: "RawAnswers", method: "List", outside: true, foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return listed(ctx, r.RawAnswers, func(a analytics.RawAnswer) bool { return a.Person == theirs.Coursework.Learner.ID })
	}},
	{port: "QuizAttempts", method: "List", outside: true, foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return listed(ctx, r.QuizAttempts, func(a analytics.QuizAttempt) bool { return a.Person == theirs.Coursework.Learner.ID })
	}},
	{port: "QuizAttempts", method: "Latest", outside: true, foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		a, err := r.QuizAttempts.Latest(ctx, theirs.Coursework.Attempt.ID, theirs.Coursework.QuizActivity.ID)
		return a.State(), err
	}},
	{port: "Completions", method: "List", outside: true, foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return listed(ctx, r.Completions, func(c analytics.Completion) bool { return c.Person == theirs.Coursework.Learner.ID })
	}},
}
