package app

import (
	"context"

	"lyceum/domain/fault"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/domain/submission"
)

// PlayedQuiz is the quiz of an activity with the learner's latest quiz attempt in the latest course
// attempt.
type PlayedQuiz struct {
	Quiz    quiz.State
	Attempt *quizattempt.State // nil: the learner has not answered a question
	Answers map[quiz.QuestionID]quizattempt.Answer
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
	found := PlayedQuiz{Quiz: content, Answers: map[quiz.QuestionID]quizattempt.Answer{}}
	latest, err := r.QuizAttempts.Latest(ctx, p.Attempt, p.Activity.ID)
	if fault.Is(err, fault.NotFound) {
		return found, nil
	}
	if err != nil {
		return found, err
	}
	state := latest.State()
	if err := a.OnRecordOf(state.Person); err != nil {
		return PlayedQuiz{}, err
	}
	found.Attempt = &state
	for _, given := range state.Answers {
		found.Answers[given.Question] = given
	}
	return found, nil
}

// maxShownSubmissions is the maximum number of submissions that Submissions returns.
const maxShownSubmissions = 100

// Submissions returns the learner's latest submissions for the activity p, which Activity returned
// for the same actor, the latest first. More of the result reports whether there are others.
func (u *Player) Submissions(ctx context.Context, a Actor, p PlayedActivity) (query.Result[submission.Summary], error) {
	a, q := a.Own(query.Query{Page: query.NewPage(1, maxShownSubmissions)}, submission.Schema.Attr("person.id"))
	return u.deps.Read(a).Submissions.List(ctx, q.And(query.And{
		query.HasID(submission.Schema.Attr("course.id"), p.Course.ID.UUID),
		query.HasID(submission.Schema.Attr("activity.id"), p.Activity.ID.UUID),
	}))
}
