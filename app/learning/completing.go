package learning

import (
	"context"
	"slices"

	"lyceum/app/usecase"
	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/audit"
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

// completeAll adds the completions of all activities and saves the progress. It skips existing
// completions and completions that a rule refuses or leaves without effect, and returns the refusal
// of each activity. The enrollments must be locked.
func completeAll(ctx context.Context, rules policy.Set, tx ports.Tx, all []activityContext) (refused []error, err error) {
	verdicts, err := checkCompletions(ctx, rules, tx, all)
	if err != nil {
		return nil, err
	}
	refused = make([]error, len(all))
	var allowed []activityContext
	for i, v := range verdicts {
		effect, err := policy.Effect(v)
		if refused[i] = err; effect {
			allowed = append(allowed, all[i])
		}
	}
	_, err = saveCompletions(ctx, tx, allowed)
	return refused, err
}

// checkCompletions returns the verdict on the completion of each activity. It does not check
// existing completions.
func checkCompletions(ctx context.Context, rules policy.Set, tx ports.Tx, all []activityContext) ([]error, error) {
	verdicts := make([]error, len(all))
	if len(rules.Complete) == 0 {
		return verdicts, nil
	}
	for i, s := range all {
		_, err := tx.Attempts.GetCompletion(ctx, s.attempt.State().ID, s.activity.ID)
		if err == nil {
			continue
		}
		if !fault.Is(err, fault.NotFound) {
			return nil, err
		}
		verdicts[i] = rules.Complete.Check(policy.Completing{Work: s.work()})
	}
	return verdicts, nil
}

// saveCompletions adds the completions that do not exist yet, and saves the progress. It returns
// the new completions.
func saveCompletions(ctx context.Context, tx ports.Tx, all []activityContext) ([]attempt.Completion, error) {
	var done []attempt.Completion
	var ids []attempt.ID
	attempts, origins := map[attempt.ID]attempt.Attempt{}, map[attemptActivity]*audit.Origin{}
	for _, s := range all {
		at := attemptActivity{s.attempt.State().ID, s.activity.ID}
		if _, seen := origins[at]; seen {
			continue
		}
		origins[at] = s.origin
		done = append(done, attempt.Completion{Attempt: at.attempt, Activity: at.activity, At: s.learner.At})
		attempts[at.attempt] = s.attempt
	}
	if len(done) == 0 {
		return nil, nil
	}
	fresh, err := addCompletions(ctx, tx, done, origins)
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
		measured[i].UpdateProgress(tallies[id])
	}
	return fresh, tx.Attempts.SaveMany(ctx, measured)
}

// addCompletions adds the completions that do not exist yet, and returns them. The transaction sets
// the origin of each completion before it adds it. Either all origins are nil or none.
//
// A batch could also contain only reports with the same origin. But the origin has the ID of the
// request, so each request would be recorded by itself. Here only requests that complete something
// need statements of their own. Most reports repeat views of completed activities.
func addCompletions(
	ctx context.Context, tx ports.Tx, all []attempt.Completion, origins map[attemptActivity]*audit.Origin,
) (fresh []attempt.Completion, err error) {
	originOf := func(c attempt.Completion) *audit.Origin { return origins[attemptActivity{c.Attempt, c.Activity}] }
	if originOf(all[0]) == nil {
		return tx.Attempts.AddCompletionsIfAbsent(ctx, all)
	}
	absent, err := tx.Attempts.AbsentCompletions(ctx, all)
	if err != nil {
		return nil, err
	}
	for len(absent) > 0 {
		origin := *originOf(absent[0])
		n := slices.IndexFunc(absent, func(c attempt.Completion) bool { return *originOf(c) != origin })
		if n < 0 {
			n = len(absent)
		}
		if err := tx.Audit.SetOrigin(ctx, origin); err != nil {
			return nil, err
		}
		added, err := tx.Attempts.AddCompletionsIfAbsent(ctx, absent[:n])
		if err != nil {
			return nil, err
		}
		fresh, absent = append(fresh, added...), absent[n:]
	}
	return fresh, nil
}

// quizzesOf returns the quizzes whose quiz attempts the revision may complete.
func quizzesOf(r structure.Revision) []quiz.ID {
	quizzes := append([]quiz.ID(nil), r.RescoredQuizzes...)
	for _, a := range r.Changed { // the revision may have restored archived activities
		if s := a.State(); s.Content.Kind == activity.Quiz && !s.Archived() {
			quizzes = append(quizzes, s.Content.Quiz)
		}
	}
	return quizzes
}

// LockOpen locks the enrollments of the learners whose quiz attempts the revision may complete.
// Call it before the revision is saved: saving locks attempts, and enrollments must be locked
// before attempts. The learners can be in other courses that use the quizzes. LockOpen does not
// lock people, because a transaction that enrolls a person locks the person first and then waits
// for the course, which the caller has locked.
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

// CompleteAnswered completes the quiz activities whose quiz attempts became complete because the
// revision removed all their unanswered questions. It skips completions that a rule refuses,
// without a fault, because the learners did not request them. The enrollments must be locked by
// LockOpen.
func CompleteAnswered(ctx context.Context, d usecase.Deps, tx ports.Tx, by policy.Request, r structure.Revision) error {
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
		all[i] = activityContext{activity: activity.State{ID: a.Activity}, attempt: a.Attempt, learner: policy.Learner{Request: by}}
	}
	if len(d.Policies.Living.Complete) > 0 {
		if err := describe(ctx, tx, all); err != nil {
			return err
		}
	}
	_, err = completeAll(ctx, d.Policies.Living, tx, all)
	return err
}

// describe loads the records of all, which contain only IDs so far. It locks nothing.
func describe(ctx context.Context, tx ports.Tx, all []activityContext) error {
	for i := range all {
		s := &all[i]
		in := s.attempt.State()
		var err error
		if s.activity, err = tx.Activities.Get(ctx, s.activity.ID); err != nil {
			return err
		}
		s.activity = s.activity.WithoutText()
		p, err := tx.People.Get(ctx, in.Person)
		if err != nil {
			return err
		}
		c, err := tx.Courses.Get(ctx, in.Course)
		if err != nil {
			return err
		}
		s.learner.Person, s.learner.Course = p.State, c.State
	}
	return nil
}
