package learning

import (
	"context"

	"lyceum/domain/attempt"
	"lyceum/domain/enrollment"
	"lyceum/domain/policy"
	"lyceum/ports"
)

// begin sets the latest course attempt in each context of r. For a person without an attempt, it
// sets a new first attempt, which is not saved yet, and the verdict of the rules on it.
func (u *Learning) begin(ctx context.Context, tx ports.Tx, r resolved) error {
	latest, err := tx.Attempts.LatestMany(ctx, r.pairs)
	if err != nil {
		return err
	}
	verdicts := map[enrollment.PersonCourse]error{} // verdicts on first attempts
	for i, t := range r.refs {
		s := &r.contexts[i]
		pair := s.pair(t)
		if _, ok := latest[pair]; !ok {
			latest[pair] = attempt.Begin(attempt.ID{UUID: u.deps.IDs.New()}, r.enrollments[pair], nil, s.learner.At)
			verdicts[pair] = u.deps.Policies.Living.BeginAttempt.Check(policy.BeginningAttempt{Learner: s.learner, Number: 1})
		}
		s.attempt = latest[pair]
		s.verdict, s.fresh = verdicts[pair]
	}
	return nil
}

// addFresh saves the new course attempts in all.
func addFresh(ctx context.Context, tx ports.Tx, all []activityContext) error {
	var fresh []attempt.Attempt
	added := map[attempt.ID]bool{}
	for _, s := range all {
		if id := s.attempt.State().ID; s.fresh && !added[id] {
			added[id] = true
			fresh = append(fresh, s.attempt)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	return tx.Attempts.AddMany(ctx, fresh)
}
