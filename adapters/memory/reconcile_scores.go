package memory

import (
	"fmt"
	"slices"

	"lyceum/adapters/memory/ordered"
	"lyceum/domain/analytics"
	"lyceum/domain/reconcile"
)

// reconcileScores compares the quiz scores with the quiz attempts, fixes wrong scores and returns
// the discrepancies.
func (w *tx) reconcileScores() []reconcile.Discrepancy {
	s := w.state
	places := ordered.NewTree(compareScoreKeys)
	for q := range s.quizAttempts.table.ByID.From(0) {
		places.Set(scoreKeyOf(q.head))
	}
	for r := range s.scores.table.byID.From(0) {
		places.Set(scoreKeyOf(r.attempt.head))
	}
	var wrong []reconcile.Discrepancy
	for _, p := range slices.Collect(ordered.From(places, 0)) {
		old, had := s.scores.table.byKey.Get(p)
		if !w.updateScore(p) {
			continue
		}
		next, has := s.scores.table.byKey.Get(p)
		d := reconcile.Discrepancy{Record: fmt.Sprintf("%s %s:%s", analytics.ScoreType, p.attempt, p.activity), Value: "score"}
		if d.Stored, d.Expected = "none", "none"; had {
			d.Stored = old.String()
		}
		if has {
			d.Expected = next.String()
		}
		wrong = append(wrong, d)
	}
	return wrong
}
