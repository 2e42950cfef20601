package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/course"
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

type enrollmentReader struct{ *session }

const enrollmentsOf = `
	SELECT e.id, e.person_id, e.course_id, e.role, e.created_at, e.updated_at
	FROM enrollments e JOIN courses c ON c.school_id = $1 AND c.id = e.course_id
	WHERE e.school_id = $1 AND e.person_id = $2 ORDER BY e.id`

// OfPerson returns the person's enrollments.
func (c enrollmentReader) OfPerson(ctx context.Context, id person.ID) ([]enrollment.Enrollment, error) {
	var rows []enrollmentRow
	if err := c.SelectRows(ctx, &rows, enrollmentsOf, c.SchoolID, id.UUID); err != nil {
		return nil, err
	}
	found := make([]enrollment.Enrollment, len(rows))
	for i, r := range rows {
		e, err := r.enrollment()
		if err != nil {
			return nil, err
		}
		found[i] = e
	}
	return found, nil
}

type enrollmentRepo struct{ enrollmentReader }

const (
	lockEnrollment = `
		SELECT id, person_id, course_id, role, created_at, updated_at FROM enrollments
		WHERE school_id = $1 AND person_id = $2 AND course_id = $3 AND role = $4 FOR NO KEY UPDATE`
	removeEnrollmentsOf = lockOne + `
		DELETE FROM enrollments WHERE school_id = $1 AND person_id = (SELECT id FROM locked)`
	removeEnrollments = removeEnrollmentsOf + ` AND role = $3 AND course_id = ANY ($4::uuid[])`
)

var addEnrollments = lockPeople + `
		INSERT INTO enrollments (school_id, person_id, id, course_id, role, created_at, updated_at)
		SELECT $1, e.* FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[],
			$6::timestamptz[], $7::timestamptz[]) e
		WHERE` + afterLock + `
		ON CONFLICT (school_id, person_id, role, course_id) DO NOTHING`

var removeEnrollmentsFrom = lockPeople + `
		DELETE FROM enrollments WHERE school_id = $1 AND person_id = ANY ($2::uuid[])
			AND course_id = $3 AND role = $4 AND` + afterLock

// Find returns the enrollment of a person as role in a course and locks it.
func (c enrollmentRepo) Find(
	ctx context.Context, p person.ID, in course.ID, role enrollment.Role,
) (enrollment.Enrollment, error) {
	var row enrollmentRow
	if err := c.GetRow(ctx, &row, lockEnrollment, c.SchoolID, p.UUID, in.UUID, role.String()); err != nil {
		return enrollment.Enrollment{}, pgdb.Missing(err)
	}
	return row.enrollment()
}

// AddIfAbsent keeps those of es that are new.
func (c enrollmentRepo) AddIfAbsent(ctx context.Context, es []enrollment.Enrollment) (int, error) {
	places := make([]place, len(es))
	for i, e := range es {
		places[i] = place{e.ID.UUID, e.Person.UUID, e.Course.UUID, e.Role.String(), e.CreatedAt, e.UpdatedAt}
	}
	return c.addPlaces(ctx, addEnrollments, places)
}

// Remove forgets the person's enrollments as role in courses.
func (c enrollmentRepo) Remove(ctx context.Context, p person.ID, role enrollment.Role, courses []course.ID) (int, error) {
	return c.Exec(ctx, removeEnrollments, c.SchoolID, p.UUID, role.String(), pq.Array(pgdb.IDStrings(courses)))
}

// RemoveFrom forgets the enrollments as role of people in a course.
func (c enrollmentRepo) RemoveFrom(ctx context.Context, in course.ID, role enrollment.Role, people []person.ID) (int, error) {
	return c.Exec(ctx, removeEnrollmentsFrom, c.SchoolID, pq.Array(pgdb.IDStrings(people)), in.UUID, role.String())
}

// RemoveOfPerson forgets all enrollments of a person.
func (c enrollmentRepo) RemoveOfPerson(ctx context.Context, p person.ID) error {
	_, err := c.Exec(ctx, removeEnrollmentsOf, c.SchoolID, p.UUID)
	return err
}
