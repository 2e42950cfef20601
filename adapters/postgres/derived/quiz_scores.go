package derived

import (
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/analytics"
	"lyceum/domain/quizattempt"
	"lyceum/domain/reconcile"
)

// fixScores compares each score with its latest quiz attempt. The statement does not change a score
// that was written concurrently (its xmin differs), because such a score is correct. Scores are
// locked in the order of their IDs, as in deletions.
const fixScores = `
	WITH latest AS (
		SELECT DISTINCT ON (attempt_id, activity_id) * FROM quiz_attempts
		WHERE school_id = $1 ORDER BY attempt_id, activity_id, number DESC
	),
	stored AS (SELECT *, xmin AS version FROM quiz_scores WHERE school_id = $1),
	wrong AS MATERIALIZED (
		SELECT s.id AS score, s.version, l.id AS run, attempt_id, activity_id,
			l.person_id, l.course_id, l.course_number, l.quiz_id,
			l.number, l.answered, l.correct, l.total, l.last_answered_at,
			s.answered AS was_answered, s.correct AS was_correct, s.total AS was_total, s.last_answered_at AS was_last_at
		FROM latest l FULL JOIN stored s USING (attempt_id, activity_id)
		WHERE (l.number, l.answered, l.correct, l.total, l.last_answered_at)
			IS DISTINCT FROM (s.number, s.answered, s.correct, s.total, s.last_answered_at)
	),
	locked AS MATERIALIZED (
		SELECT s.id FROM quiz_scores s WHERE s.school_id = $1 AND s.id IN (SELECT score FROM wrong)
		ORDER BY s.id FOR UPDATE
	),
	fixed AS (
		UPDATE quiz_scores s SET number = w.number, answered = w.answered, correct = w.correct, total = w.total,
			last_answered_at = w.last_answered_at
		FROM wrong w
		WHERE s.school_id = $1 AND s.id = w.score AND s.xmin = w.version AND w.run IS NOT NULL AND` + pgdb.AfterLock + `
	),
	removed AS (
		DELETE FROM quiz_scores s USING wrong w
		WHERE s.school_id = $1 AND s.id = w.score AND s.xmin = w.version AND w.run IS NULL AND` + pgdb.AfterLock + `
	),
	added AS (
		INSERT INTO quiz_scores (school_id, attempt_id, activity_id, person_id, course_id, course_number,
			quiz_id, number, answered, correct, total, last_answered_at)
		SELECT $1, attempt_id, activity_id, person_id, course_id, course_number,
			quiz_id, number, answered, correct, total, last_answered_at
		FROM wrong WHERE score IS NULL ORDER BY attempt_id, activity_id
		ON CONFLICT (school_id, attempt_id, activity_id) DO NOTHING
	)
	SELECT attempt_id, activity_id, run IS NOT NULL AS due, score IS NOT NULL AS kept,
		coalesce(answered, 0) AS answered, coalesce(correct, 0) AS correct, coalesce(total, 0) AS total,
		coalesce(last_answered_at, was_last_at) AS last_at,
		coalesce(was_answered, 0) AS was_answered, coalesce(was_correct, 0) AS was_correct,
		coalesce(was_total, 0) AS was_total, coalesce(was_last_at, last_answered_at) AS was_last_at
	FROM wrong ORDER BY attempt_id, activity_id`

type scoreDifference struct {
	Attempt     uuid.UUID `db:"attempt_id"`
	Activity    uuid.UUID `db:"activity_id"`
	Due         bool      `db:"due"`
	Kept        bool      `db:"kept"`
	Answered    int       `db:"answered"`
	Correct     int       `db:"correct"`
	Total       int       `db:"total"`
	LastAt      time.Time `db:"last_at"`
	WasAnswered int       `db:"was_answered"`
	WasCorrect  int       `db:"was_correct"`
	WasTotal    int       `db:"was_total"`
	WasLastAt   time.Time `db:"was_last_at"`
}

func (r scoreDifference) discrepancy() reconcile.Discrepancy {
	return reconcile.Discrepancy{
		Record: analytics.ScoreType + " " + r.Attempt.String() + ":" + r.Activity.String(), Value: "score",
		Stored:   scoreText(r.Kept, r.WasAnswered, r.WasCorrect, r.WasTotal, r.WasLastAt),
		Expected: scoreText(r.Due, r.Answered, r.Correct, r.Total, r.LastAt),
	}
}

// scoreText returns a score as text, or "none" if it does not exist.
func scoreText(exists bool, answered, correct, total int, at time.Time) string {
	if !exists {
		return "none"
	}
	s := quizattempt.Score{Answered: answered, Correct: correct, Total: total}
	return s.AnsweredOfTotal() + ", " + s.PercentCorrect().String() + "% correct, " + pgdb.Instant(at.UTC())
}
