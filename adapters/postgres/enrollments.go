package postgres

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
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

type enrollmentReader struct{ *session }

const enrollmentsOf = `
	SELECT id, person_id, course_id, role, created_at, updated_at FROM enrollments
	WHERE school_id = $1 AND person_id = $2 ORDER BY id`

// OfPerson returns the person's enrollments.
func (c enrollmentReader) OfPerson(ctx context.Context, id person.ID) ([]enrollment.Enrollment, error) {
	var rows []enrollmentRow
	if err := c.all(ctx, &rows, enrollmentsOf, c.school, id.UUID); err != nil {
		return nil, err
	}
	found := make([]enrollment.Enrollment, len(rows))
	for i, r := range rows {
		role, err := enrollment.ParseRole(r.Role)
		if err != nil {
			return nil, corrupt("enrollments", r.ID, err)
		}
		found[i] = enrollment.Enrollment{
			ID: enrollment.ID{UUID: r.ID}, Person: person.ID{UUID: r.Person}, Course: course.ID{UUID: r.Course},
			Role: role, CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
		}
	}
	return found, nil
}

type enrollmentRepo struct{ enrollmentReader }

// Each locks its people before it touches an enrollment, in the order of their
// ids: the counters would lock them anyway, but afterwards, when others may be
// waiting for the enrollments.
const (
	addEnrollments = `
		WITH locked AS MATERIALIZED (
			SELECT p.id FROM people p WHERE p.school_id = $1 AND p.id = ANY ($3::uuid[])
			ORDER BY p.id FOR NO KEY UPDATE
		)
		INSERT INTO enrollments (school_id, id, person_id, course_id, role, created_at, updated_at)
		SELECT $1, e.* FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[],
			$6::timestamptz[], $7::timestamptz[]) e
		WHERE (SELECT count(*) FROM locked) >= 0
		ON CONFLICT (school_id, person_id, role, course_id) DO NOTHING`
	lockOne = `
		WITH locked AS MATERIALIZED (
			SELECT p.id FROM people p WHERE p.school_id = $1 AND p.id = $2 FOR NO KEY UPDATE
		)`
	removeEnrollmentsOf = lockOne + `
		DELETE FROM enrollments WHERE school_id = $1 AND person_id = (SELECT id FROM locked)`
	removeEnrollments = removeEnrollmentsOf + ` AND role = $3 AND course_id = ANY ($4::uuid[])`
)

// AddIfAbsent keeps those of es that are new.
func (c enrollmentRepo) AddIfAbsent(ctx context.Context, es []enrollment.Enrollment) (int, error) {
	if len(es) == 0 {
		return 0, translate(ctx, ctx.Err())
	}
	var ids, people, courses, roles []string
	var created, updated []string
	for _, e := range inKeyOrder(es) {
		ids, people, courses = append(ids, e.ID.String()), append(people, e.Person.String()), append(courses, e.Course.String())
		roles = append(roles, e.Role.String())
		created, updated = append(created, e.CreatedAt.Format(time.RFC3339Nano)), append(updated, e.UpdatedAt.Format(time.RFC3339Nano))
	}
	return c.exec(ctx, addEnrollments, c.school, pq.Array(ids), pq.Array(people), pq.Array(courses),
		pq.Array(roles), pq.Array(created), pq.Array(updated))
}

// inKeyOrder sorts a copy of es by person, role and course: two transactions
// that insert some of the same would wait for each other if each began with
// what the other ends with.
func inKeyOrder(es []enrollment.Enrollment) []enrollment.Enrollment {
	es = slices.Clone(es)
	slices.SortStableFunc(es, func(a, b enrollment.Enrollment) int {
		if c := bytes.Compare(a.Person.UUID[:], b.Person.UUID[:]); c != 0 {
			return c
		}
		if c := bytes.Compare([]byte(a.Role.String()), []byte(b.Role.String())); c != 0 {
			return c
		}
		return bytes.Compare(a.Course.UUID[:], b.Course.UUID[:])
	})
	return es
}

// Remove forgets the person's enrollments as role in courses.
func (c enrollmentRepo) Remove(ctx context.Context, p person.ID, role enrollment.Role, courses []course.ID) (int, error) {
	return c.exec(ctx, removeEnrollments, c.school, p.UUID, role.String(), pq.Array(idStrings(courses)))
}

// RemoveOfPerson forgets all enrollments of a person.
func (c enrollmentRepo) RemoveOfPerson(ctx context.Context, p person.ID) error {
	_, err := c.exec(ctx, removeEnrollmentsOf, c.school, p.UUID)
	return err
}
