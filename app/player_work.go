package app

import (
	"context"

	"lyceum/domain/analytics"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/submission"
)

// PlayedQuiz is the quiz of an activity with the learner's latest quiz attempt in the latest course
// attempt.
type PlayedQuiz struct {
	Quiz    quiz.State
	Attempt *analytics.QuizAttempt                  // nil: the learner has not answered a question
	Answers map[quiz.QuestionID]analytics.RawAnswer // answers of Attempt
}

// Complete reports whether all questions are answered, so that the next answer begins another quiz
// attempt.
func (q PlayedQuiz) Complete() bool { return q.Attempt != nil && q.Attempt.Score.Complete() }

// Quiz returns the quiz of the activity p, which Activity returned for the same actor. The result
// contains the correct choices, which must not be shown to the learner.
func (u *Player) Quiz(ctx context.Context, a Actor, p PlayedActivity) (PlayedQuiz, error) {
	a, err := u.deps.OnCourse(ctx, a, p.Course.ID)
	if err != nil {
		return PlayedQuiz{}, err
	}
	r := u.deps.Read(a)
	content, err := r.Quizzes.WithQuestions(ctx, p.Activity.Content.Quiz)
	if err != nil {
		return PlayedQuiz{}, err
	}
	found := PlayedQuiz{Quiz: content, Answers: map[quiz.QuestionID]analytics.RawAnswer{}}
	_, q := a.Own(query.Query{Page: query.AllRows()}, analytics.QuizAttemptSchema.Attr("person.id"))
	attempts, err := r.QuizAttempts.List(ctx, q.And(query.And{
		query.HasID(analytics.QuizAttemptSchema.Attr("activity.id"), p.Activity.ID.UUID),
		query.HasID(analytics.QuizAttemptSchema.Attr("course_attempt.id"), p.Attempt.UUID),
	}))
	if err != nil {
		return found, err
	}
	for _, one := range attempts.Items {
		if found.Attempt == nil || one.Number > found.Attempt.Number {
			found.Attempt = &one
		}
	}
	if found.Attempt == nil {
		return found, nil
	}
	_, q = a.Own(query.Query{Page: query.AllRows()}, analytics.AnswerSchema.Attr("person.id"))
	answers, err := r.RawAnswers.List(ctx, q.And(query.HasID(analytics.AnswerSchema.Attr("activity.id"), p.Activity.ID.UUID)))
	for _, given := range answers.Items {
		if given.QuizAttempt == found.Attempt.ID {
			found.Answers[given.Answer.Question] = given
		}
	}
	return found, err
}

// Submissions returns the learner's submissions for the activity p, which Activity returned for the
// same actor, the latest first.
func (u *Player) Submissions(ctx context.Context, a Actor, p PlayedActivity) ([]submission.Summary, error) {
	a, q := a.Own(query.Query{Page: query.AllRows()}, submission.Schema.Attr("person.id"))
	all, err := u.deps.Read(a).Submissions.List(ctx, q.And(query.And{
		query.HasID(submission.Schema.Attr("course.id"), p.Course.ID.UUID),
		query.HasID(submission.Schema.Attr("assignment.id"), p.Activity.Content.Assignment.UUID),
	}))
	var own []submission.Summary
	for _, s := range all.Items {
		if s.Activity == p.Activity.ID {
			own = append(own, s)
		}
	}
	return own, err
}
