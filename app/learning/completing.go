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

// studied is a person's work on an activity within a course attempt.
type studied struct {
	attempt  attempt.ID
	activity activity.ID
}

// completeAll completes the activity of each study in its course attempt, unless it
// was completed before or a rule refuses, and saves the progress that follows. It
// returns the completions that are new and, for each study, why a rule refuses. The
// enrollments of the studies are locked.
func completeAll(
	ctx context.Context, rules policy.Set, tx ports.Tx, all []study,
) (fresh []attempt.Completion, refused []error, err error) {
	if refused, err = checkCompletions(ctx, rules, tx, all); err != nil || len(all) == 0 {
		return nil, refused, err
	}
	var done []attempt.Completion
	var ids []attempt.ID
	attempts, seen := map[attempt.ID]attempt.Attempt{}, map[studied]bool{}
	for i, s := range all {
		at := studied{s.attempt.State().ID, s.activity.ID}
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
	fresh, err = tx.Attempts.CompleteMany(ctx, done)
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
		measured[i].Measure(tallies[id])
	}
	return fresh, refused, tx.Attempts.SaveMany(ctx, measured)
}

// checkCompletions returns, for each study, why a rule refuses the completion of its
// activity. No rule is asked about an activity that is completed already.
func checkCompletions(ctx context.Context, rules policy.Set, tx ports.Tx, all []study) ([]error, error) {
	refused := make([]error, len(all))
	if len(rules.Complete) == 0 {
		return refused, nil
	}
	for i, s := range all {
		in := s.attempt.State()
		_, err := tx.Attempts.Completed(ctx, in.ID, s.activity.ID)
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

// quizzesOf returns the quizzes of which the revision may complete quiz attempts.
func quizzesOf(r structure.Revision) []quiz.ID {
	quizzes := append([]quiz.ID(nil), r.Requestioned...)
	for _, a := range r.Changed { // some of them were archived
		if s := a.State(); s.Content.Kind == activity.Quiz && !s.Archived() {
			quizzes = append(quizzes, s.Content.Quiz)
		}
	}
	return quizzes
}

// LockOpen locks the enrollments of all whose quiz attempts the revision may complete,
// before it is saved: it locks course attempts and quiz attempts, which come later. The
// quiz may be used in other courses, in which other work goes on. No person is locked:
// whoever enrolls one holds the person and waits for the course that is locked here.
func LockOpen(ctx context.Context, tx ports.Tx, r structure.Revision) error {
	quizzes := quizzesOf(r)
	if len(quizzes) == 0 {
		return nil
	}
	open, err := tx.QuizAttempts.Open(ctx, quizzes)
	if err != nil || len(open) == 0 {
		return err
	}
	return tx.Enrollments.LockMany(ctx, open, enrollment.Learner)
}

// CompleteAnswered completes the quiz activities whose quiz attempts are complete
// now that the revision has been saved: a question that was removed may have been
// the last one without an answer. A completion that a rule refuses is left out: the
// revision is not the learner's. The enrollments are locked (LockOpen).
func CompleteAnswered(ctx context.Context, rules policy.Set, tx ports.Tx, r structure.Revision, now time.Time) error {
	quizzes := quizzesOf(r)
	if len(quizzes) == 0 {
		return nil
	}
	answered, err := tx.QuizAttempts.Uncompleted(ctx, quizzes)
	if err != nil || len(answered) == 0 {
		return err
	}
	all := make([]study, len(answered))
	for i, a := range answered {
		all[i] = study{activity: activity.State{ID: a.Activity}, attempt: a.Attempt, now: now}
		if len(rules.Complete) > 0 {
			if all[i].activity, err = tx.Activities.Get(ctx, a.Activity); err != nil {
				return err
			}
		}
	}
	_, _, err = completeAll(ctx, rules, tx, all)
	return err
}
