package postgres

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/category"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/school"
	"lyceum/ports"
)

var _ ports.Snapshot = (*snapshot)(nil)

// snapshot is a school in a transaction that sees one instant.
type snapshot struct {
	tx     *sqlx.Tx
	school uuid.UUID
}

// sortMemory is what a sort of millions of rows may take before it goes to disk.
const sortMemory = `SET LOCAL work_mem = '32MB'`

// Snapshot runs fn in a REPEATABLE READ transaction on a connection of its own,
// for which the limits in time of the pool do not hold.
func (s *Store) Snapshot(
	ctx context.Context, id school.ID, fn func(ctx context.Context, s ports.Snapshot) error,
) error {
	if err := s.outside(ctx, id); err != nil {
		return err
	}
	conn := s.db.OpenBulk()
	err := s.snapshotOn(ctx, conn, id, fn)
	return errors.Join(err, conn.Close())
}

func (s *Store) snapshotOn(
	ctx context.Context, conn *sqlx.DB, id school.ID, fn func(ctx context.Context, s ports.Snapshot) error,
) error {
	tx, err := conn.BeginTxx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return loadError(ctx, err)
	}
	defer func() { _ = tx.Rollback() }() // there is nothing to commit
	for _, setting := range []string{sortMemory, loopsOff} {
		if _, err := tx.ExecContext(ctx, setting); err != nil {
			return loadError(ctx, err)
		}
	}
	sn := &snapshot{tx: tx, school: id.UUID}
	if _, err := sn.School(ctx); err != nil { // the first statement chooses the instant
		return err
	}
	return fn(pgdb.WithinTx(ctx), sn)
}

// School returns the school.
func (s *snapshot) School(ctx context.Context) (school.School, error) {
	var row schoolRow
	if err := s.tx.GetContext(ctx, &row, findSchool, s.school); err != nil {
		return school.School{}, loadError(ctx, pgdb.Missing(err))
	}
	return row.SchoolID()
}

// walk reads the rows of a statement one by one and hands what convert makes of
// each to each. The statement takes the school.
func walk[R, T any](
	ctx context.Context, s *snapshot, statement string, convert func(R) (T, error), each func(T) error,
) (err error) {
	rows, err := s.tx.QueryxContext(ctx, statement, s.school)
	if err != nil {
		return loadError(ctx, err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var row R
		if err := rows.StructScan(&row); err != nil {
			return loadError(ctx, err)
		}
		record, err := convert(row)
		if err != nil {
			return err
		}
		if err := each(record); err != nil {
			return err
		}
	}
	return loadError(ctx, rows.Err())
}

// surely makes a conversion that may fail of one that cannot.
func surely[R, T any](convert func(R) T) func(R) (T, error) {
	return func(r R) (T, error) { return convert(r), nil }
}

const (
	everyCategory = `SELECT id, name, created_at, updated_at FROM categories WHERE school_id = $1 ORDER BY name_key`
	everyCoupon   = `SELECT ` + couponColumns + ` FROM coupons r WHERE r.school_id = $1 ORDER BY r.code_key`
	everyPerson   = `SELECT ` + personColumns + ` FROM people r WHERE r.school_id = $1 ORDER BY r.email_key`
	everyCourse   = `SELECT ` + courseColumns + ` FROM courses r WHERE r.school_id = $1 ORDER BY r.permalink`
	everyGroup    = `SELECT ` + groupColumns + ` FROM groups r WHERE r.school_id = $1 ORDER BY r.name_key`
	everyQuiz     = `
		SELECT r.id, r.name, r.created_at, r.updated_at, (
			SELECT json_agg(json_build_object('ID', k.id, 'Key', k.key, 'Text', k.text, 'Choices', k.choices,
				'Correct', k.correct, 'Archived', k.archived) ORDER BY k.number, k.key)
			FROM quiz_questions k WHERE k.school_id = r.school_id AND k.quiz_id = r.id
		) AS questions
		FROM quizzes r WHERE r.school_id = $1 ORDER BY r.name COLLATE "C", r.created_at, r.id`
	everyAssignment = `
		SELECT id, title, created_at, updated_at FROM assignments
		WHERE school_id = $1 ORDER BY title COLLATE "C", created_at, id`
	everyActivity = `
		SELECT ` + activityColumns + `
		FROM activities r JOIN courses c ON c.school_id = r.school_id AND c.id = r.course_id
		WHERE r.school_id = $1 ORDER BY c.permalink, r.title COLLATE "C", r.created_at, r.id`
)

// Categories hands over the categories.
func (s *snapshot) Categories(ctx context.Context, each func(category.State) error) error {
	return walk(ctx, s, everyCategory, categoryRow.state, each)
}

// Coupons hands over the coupons.
func (s *snapshot) Coupons(ctx context.Context, each func(coupon.State) error) error {
	return walk(ctx, s, everyCoupon, couponRow.state, each)
}

// People hands over the people.
func (s *snapshot) People(ctx context.Context, each func(person.State) error) error {
	return walk(ctx, s, everyPerson, surely(personRow.state), each)
}

// Courses hands over the courses.
func (s *snapshot) Courses(ctx context.Context, each func(course.State) error) error {
	return walk(ctx, s, everyCourse, surely(courseRow.state), each)
}

// Groups hands over the groups.
func (s *snapshot) Groups(ctx context.Context, each func(group.State) error) error {
	return walk(ctx, s, everyGroup, surely(groupRow.state), each)
}

// Assignments hands over the assignments.
func (s *snapshot) Assignments(ctx context.Context, each func(assignment.State) error) error {
	return walk(ctx, s, everyAssignment, assignmentRow.state, each)
}

// Activities hands over the activities.
func (s *snapshot) Activities(ctx context.Context, each func(activity.State) error) error {
	return walk(ctx, s, everyActivity, activityRow.state, each)
}

// wholeQuizRow is a quiz with its questions, as JSON.
type wholeQuizRow struct {
	quizRow
	Questions []byte `db:"questions"`
}

func (r wholeQuizRow) state() (quiz.State, error) {
	var questions []questionRow
	if r.Questions != nil {
		if err := json.Unmarshal(r.Questions, &questions); err != nil {
			return quiz.State{}, pgdb.Corrupt(quiz.Type, r.ID, err)
		}
	}
	s := quiz.State{
		ID: quiz.ID{UUID: r.ID}, Name: r.Name, CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}
	for _, row := range questions {
		q, err := row.question()
		if err != nil {
			return quiz.State{}, err
		}
		if row.Archived {
			s.Archived = append(s.Archived, q)
			continue
		}
		s.Questions = append(s.Questions, q)
	}
	return s, nil
}

// Quizzes hands over the quizzes with their questions.
func (s *snapshot) Quizzes(ctx context.Context, each func(quiz.State) error) error {
	return walk(ctx, s, everyQuiz, wholeQuizRow.state, each)
}
