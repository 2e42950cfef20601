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
)

const (
	deleteActivities = `DELETE FROM activities WHERE school_id = $1 AND id = ANY ($2::uuid[])`

	// saveProgress sets the progress of the attempts at a course. $3 contains the progress for each
	// number of completed activities, starting with 0. The domain has computed it. Rows are locked
	// in the order of their IDs, as in a reconciliation. Completions are counted for each attempt by
	// itself, because the planner cannot estimate how many rows it has to join.
	saveProgress = `
		WITH wrong AS MATERIALIZED (
			SELECT t.id, ($3::integer[])[d.completed + 1] AS progress
			FROM course_attempts t CROSS JOIN LATERAL (
				SELECT count(*) AS completed FROM completions k
				WHERE k.school_id = $1 AND k.attempt_id = t.id AND k.activity_id = ANY (ARRAY (
					SELECT a.id FROM activities a WHERE a.school_id = $1 AND a.course_id = $2 AND a.archived_at IS NULL
				))
			) d
			WHERE t.school_id = $1 AND t.course_id = $2 AND t.progress <> ($3::integer[])[d.completed + 1]
		),
		locked AS MATERIALIZED (
			SELECT t.id FROM course_attempts t WHERE t.school_id = $1 AND t.id IN (SELECT id FROM wrong)
			ORDER BY t.id FOR NO KEY UPDATE
		)
		UPDATE course_attempts t SET progress = w.progress
		FROM wrong w WHERE t.school_id = $1 AND t.id = w.id AND` + pgdb.AfterLock
	// gradeAttempts updates the scores of all attempts at the quizzes in the same way as
	// quizattempt.Attempt.UpdateScore.
	gradeAttempts = `
		WITH totals AS (
			SELECT quiz_id, count(*) AS total FROM quiz_questions
			WHERE school_id = $1 AND quiz_id = ANY ($2::uuid[]) AND NOT archived GROUP BY quiz_id
		),
		wrong AS MATERIALIZED (
			SELECT r.id, t.total, g.answered, g.correct
			FROM quiz_attempts r JOIN totals t ON t.quiz_id = r.quiz_id CROSS JOIN LATERAL (
				SELECT count(*) AS answered, count(*) FILTER (WHERE a.correct) AS correct
				FROM quiz_answers a JOIN quiz_questions n
					ON n.school_id = $1 AND n.quiz_id = r.quiz_id AND n.id = a.question_id AND NOT n.archived
				WHERE a.school_id = $1 AND a.quiz_attempt_id = r.id
			) g
			WHERE r.school_id = $1 AND r.quiz_id = ANY ($2::uuid[])
				AND (r.answered, r.correct, r.total) <> (g.answered, g.correct, t.total)
		),
		locked AS MATERIALIZED (
			SELECT r.id FROM quiz_attempts r WHERE r.school_id = $1 AND r.id IN (SELECT id FROM wrong)
			ORDER BY r.id FOR NO KEY UPDATE
		)
		UPDATE quiz_attempts r SET answered = w.answered, correct = w.correct, total = w.total
		FROM wrong w WHERE r.school_id = $1 AND r.id = w.id AND` + pgdb.AfterLock
	saveScores = `
		UPDATE quiz_scores s SET answered = r.answered, correct = r.correct, total = r.total
		FROM quiz_attempts r
		WHERE s.school_id = $1 AND s.quiz_id = ANY ($2::uuid[])
			AND r.school_id = $1 AND r.attempt_id = s.attempt_id AND r.activity_id = s.activity_id AND r.number = s.number
			AND (s.answered, s.correct, s.total) <> (r.answered, r.correct, r.total)`
)

var (
	saveActivity   = activityTable.update() + ` AND course_id = $3`
	saveQuiz       = quizTable.update()
	saveAssignment = assignmentTable.update()
)

// Save implements ports.StructureRepo.
func (r structureRepo) Save(ctx context.Context, row structure.Revision) (changed int, err error) {
	for _, step := range []func() error{
		func() error { return each(ctx, row.AddedQuizzes, r.addQuiz) },
		func() error { return each(ctx, row.ChangedQuizzes, r.saveQuiz) },
		func() error { return each(ctx, row.AddedAssignments, r.addAssignment) },
		func() error { return each(ctx, row.ChangedAssignments, r.saveAssignment) },
		func() error { return r.deleteActivities(ctx, row.Removed) },
		func() error { return each(ctx, row.Changed, r.saveActivity) },
		func() error { return each(ctx, row.Added, r.addActivity) },
	} {
		if err := step(); err != nil {
			return 0, err
		}
	}
	if changed, err = r.saveProgress(ctx, row.After.Course, row.Progress); err != nil {
		return 0, err
	}
	graded, err := r.gradeAttempts(ctx, row.RescoredQuizzes)
	return changed + graded, err
}

// each calls write with each record until a call fails.
func each[T any](ctx context.Context, records []T, write func(context.Context, T) error) error {
	for _, r := range records {
		if err := write(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

func (r structureRepo) addQuiz(ctx context.Context, q quiz.Quiz) error {
	if err := insert(ctx, r.session, quizTable, q.State()); err != nil {
		return err
	}
	return r.saveQuestions(ctx, q.State())
}

func (r structureRepo) addAssignment(ctx context.Context, a assignment.Assignment) error {
	return insert(ctx, r.session, assignmentTable, a.State())
}

func (r structureRepo) addActivity(ctx context.Context, a activity.Activity) error {
	return insert(ctx, r.session, activityTable, a.State())
}

func (r structureRepo) saveQuiz(ctx context.Context, q quiz.Quiz) error {
	if err := r.write(ctx, saveQuiz, quizTable.args(r.SchoolID, q.State())...); err != nil {
		return err
	}
	return r.saveQuestions(ctx, q.State())
}

func (r structureRepo) saveAssignment(ctx context.Context, a assignment.Assignment) error {
	return r.write(ctx, saveAssignment, assignmentTable.args(r.SchoolID, a.State())...)
}

func (r structureRepo) saveActivity(ctx context.Context, a activity.Activity) error {
	return r.write(ctx, saveActivity, activityTable.args(r.SchoolID, a.State())...)
}

// deleteActivities deletes activities. Events are recorded without a lock on the activity, so a
// violated foreign key is a conflict: the transaction is retried.
func (r structureRepo) deleteActivities(ctx context.Context, ids []activity.ID) error {
	if len(ids) == 0 {
		return nil
	}
	err := r.write(ctx, deleteActivities, r.SchoolID, idArray(ids))
	return r.Race(err, pqerror.ForeignKeyViolation, err)
}

func (r structureRepo) saveProgress(ctx context.Context, id course.ID, progress []decimal.Percent) (changed int, err error) {
	if progress == nil {
		return 0, nil
	}
	return r.Exec(ctx, saveProgress, r.SchoolID, id.UUID, pq.Array(progress))
}

func (r structureRepo) gradeAttempts(ctx context.Context, ids []quiz.ID) (changed int, err error) {
	if len(ids) == 0 {
		return 0, nil
	}
	if changed, err = r.Exec(ctx, gradeAttempts, r.SchoolID, idArray(ids)); err != nil {
		return 0, err
	}
	return changed, r.write(ctx, saveScores, r.SchoolID, idArray(ids))
}
