package storetest

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
)

// newActivity returns a copy of the text activity of the fixture's coursework with a new id and
// key, modified by change.
func (e fixture) newActivity(change func(*activity.State)) activity.Activity {
	a := e.coursework.text
	a.ID = activity.ID{UUID: e.ids.New()}
	a.Key = a.ID.String()
	change(&a)
	return activity.Restore(a)
}

// newSubmission returns a copy of the fixture's submission with a new id, modified by change.
func (e fixture) newSubmission(change func(*submission.Submission)) submission.Submission {
	n := e.submission
	n.ID = submission.ID{UUID: e.ids.New()}
	change(&n)
	return n
}

// catalogMethods contains methods of the ports of activities, quizzes, assignments and submissions,
// of the change feed, and of the lists of analytics.
var catalogMethods = []portMethod{
	{port: "Activities", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return listed(ctx, r.Activities, func(a activity.State) bool { return a.ID == theirs.coursework.text.ID })
	}},
	{port: "Activities", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return result(r.Activities.Get(ctx, theirs.coursework.text.ID))
	}},
	{port: "Activities", method: "GetManyForShare", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		found, err := tx.Activities.GetManyForShare(ctx, []activity.ID{ours.coursework.text.ID, theirs.coursework.text.ID})
		delete(found, ours.coursework.text.ID)
		return len(found), err
	}},
	{port: "Activities", method: "ByAssignment", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		found, err := tx.Activities.ByAssignment(ctx, theirs.coursework.assignment.ID)
		return len(found), err
	}},
	{port: "Quizzes", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return listed(ctx, r.Quizzes, func(q quiz.Summary) bool { return q.ID == theirs.coursework.quiz.ID })
	}},
	{port: "Quizzes", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return result(r.Quizzes.Get(ctx, theirs.coursework.quiz.ID))
	}},
	{port: "Quizzes", method: "WithQuestions", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return result(r.Quizzes.WithQuestions(ctx, theirs.coursework.quiz.ID))
	}},
	{port: "Quizzes", method: "GetManyForShare", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		found, err := tx.Quizzes.GetManyForShare(ctx, []quiz.ID{ours.coursework.quiz.ID, theirs.coursework.quiz.ID})
		delete(found, ours.coursework.quiz.ID)
		return len(found), err
	}},
	{port: "Assignments", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return listed(ctx, r.Assignments, func(a assignment.State) bool { return a.ID == theirs.coursework.assignment.ID })
	}},
	{port: "Assignments", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return result(r.Assignments.Get(ctx, theirs.coursework.assignment.ID))
	}},
	{port: "Submissions", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return listed(ctx, r.Submissions, func(s submission.Summary) bool { return s.ID == theirs.submission.ID })
	}},
	{port: "Submissions", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return result(r.Submissions.Get(ctx, theirs.submission.ID))
	}},
	{port: "Submissions", method: "Add", of: "their assignment", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		return nil, tx.Submissions.Add(ctx, ours.newSubmission(func(s *submission.Submission) { s.Assignment = theirs.coursework.assignment.ID }))
	}},
	{port: "Submissions", method: "Add", of: "their activity", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		return nil, tx.Submissions.Add(ctx, ours.newSubmission(func(s *submission.Submission) { s.Activity = theirs.coursework.assignmentActivity.ID }))
	}},
	{port: "Submissions", method: "Add", of: "their person", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		return nil, tx.Submissions.Add(ctx, ours.newSubmission(func(s *submission.Submission) { s.Person = theirs.coursework.learner.ID }))
	}},
	{port: "Submissions", method: "Add", of: "their course attempt", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		return nil, tx.Submissions.Add(ctx, ours.newSubmission(func(s *submission.Submission) { s.CourseAttempt = theirs.coursework.attempt.ID }))
	}},
	{port: "Submissions", method: "DeleteByPerson", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		removed, err := tx.Submissions.DeleteByPerson(ctx, theirs.coursework.learner.ID, math.MaxInt32)
		return len(removed), err
	}},
	{port: "Changes", method: "Page", outside: true, foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		page, err := r.Changes.Page(ctx, query.Query{Page: query.AllRows()})
		return len(slices.DeleteFunc(page.Items, func(c change.Change) bool { return c.Record.ID != theirs.category.ID.String() })), err
	}},
	{port: "Changes", method: "Feed", outside: true, foreign: empty, read: func(ctx context.Context, r ports.Reader, _, _ fixture) (any, error) {
		// The method takes no record.
		f, err := r.Changes.Feed(ctx)
		return int(f.Start), err
	}},
	{port: "CourseAnalytics", method: "List", outside: true, foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return listed(ctx, r.CourseAnalytics, func(c analytics.CourseProgress) bool { return c.Person == theirs.coursework.learner.ID })
	}},
	{port: "CourseAnalytics", method: "LatestMany", outside: true, foreign: empty, read: func(ctx context.Context, r ports.Reader, ours, theirs fixture) (any, error) {
		found, err := r.CourseAnalytics.LatestMany(ctx, []enrollment.PersonCourse{ours.coursework.personCourse(), theirs.coursework.personCourse()})
		delete(found, ours.coursework.personCourse())
		return len(found), err
	}},
	{port: "QuizScores", method: "List", outside: true, foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return listed(ctx, r.QuizScores, func(s analytics.QuizScore) bool { return s.Person == theirs.coursework.learner.ID })
	}},
	{port: "RawAnswers", method: "List", outside: true, foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return listed(ctx, r.RawAnswers, func(a analytics.RawAnswer) bool { return a.Person == theirs.coursework.learner.ID })
	}},
	{port: "QuizAttempts", method: "List", outside: true, foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return listed(ctx, r.QuizAttempts, func(a analytics.QuizAttempt) bool { return a.Person == theirs.coursework.learner.ID })
	}},
	{port: "QuizAttempts", method: "Latest", outside: true, foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		a, err := r.QuizAttempts.Latest(ctx, theirs.coursework.attempt.ID, theirs.coursework.quizActivity.ID)
		return a.State(), err
	}},
	{port: "Completions", method: "List", outside: true, foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return listed(ctx, r.Completions, func(c analytics.Completion) bool { return c.Person == theirs.coursework.learner.ID })
	}},
}
