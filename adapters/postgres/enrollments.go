package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/course"
	"lyceum/domain/decimal"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/ports"
)

var _ ports.EnrollmentRepo = enrollmentRepo{}

type enrollmentRow struct {
	ID        uuid.UUID `db:"id"`
	Person    uuid.UUID `db:"person_id"`
	Course    uuid.UUID `db:"course_id"`
	Role      string    `db:"role"`
	CreatedAt time.Time `db:"created_at"`
	UpdatedAt time.Time `db:"updated_at"`
}

func (r enrollmentRow) enrollment() (enrollment.Enrollment, error) {
	role, err := enrollment.ParseRole(r.Role)
	if err != nil {
		return enrollment.Enrollment{}, pgdb.Corrupt(enrollment.Type, r.ID, err)
	}
	return enrollment.Enrollment{
		ID: enrollment.ID{UUID: r.ID}, Person: person.ID{UUID: r.Person}, Course: course.ID{UUID: r.Course},
		Role: role, CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}, nil
}

type enrollmentSummaryRow struct {
	enrollmentRow
	Progress *int64 `db:"progress"`
}

func (r enrollmentSummaryRow) summary() (enrollment.Summary, error) {
	e, err := r.enrollment()
	s := enrollment.Summary{Enrollment: e}
	if r.Progress != nil {
		p := decimal.Percent(*r.Progress)
		s.Progress = &p
	}
	return s, err
}

// latestProgress is an SQL expression for the progress of a learner's latest attempt at the course,
// in hundredths of a percent. For other roles it is null.
const latestProgress = `(CASE WHEN r.role = 'learner' THEN coalesce((
	SELECT a.progress FROM course_attempts a
	WHERE a.school_id = r.school_id AND a.person_id = r.person_id AND a.course_id = r.course_id
	ORDER BY a.number DESC LIMIT 1), 0) END)`

var enrollmentList = listsql.New(listsql.Definition{
	Table:   "enrollments",
	Columns: listsql.RowColumns[enrollmentRow]() + ", " + latestProgress + " AS progress",
	Attrs: map[string]listsql.Column{
		"uuid":       {Expr: "r.id"},
		"role":       {Expr: "r.role", Fold: `(r.role COLLATE "C")`},
		"progress":   listsql.Hundredths(latestProgress),
		"person.id":  {Expr: "r.person_id"},
		"course.id":  {Expr: "r.course_id"},
		"created_at": {Expr: "r.created_at"},
		"updated_at": {Expr: "r.updated_at"},
	},
	Sort:    enrollment.Schema.Default(),
	Removal: listsql.HideRemovedCourses,
}, enrollmentSummaryRow.summary)

var enrollmentTable = newTable("enrollments", []column[enrollment.Enrollment]{
	{"person_id", "uuid", func(e enrollment.Enrollment) any { return e.Person.UUID }},
	{"id", "uuid", func(e enrollment.Enrollment) any { return e.ID.UUID }},
	{"course_id", "uuid", func(e enrollment.Enrollment) any { return e.Course.UUID }},
	{"role", "text", func(e enrollment.Enrollment) any { return e.Role.String() }},
	{"created_at", "timestamptz", func(e enrollment.Enrollment) any { return e.CreatedAt }},
	{"updated_at", "timestamptz", func(e enrollment.Enrollment) any { return e.UpdatedAt }},
})

type enrollmentReader struct {
	reader[enrollment.ID, enrollmentSummaryRow, enrollment.Summary]
}

const enrollmentsOf = `
	SELECT e.id, e.person_id, e.course_id, e.role, e.created_at, e.updated_at
	FROM enrollments e JOIN courses c ON c.school_id = $1 AND c.id = e.course_id
	WHERE e.school_id = $1 AND e.person_id = $2 ORDER BY e.id`

// ByPerson implements ports.EnrollmentReader.
func (r enrollmentReader) ByPerson(ctx context.Context, id person.ID) ([]enrollment.Enrollment, error) {
	return getAll(ctx, r.session, enrollmentRow.enrollment, enrollmentsOf, r.session.SchoolID, id.UUID)
}

type enrollmentRepo struct{ enrollmentReader }

const (
	deleteEnrollmentsOf = withPersonLocked + `
		DELETE FROM enrollments WHERE school_id = $1 AND person_id = (SELECT id FROM locked)`
	removeEnrollments = deleteEnrollmentsOf + ` AND role = $3 AND course_id = ANY ($4::uuid[])`
)

// These statements, except lockOnlyEnrollments, lock people before enrollments, each in a fixed
// order. A weaker lock on the people would have to be upgraded when a course attempt is added. This
// could deadlock with a transaction that has locked the people and waits to remove the enrollment.
var (
	addEnrollments = lockPeople + enrollmentTable.insertMany + `WHERE` + pgdb.AfterLock +
		`ON CONFLICT (school_id, person_id, role, course_id) DO NOTHING`
	removeEnrollmentsFrom = lockPeople + `
		DELETE FROM enrollments WHERE school_id = $1 AND person_id = ANY ($2::uuid[])
			AND course_id = $3 AND role = $4 AND` + pgdb.AfterLock

	lockEnrollments     = lockPeople + lockOnlyEnrollments + ` WHERE` + pgdb.AfterLock
	lockOnlyEnrollments = `
		SELECT e.* FROM (
			SELECT * FROM unnest($2::uuid[], $3::uuid[]) g (person_id, course_id) ORDER BY person_id, course_id
		) g CROSS JOIN LATERAL (
			SELECT e.id, e.person_id, e.course_id, e.role, e.created_at, e.updated_at FROM enrollments e
			WHERE e.school_id = (SELECT $1::uuid) AND e.role = $4 AND e.course_id = g.course_id AND` + pgdb.AtKey("e.person_id", "g.person_id") + `
			LIMIT 1 FOR NO KEY UPDATE
		) e`
)

// GetManyForUpdate implements ports.EnrollmentRepo.
func (r enrollmentRepo) GetManyForUpdate(
	ctx context.Context, pairs []enrollment.PersonCourse, role enrollment.Role,
) (map[enrollment.PersonCourse]enrollment.Enrollment, error) {
	people, courses := pairColumns(pairs)
	return getMap(ctx, r.session, len(pairs), enrollmentRow.enrollment, enrollment.Enrollment.PersonCourse,
		lockEnrollments, r.session.SchoolID, people, courses, role.String())
}

// LockManyForUpdate implements ports.EnrollmentRepo.
func (r enrollmentRepo) LockManyForUpdate(ctx context.Context, pairs []enrollment.PersonCourse, role enrollment.Role) error {
	people, courses := pairColumns(pairs)
	_, err := r.session.ExecKeyed(ctx, len(pairs), lockOnlyEnrollments, r.session.SchoolID, people, courses, role.String())
	return err
}

// pairColumns returns the people and the courses of the distinct pairs.
func pairColumns(pairs []enrollment.PersonCourse) (people, courses any) {
	seen := make(map[enrollment.PersonCourse]struct{}, len(pairs))
	var ps []person.ID
	var cs []course.ID
	for _, pair := range pairs {
		if _, ok := seen[pair]; !ok {
			seen[pair] = struct{}{}
			ps, cs = append(ps, pair.Person), append(cs, pair.Course)
		}
	}
	return idArray(ps), idArray(cs)
}

// AddIfAbsent implements ports.EnrollmentRepo.
func (r enrollmentRepo) AddIfAbsent(ctx context.Context, es []enrollment.Enrollment) (int, error) {
	return addRoleRows(ctx, r.session, addEnrollments, enrollmentTable, es, func(e *enrollment.Enrollment) roleKey {
		return roleKey{e.Person.UUID, e.Role.String(), e.Course.UUID}
	})
}

// RemoveFromCourses implements ports.EnrollmentRepo.
func (r enrollmentRepo) RemoveFromCourses(ctx context.Context, p person.ID, role enrollment.Role, courses []course.ID) (int, error) {
	return r.session.Exec(ctx, removeEnrollments, r.session.SchoolID, p.UUID, role.String(), idArray(courses))
}

// RemovePeople implements ports.EnrollmentRepo.
func (r enrollmentRepo) RemovePeople(ctx context.Context, in course.ID, role enrollment.Role, people []person.ID) (int, error) {
	return r.session.Exec(ctx, removeEnrollmentsFrom, r.session.SchoolID, idArray(people), in.UUID, role.String())
}

// DeleteByPerson implements ports.EnrollmentRepo.
func (r enrollmentRepo) DeleteByPerson(ctx context.Context, p person.ID) error {
	return r.session.write(ctx, deleteEnrollmentsOf, r.session.SchoolID, p.UUID)
}
