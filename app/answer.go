package app

import (
	"context"

	"lyceum/domain/activity"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/ports"
)

// Answer records a person's answer to a question of the quiz of an activity,
// which is the texts of the chosen choices, and returns it as it was marked. It
// replaces an earlier answer of the same run; when the run is complete it begins
// the next one.
func (u *Learning) Answer(
	ctx context.Context, a Actor, p person.ID, id activity.ID, question quiz.QuestionID, chosen []string,
) (quizattempt.Answer, error) {
	var given quizattempt.Answer
	err := u.record(ctx, a, p, id, func(ctx context.Context, tx ports.Tx, s study) error {
		if s.activity.Content.Kind != activity.Quiz {
			return fault.Invalidf("activity", "is not a quiz")
		}
		about := s.activity.Content.Quiz
		quizzes, err := tx.Quizzes.Load(ctx, []quiz.ID{about})
		if err != nil {
			return err
		}
		run, fresh, err := u.run(ctx, tx, s)
		if err != nil {
			return err
		}
		if given, err = run.Answer(quizzes[about], question, chosen, s.now); err != nil {
			return err
		}
		if fresh {
			return tx.QuizAttempts.Add(ctx, run)
		}
		return tx.QuizAttempts.Save(ctx, run)
	})
	return given, err
}

// run returns the run in which the next answer stands, and whether it is a fresh
// one.
func (u *Learning) run(ctx context.Context, tx ports.Tx, s study) (run quizattempt.Attempt, fresh bool, err error) {
	id, in := quizattempt.ID{UUID: u.ids.New()}, s.attempt.State()
	last, err := tx.QuizAttempts.Latest(ctx, in.ID, s.activity.ID)
	switch {
	case fault.Is(err, fault.NotFound):
		return quizattempt.Begin(id, in, s.activity, nil, s.now), true, nil
	case err != nil:
		return quizattempt.Attempt{}, false, err
	case last.State().Score.Complete():
		return quizattempt.Begin(id, in, s.activity, &last, s.now), true, nil
	}
	return last, false, nil
}
