package app

import (
	"context"
	"time"

	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/enrollment"
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
// was completed before, and saves the progress that follows. It returns the
// completions that are new. The enrollments of the studies are locked.
func completeAll(ctx context.Context, tx ports.Tx, all []study) ([]attempt.Completion, error) {
	if len(all) == 0 {
		return nil, nil
	}
	var done []attempt.Completion
	var ids []attempt.ID
	attempts, seen := map[attempt.ID]attempt.Attempt{}, map[studied]bool{}
	for _, s := range all {
		at := studied{s.attempt.State().ID, s.activity.ID}
		if seen[at] {
			continue
		}
		seen[at] = true
		done = append(done, attempt.Completion{Attempt: at.attempt, Activity: at.activity, At: s.now})
		attempts[at.attempt] = s.attempt
	}
	fresh, err := tx.Attempts.CompleteMany(ctx, done)
	if err != nil || len(fresh) == 0 {
		return nil, err
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
		return nil, err
	}
	measured := make([]attempt.Attempt, len(ids))
	for i, id := range ids {
		measured[i] = attempts[id]
		measured[i].Measure(tallies[id])
	}
	return fresh, tx.Attempts.SaveMany(ctx, measured)
}

// completeAnswered completes the quiz activities whose quiz attempts are complete
// now that the revision has been saved: a question that was removed may have been
// the last one without an answer.
func completeAnswered(ctx context.Context, tx ports.Tx, r structure.Revision, now time.Time) error {
	quizzes := append([]quiz.ID(nil), r.Requestioned...)
	for _, a := range r.Changed { // some of them were archived
		if s := a.State(); s.Content.Kind == activity.Quiz && !s.Archived() {
			quizzes = append(quizzes, s.Content.Quiz)
		}
	}
	if len(quizzes) == 0 {
		return nil
	}
	answered, err := tx.QuizAttempts.Uncompleted(ctx, quizzes)
	if err != nil || len(answered) == 0 {
		return err
	}
	all := make([]study, len(answered))
	pairs := make([]enrollment.Pair, len(answered))
	for i, a := range answered {
		in := a.Attempt.State()
		pairs[i] = enrollment.Pair{Person: in.Person, Course: in.Course}
		all[i] = study{activity: activity.State{ID: a.Activity}, attempt: a.Attempt, now: now}
	}
	// The quiz may be used in other courses, in which other work goes on. No person is
	// locked: whoever enrolls one holds the person and waits for the course that is
	// locked here.
	if err := tx.Enrollments.LockMany(ctx, pairs, enrollment.Learner); err != nil {
		return err
	}
	_, err = completeAll(ctx, tx, all)
	return err
}
