package postgres

import (
	"context"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/course"
	"lyceum/domain/decimal"
	"lyceum/domain/quiz"
	"lyceum/domain/structure"
	"lyceum/domain/text"
)

const (
	saveActivity = `
		UPDATE activities SET key = $4, position = $5, title = $6, title_fold = $7, kind = $8, quiz_id = $9,
			assignment_id = $10, seconds = $11, archived_at = $12, created_at = $13, updated_at = $14
		WHERE school_id = $1 AND id = $2 AND course_id = $3`
	removeActivities = `DELETE FROM activities WHERE school_id = $1 AND id = ANY ($2::uuid[])`
	saveQuiz         = `UPDATE quizzes SET name = $3, name_fold = $4, updated_at = $5 WHERE school_id = $1 AND id = $2`
	saveAssignment   = `
		UPDATE assignments SET title = $3, title_fold = $4, updated_at = $5 WHERE school_id = $1 AND id = $2`

	// The progress of each number of activities completed comes from the domain.
	// Rows are locked by their ids, as who goes through all of them locks them.
	saveProgress = `
		WITH wrong AS MATERIALIZED (
			SELECT t.id, p.progress
			FROM course_attempts t
			LEFT JOIN (
				SELECT k.attempt_id, count(*) AS completed
				FROM activities a JOIN completions k ON k.school_id = $1 AND k.activity_id = a.id
				WHERE a.school_id = $1 AND a.course_id = $2 AND a.archived_at IS NULL
				GROUP BY k.attempt_id
			) d ON d.attempt_id = t.id
			JOIN unnest($3::integer[]) WITH ORDINALITY p (progress, place) ON p.place = coalesce(d.completed, 0) + 1
			WHERE t.school_id = $1 AND t.course_id = $2 AND t.progress <> p.progress
		),
		locked AS MATERIALIZED (
			SELECT t.id FROM course_attempts t WHERE t.school_id = $1 AND t.id IN (SELECT id FROM wrong)
			ORDER BY t.id FOR NO KEY UPDATE
		)
		UPDATE course_attempts t SET progress = w.progress
		FROM wrong w WHERE t.school_id = $1 AND t.id = w.id AND t.id IN (SELECT id FROM locked)`
	// What quizattempt.Mark does, for all who have begun the quizzes.
	saveMarks = `
		WITH totals AS (
			SELECT quiz_id, count(*) AS total FROM quiz_questions
			WHERE school_id = $1 AND quiz_id = ANY ($2::uuid[]) AND NOT archived GROUP BY quiz_id
		),
		wrong AS MATERIALIZED (
			SELECT r.id, t.total, coalesce(g.answered, 0) AS answered, coalesce(g.correct, 0) AS correct
			FROM quiz_attempts r JOIN totals t ON t.quiz_id = r.quiz_id
			LEFT JOIN (
				SELECT a.quiz_attempt_id, count(*) AS answered, count(*) FILTER (WHERE a.correct) AS correct
				FROM quiz_answers a JOIN quiz_questions n
					ON n.school_id = $1 AND n.quiz_id = a.quiz_id AND n.id = a.question_id AND NOT n.archived
				WHERE a.school_id = $1 AND a.quiz_id = ANY ($2::uuid[]) GROUP BY a.quiz_attempt_id
			) g ON g.quiz_attempt_id = r.id
			WHERE r.school_id = $1 AND r.quiz_id = ANY ($2::uuid[])
				AND (r.answered, r.correct, r.total) <> (coalesce(g.answered, 0), coalesce(g.correct, 0), t.total)
		),
		locked AS MATERIALIZED (
			SELECT r.id FROM quiz_attempts r WHERE r.school_id = $1 AND r.id IN (SELECT id FROM wrong)
			ORDER BY r.id FOR NO KEY UPDATE
		)
		UPDATE quiz_attempts r SET answered = w.answered, correct = w.correct, total = w.total
		FROM wrong w WHERE r.school_id = $1 AND r.id = w.id AND r.id IN (SELECT id FROM locked)`
	saveScores = `
		UPDATE quiz_scores s SET answered = r.answered, correct = r.correct, total = r.total
		FROM quiz_attempts r
		WHERE s.school_id = $1 AND s.quiz_id = ANY ($2::uuid[])
			AND r.school_id = $1 AND r.attempt_id = s.attempt_id AND r.activity_id = s.activity_id AND r.number = s.number
			AND (s.answered, s.correct, s.total) <> (r.answered, r.correct, r.total)`
)

// Save keeps a revision.
func (c structureRepo) Save(ctx context.Context, r structure.Revision) error {
	for _, step := range []func() error{
		func() error { return every(ctx, r.AddedQuizzes, quizRepo{quizReader{c.session}}.Add) },
		func() error { return every(ctx, r.ChangedQuizzes, c.saveQuiz) },
		func() error { return every(ctx, r.AddedAssignments, assignmentRepo{assignmentReader{c.session}}.Add) },
		func() error { return every(ctx, r.ChangedAssignments, c.saveAssignment) },
		func() error { return c.removeActivities(ctx, r.Removed) },
		func() error { return every(ctx, r.Changed, c.saveActivity) },
		func() error { return every(ctx, r.Added, activityRepo{activityReader{c.session}}.Add) },
		func() error { return c.saveProgress(ctx, r.After.Course, r.Progress) },
		func() error { return c.saveMarks(ctx, r.Requestioned) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// every keeps records one by one.
func every[T any](ctx context.Context, records []T, keep func(context.Context, T) error) error {
	for _, r := range records {
		if err := keep(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

func (c structureRepo) saveQuiz(ctx context.Context, q quiz.Quiz) error {
	s := q.State()
	_, err := c.Exec(ctx, saveQuiz, c.SchoolID, s.ID.UUID, s.Name, text.Fold(s.Name), s.UpdatedAt)
	if err != nil {
		return err
	}
	return c.keepQuestions(ctx, s)
}

func (c structureRepo) saveAssignment(ctx context.Context, a assignment.Assignment) error {
	s := a.State()
	_, err := c.Exec(ctx, saveAssignment, c.SchoolID, s.ID.UUID, s.Title, text.Fold(s.Title), s.UpdatedAt)
	return err
}

func (c structureRepo) saveActivity(ctx context.Context, a activity.Activity) error {
	_, err := c.Exec(ctx, saveActivity, c.activityArgs(a.State())...)
	return err
}

// removeActivities forgets activities. Who records without having got them may
// have come before, so a refusal is a conflict first.
func (c structureRepo) removeActivities(ctx context.Context, ids []activity.ID) error {
	if len(ids) == 0 {
		return nil
	}
	_, err := c.Exec(ctx, removeActivities, c.SchoolID, pq.Array(pgdb.IDStrings(ids)))
	return c.Race(err, pqerror.ForeignKeyViolation, err)
}

func (c structureRepo) saveProgress(ctx context.Context, id course.ID, progress []decimal.Percent) error {
	if progress == nil {
		return nil
	}
	_, err := c.Exec(ctx, saveProgress, c.SchoolID, id.UUID, pq.Array(progress))
	return err
}

func (c structureRepo) saveMarks(ctx context.Context, ids []quiz.ID) error {
	if len(ids) == 0 {
		return nil
	}
	quizzes := pq.Array(pgdb.IDStrings(ids))
	if _, err := c.Exec(ctx, saveMarks, c.SchoolID, quizzes); err != nil {
		return err
	}
	_, err := c.Exec(ctx, saveScores, c.SchoolID, quizzes)
	return err
}
