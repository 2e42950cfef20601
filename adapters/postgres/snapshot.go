package postgres

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/category"
	"lyceum/domain/change"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/quiz"
	"lyceum/domain/school"
	"lyceum/ports"
)

var _ ports.Snapshot = (*snapshot)(nil)

// A snapshot reads a school in a transaction that sees one state of the database.
type snapshot struct {
	tx     *sqlx.Tx
	school uuid.UUID
	feed   *change.Feed // nil: the state is that of a replica, which has no position in the change feed
}

// sortMemory sets the memory that a sort of millions of rows may use before it uses the disk.
const sortMemory = `SET LOCAL work_mem = '32MB'`

// Snapshot implements ports.Snapshots, in a REPEATABLE READ transaction on a separate connection
// without a statement timeout.
func (s *Store) Snapshot(
	ctx context.Context, id school.ID, fn func(ctx context.Context, s ports.Snapshot) error,
) error {
	if err := s.checkOutsideTx(ctx, id); err != nil {
		return err
	}
	// Changes that are readable now are visible in a transaction that begins afterwards.
	feed, err := changeReader{s.session(id)}.Feed(pgdb.OnPrimary(ctx))
	if err != nil {
		return err
	}
	conn, onReplica := s.db.OpenBulkFor(ctx)
	sn := &snapshot{school: id.UUID, feed: &feed}
	if onReplica {
		sn.feed = nil
	}
	err = s.snapshotOn(ctx, conn, sn, fn)
	return errors.Join(err, conn.Close())
}

func (s *Store) snapshotOn(
	ctx context.Context, conn *sqlx.DB, sn *snapshot, fn func(ctx context.Context, s ports.Snapshot) error,
) error {
	tx, err := conn.BeginTxx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return loadError(ctx, err)
	}
	defer func() { _ = tx.Rollback() }() // there is nothing to commit
	for _, setting := range []string{sortMemory, pgdb.NestedLoopsOff} {
		if _, err := tx.ExecContext(ctx, setting); err != nil {
			return loadError(ctx, err)
		}
	}
	sn.tx = tx
	if _, err := sn.School(ctx); err != nil { // the first statement determines the state that the transaction sees
		return err
	}
	return fn(pgdb.WithinTx(ctx), sn)
}

// School implements ports.Snapshot.
func (s *snapshot) School(ctx context.Context) (school.School, error) {
	var row schoolRow
	if err := s.tx.GetContext(ctx, &row, getSchool, s.school); err != nil {
		return school.School{}, loadError(ctx, pgdb.Missing(err))
	}
	return row.school()
}

// Changes implements ports.Snapshot.
func (s *snapshot) Changes(context.Context) (change.Feed, error) {
	if s.feed == nil {
		return change.Feed{}, errors.New("postgres: a snapshot on a replica has no position in the change feed")
	}
	return *s.feed, nil
}

// walk reads the rows of a statement one by one, converts each row, and calls the function each
// with the result. The school is the only parameter of the statement.
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

var (
	allProperties = `SELECT ` + propertyColumns + ` FROM property_definitions r WHERE r.school_id = $1 ORDER BY r.resource, r.name`
	allCategories = `SELECT ` + listsql.RowColumns[categoryRow]() + ` FROM categories r WHERE r.school_id = $1 ORDER BY r.name_key`
	allCoupons    = `SELECT ` + couponColumns + ` FROM coupons r WHERE r.school_id = $1 ORDER BY r.code_key`
	allPeople     = `SELECT ` + personColumns + ` FROM people r WHERE r.school_id = $1 ORDER BY r.email_key`
	allCourses    = `SELECT ` + courseColumns + ` FROM courses r WHERE r.school_id = $1 ORDER BY r.permalink`
	allGroups     = `SELECT ` + groupColumns + ` FROM groups r WHERE r.school_id = $1 ORDER BY r.name_key`

	allAssignments = `SELECT ` + listsql.RowColumns[assignmentRow]() + ` FROM assignments r
		WHERE r.school_id = $1 ORDER BY r.title COLLATE "C", r.created_at, r.id`
	allActivities = `SELECT ` + wholeActivityColumns + `
		FROM activities r JOIN courses c ON c.school_id = r.school_id AND c.id = r.course_id
		WHERE r.school_id = $1 ORDER BY c.permalink, r.title COLLATE "C", r.created_at, r.id`
)

const allQuizzes = `
	SELECT r.id, r.name, r.created_at, r.updated_at, (
		SELECT json_agg(json_build_object('ID', k.id, 'Key', k.key, 'Text', k.text, 'Choices', k.choices,
			'Correct', k.correct, 'Archived', k.archived) ORDER BY k.number, k.key)
		FROM quiz_questions k WHERE k.school_id = r.school_id AND k.quiz_id = r.id
	) AS questions
	FROM quizzes r WHERE r.school_id = $1 ORDER BY r.name COLLATE "C", r.created_at, r.id`

// Properties implements ports.Snapshot.
func (s *snapshot) Properties(ctx context.Context, each func(property.State) error) error {
	return walk(ctx, s, allProperties, propertyRow.state, each)
}

// Categories implements ports.Snapshot.
func (s *snapshot) Categories(ctx context.Context, each func(category.State) error) error {
	return walk(ctx, s, allCategories, categoryRow.state, each)
}

// Coupons implements ports.Snapshot.
func (s *snapshot) Coupons(ctx context.Context, each func(coupon.State) error) error {
	return walk(ctx, s, allCoupons, couponRow.state, each)
}

// People implements ports.Snapshot.
func (s *snapshot) People(ctx context.Context, each func(person.State) error) error {
	return walk(ctx, s, allPeople, personRow.state, each)
}

// Courses implements ports.Snapshot.
func (s *snapshot) Courses(ctx context.Context, each func(course.State) error) error {
	return walk(ctx, s, allCourses, courseRow.state, each)
}

// Groups implements ports.Snapshot.
func (s *snapshot) Groups(ctx context.Context, each func(group.State) error) error {
	return walk(ctx, s, allGroups, groupRow.state, each)
}

// Assignments implements ports.Snapshot.
func (s *snapshot) Assignments(ctx context.Context, each func(assignment.State) error) error {
	return walk(ctx, s, allAssignments, assignmentRow.state, each)
}

// Activities implements ports.Snapshot.
func (s *snapshot) Activities(ctx context.Context, each func(activity.State) error) error {
	return walk(ctx, s, allActivities, wholeActivityRow.state, each)
}

// A wholeQuizRow is a quiz with its questions as JSON.
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
		if err := row.addTo(&s); err != nil {
			return quiz.State{}, err
		}
	}
	return s, nil
}

// Quizzes implements ports.Snapshot.
func (s *snapshot) Quizzes(ctx context.Context, each func(quiz.State) error) error {
	return walk(ctx, s, allQuizzes, wholeQuizRow.state, each)
}
