package app

import (
	"context"
	"strings"

	"lyceum/domain/attempt"
	"lyceum/domain/event"
	"lyceum/domain/fault"
	"lyceum/domain/quizattempt"
	"lyceum/ports"
)

// keepTaught writes what the courses of a draft consist of.
func keepTaught(ctx context.Context, tx ports.Tx, d draft) error {
	if err := each(ctx, d.quizzes, tx.Quizzes.Add); err != nil {
		return err
	}
	if err := each(ctx, d.assignments, tx.Assignments.Add); err != nil {
		return err
	}
	return each(ctx, d.activities, tx.Activities.Add)
}

// keepLearned writes what has been learned. The feed comes last, for others wait
// for it.
func keepLearned(ctx context.Context, tx ports.Tx, l learned) error {
	addAttempt := func(ctx context.Context, a *attempt.Attempt) error { return tx.Attempts.Add(ctx, *a) }
	if err := each(ctx, l.attempts, addAttempt); err != nil {
		return err
	}
	complete := func(ctx context.Context, c attempt.Completion) error {
		_, err := tx.Attempts.Complete(ctx, c)
		return err
	}
	if err := each(ctx, l.completions, complete); err != nil {
		return err
	}
	addRun := func(ctx context.Context, a *quizattempt.Attempt) error { return tx.QuizAttempts.Add(ctx, *a) }
	if err := each(ctx, l.quizAttempts, addRun); err != nil {
		return err
	}
	submit := func(ctx context.Context, s handedIn) error { return tx.Submissions.Add(ctx, s.Submission) }
	if err := each(ctx, l.submissions, submit); err != nil {
		return err
	}
	for rest := l.events; len(rest) > 0; {
		now, together := rest[0].at, []event.Event{}
		for len(rest) > 0 && rest[0].at.Equal(now) {
			together, rest = append(together, rest[0].Event), rest[1:]
		}
		if _, err := tx.Events.Append(ctx, together, now); err != nil {
			return err
		}
	}
	return nil
}

// keepFiles keeps the files of a draft and returns the names of those that were
// not there before. After an error they are in the way.
func (u *Provision) keepFiles(ctx context.Context, all []handedIn) ([]string, error) {
	var kept []string
	for _, s := range all {
		name := fileOf(s.ID)
		switch old, err := u.files.Open(ctx, name); {
		case err == nil:
			_ = old.Close() // it was only looked for
			continue
		case !fault.Is(err, fault.NotFound):
			return kept, err
		}
		if _, err := u.files.Put(ctx, name, strings.NewReader(s.text)); err != nil {
			return kept, err
		}
		kept = append(kept, name)
	}
	return kept, nil
}
