package kit

import (
	"context"

	"lyceum/app"
	"lyceum/app/learning"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/course"
	"lyceum/domain/event"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/domain/submission"
)

// oneRow, as the argument of fault.AtRow, removes the row from a fault. The methods of Learning
// report one action each, so a row has no meaning to their callers.
const oneRow = -1

// Learning adds methods to the use cases of package learning. Each method is about one action of
// one person.
type Learning struct {
	*learning.Learning
	activities *app.Activities
}

// NewLearning returns the Learning of u.
func NewLearning(u *app.App) Learning { return Learning{u.Learning, u.Activities} }

// View records that p viewed an activity.
func (l Learning) View(ctx context.Context, a app.Actor, p person.ID, id activity.ID) error {
	_, err := l.RecordEvents(ctx, a, []learning.EventReport{{Kind: event.ViewedActivity, Person: p, Activity: id}})
	return fault.AtRow(err, oneRow)
}

// Watch records that p watched the given fraction of the video of an activity.
func (l Learning) Watch(ctx context.Context, a app.Actor, p person.ID, id activity.ID, watched event.Fraction) error {
	_, err := l.RecordEvents(ctx, a, []learning.EventReport{{Kind: event.ViewedVideo, Person: p, Activity: id, Watched: watched}})
	return fault.AtRow(err, oneRow)
}

// Complete records that p completed an activity.
func (l Learning) Complete(ctx context.Context, a app.Actor, p person.ID, id activity.ID) error {
	_, _, err := l.CompleteActivity(ctx, a, p, id)
	return err
}

// Retake starts the next attempt of p at a course.
func (l Learning) Retake(ctx context.Context, a app.Actor, p person.ID, c course.ID) error {
	_, err := l.StartCourseAttempt(ctx, a, c.String(), p)
	return err
}

// Answer records the answer of p to a question of the quiz of an activity and returns the graded
// answer.
func (l Learning) Answer(
	ctx context.Context, a app.Actor, p person.ID, id activity.ID, question quiz.QuestionID, chosen []string,
) (quizattempt.Answer, error) {
	act, err := l.activities.Get(ctx, a, id)
	if err != nil {
		return quizattempt.Answer{}, err
	}
	return l.AnswerQuiz(ctx, a, p, id, act.Content.Quiz, question, chosen)
}

// AnswerQuiz is like Answer, but for a quiz that may differ from the quiz of the activity.
func (l Learning) AnswerQuiz(
	ctx context.Context, a app.Actor, p person.ID, id activity.ID, of quiz.ID, question quiz.QuestionID, chosen []string,
) (quizattempt.Answer, error) {
	marked, err := l.SubmitAnswers(ctx, a, of, []learning.AnswerInput{{Person: p, Activity: &id, Question: question, Chosen: chosen}})
	if err != nil {
		return quizattempt.Answer{}, fault.AtRow(err, oneRow)
	}
	return marked.Answers[0].Answer, nil
}

// Submit stages a file and submits it for the assignment of an activity.
func (l Learning) Submit(
	ctx context.Context, a app.Actor, p person.ID, id activity.ID, up learning.Upload,
) (submission.Submission, error) {
	act, err := l.activities.Get(ctx, a, id)
	if err != nil {
		return submission.Submission{}, err
	}
	return l.SubmitFor(ctx, a, p, id, act.Content.Assignment, up)
}

// SubmitFor is like Submit, but for an assignment that may differ from the assignment of the
// activity.
func (l Learning) SubmitFor(
	ctx context.Context, a app.Actor, p person.ID, id activity.ID, of assignment.ID, up learning.Upload,
) (submission.Submission, error) {
	staged, err := l.Announce(ctx, a, up)
	if err != nil {
		return submission.Submission{}, err
	}
	if staged, err = l.Stage(ctx, staged, up); err != nil {
		return submission.Submission{}, err
	}
	made, err := l.Learning.Submit(ctx, a, of, learning.Submitter{Person: p, Activity: &id}, staged)
	l.Settle(ctx, staged, err)
	return made, err
}
