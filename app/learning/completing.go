package learning

import (
	"context"
	"time"

	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/policy"
	"lyceum/domain/quiz"
	"lyceum/domain/structure"
	"lyceum/ports"
)

// attemptActivity is an activity in a course attempt.
type attemptActivity struct {
	attempt  attempt.ID
	activity activity.ID
}

// completeAll adds the completions of all activities, except existing and refused ones, and saves
// the progress. It returns the new completions and the refusal of each activity. The enrollments
// are locked.
func completeAll(
	ctx context.Context, rules policy.Set, tx ports.Tx, all []activityContext,
) (fresh []attempt.Completion, refused []error, err error) {
	if refused, err = checkCompletions(ctx, rules, tx, all); err != nil || len(all) == 0 {
		return nil, refused, err
	}
	var done []attempt.Completion
	var ids []attempt.ID
	attempts, seen := map[attempt.ID]attempt.Attempt{}, map[attemptActivity]bool{}
	for i, s := range all {
		at := attemptActivity{s.attempt.State().ID, s.activity.ID}
		if seen[at] || refused[i] != nil {
			continue
		}
		seen[at] = true
		done = append(done, attempt.Completion{Attempt: at.attempt, Activity: at.activity, At: s.now})
		attempts[at.attempt] = s.attempt
	}
	if len(done) == 0 {
		return nil, refused, nil
	}
	fresh, err = tx.Attempts.AddCompletionsIfAbsent(ctx, done)
	if err != nil || len(fresh) == 0 {
		return nil, refused, err
	}
	changed := map[attempt.ID]bool{}
	for _, c := range fresh {
		if !changed[c.Attempt] {
			changed[c.Attempt] = true
			ids = append(ids, c.Attempt)
		}
	}
	tallies, err := tx.Attempts.Tallies(ctx, ids)
	if err != nil {
		return nil, nil, err
	}
	measured := make([]attempt.Attempt, len(ids))
	for i, id := range ids {
		measured[i] = attempts[id]
		measured[i].UpdateProgress(tallies[id])
	}
	return fresh, refused, tx.Attempts.SaveMany(ctx, measured)
}

// checkCompletions returns the refusal of the completion of each activity. The rules do not check
// existing completions.
func checkCompletions(ctx context.Context, rules policy.Set, tx ports.Tx, all []activityContext) ([]error, error) {
	refused := make([]error, len(all))
	if len(rules.Complete) == 0 {
		return refused, nil
	}
	for i, s := range all {
		in := s.attempt.State()
		_, err := tx.Attempts.GetCompletion(ctx, in.ID, s.activity.ID)
		if err == nil {
			continue
		}
		if !fault.Is(err, fault.NotFound) {
			return nil, err
		}
		refused[i] = rules.Complete.Check(policy.Completing{
			Person: in.Person, Attempt: in.ID, Activity: s.activity, At: s.now,
		})
	}
	return refused, nil
}

// quizzesOf returns the quizzes whose quiz attempts may be complete after the revision.
func quizzesOf(r structure.Revision) []quiz.ID {
	quizzes := append([]quiz.ID(nil), r.RescoredQuizzes...)
	for _, a := range r.Changed { // may have been archived before
		if s := a.State(); s.Content.Kind == activity.Quiz && !s.Archived() {
			quizzes = append(quizzes, s.Content.Quiz)
		}
	}
	return quizzes
}

// LockOpen locks the enrollments of the learners whose quiz attempts may be complete after the
// revision. Call it before the revision is saved, which locks attempts: enrollments are locked
// first. Other courses that use the quizzes are in use. People are not locked, because an
// enrollment locks a person and then waits for the course that the caller has locked.
func LockOpen(ctx context.Context, tx ports.Tx, r structure.Revision) error {
	quizzes := quizzesOf(r)
	if len(quizzes) == 0 {
		return nil
	}
	open, err := tx.QuizAttempts.Open(ctx, quizzes)
	if err != nil || len(open) == 0 {
		return err
	}
	return tx.Enrollments.LockManyForUpdate(ctx, open, enrollment.Learner)
}

// CompleteAnswered completes the quiz activities that the saved revision has left without an
// unanswered question. A completion that a rule refuses is left out without an error, because the
// learner has requested nothing. LockOpen has locked the enrollments.
func CompleteAnswered(ctx context.Context, rules policy.Set, tx ports.Tx, r structure.Revision, now time.Time) error {
	quizzes := quizzesOf(r)
	if len(quizzes) == 0 {
		return nil
	}
	answered, err := tx.QuizAttempts.Uncompleted(ctx, quizzes)
	if err != nil || len(answered) == 0 {
		return err
	}
	all := make([]activityContext, len(answered))
	for i, a := range answered {
		all[i] = activityContext{activity: activity.State{ID: a.Activity}, attempt: a.Attempt, now: now}
		if len(rules.Complete) > 0 {
			if all[i].activity, err = tx.Activities.Get(ctx, a.Activity); err != nil {
				return err
			}
		}
	}
	_, _, err = completeAll(ctx, rules, tx, all)
	return err
}
