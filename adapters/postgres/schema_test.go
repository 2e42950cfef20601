package postgres_test

import (
	"context"
	"database/sql"
	"errors"
	"testing"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"github.com/matryer/is"
	"lyceum/domain/bulk"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/ports"
)

// furnished is a school with one record of each kind.
type furnished struct {
	id                                                       school.ID
	bulk                                                     uuid.UUID
	person, partner, course, cat, enrolls, group, membership uuid.UUID
}

func furnish(t *testing.T, s ports.Store, id school.ID) furnished {
	t.Helper()
	p, c, cat := newPerson("ada@example.test"), newCourse("drawing"), newCategory("Art")
	part := person.Partnership{
		ID: person.PartnershipID{UUID: uuid.New()}, Person: p.State().ID, Role: person.Owner, CreatedAt: now,
	}
	e := learner(p.State().ID, c.State().ID)
	g := newGroup("Spring")
	m := member(p.State().ID, g.State().ID)
	requested := bulk.Job{ID: bulk.ID{UUID: uuid.New()}, Kind: bulk.People, CreatedAt: now}
	err := s.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) error {
		err := errors.Join(
			tx.People.Add(ctx, p), tx.Courses.Add(ctx, c), tx.Categories.Add(ctx, cat), tx.Groups.Add(ctx, g))
		if err != nil {
			return err
		}
		if err := tx.Bulk.Add(ctx, requested, nil); err != nil {
			return err
		}
		_, errPart := tx.Partnerships.AddIfAbsent(ctx, part)
		_, errEnroll := tx.Enrollments.AddIfAbsent(ctx, []enrollment.Enrollment{e})
		_, errJoin := tx.Memberships.AddIfAbsent(ctx, []membership.Membership{m})
		return errors.Join(errPart, errEnroll, errJoin)
	})
	if err != nil {
		t.Fatal(err)
	}
	return furnished{
		id: id, person: p.State().ID.UUID, partner: part.ID.UUID, course: c.State().ID.UUID,
		cat: cat.State().ID.UUID, enrolls: e.ID.UUID,
		bulk: requested.ID.UUID, group: g.State().ID.UUID, membership: m.ID.UUID,
	}
}

// Even raw SQL cannot make a row of one school refer to a row of another school.
func TestReferencesStayWithinSchool(t *testing.T) {
	s, db := freshStore(t)
	ours, theirs := furnish(t, s, newSchool(t, s)), furnish(t, s, newSchool(t, s))
	for _, tt := range []struct {
		name, insert string
		a, b         uuid.UUID
	}{
		{"a partnership with their person", `INSERT INTO partnerships (school_id, id, person_id, role, created_at)
			VALUES ($1, $2, $3, 'manager', now())`, uuid.New(), theirs.person},
		{"our course under their category", `INSERT INTO course_categories (school_id, course_id, category_id)
			VALUES ($1, $2, $3)`, ours.course, theirs.cat},
		{"their course under our category", `INSERT INTO course_categories (school_id, course_id, category_id)
			VALUES ($1, $2, $3)`, theirs.course, ours.cat},
		{"their instructor in our course", `INSERT INTO course_instructors (school_id, course_id, partnership_id)
			VALUES ($1, $2, $3)`, ours.course, theirs.partner},
		{"our person in their course", `INSERT INTO enrollments (school_id, id, person_id, course_id, role, created_at, updated_at)
			VALUES ($1, gen_random_uuid(), $2, $3, 'manager', now(), now())`, ours.person, theirs.course},
		{"their person in our course", `INSERT INTO enrollments (school_id, id, person_id, course_id, role, created_at, updated_at)
			VALUES ($1, gen_random_uuid(), $2, $3, 'manager', now(), now())`, theirs.person, ours.course},
		{"our course in their group", `INSERT INTO group_courses (school_id, group_id, course_id)
			VALUES ($1, $2, $3)`, theirs.group, ours.course},
		{"their course in our group", `INSERT INTO group_courses (school_id, group_id, course_id)
			VALUES ($1, $2, $3)`, ours.group, theirs.course},
		{"our part of their bulk job", `INSERT INTO bulk_parts (school_id, id, job_id, number)
			VALUES ($1, $2, $3, 0)`, uuid.New(), theirs.bulk},
		{"our person in their group", `INSERT INTO memberships (school_id, id, person_id, group_id, role, created_at, updated_at)
			VALUES ($1, gen_random_uuid(), $2, $3, 'manager', now(), now())`, ours.person, theirs.group},
		{"their person in our group", `INSERT INTO memberships (school_id, id, person_id, group_id, role, created_at, updated_at)
			VALUES ($1, gen_random_uuid(), $2, $3, 'manager', now(), now())`, theirs.person, ours.group},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			_, err := db.ExecContext(t.Context(), tt.insert, ours.id.UUID, tt.a, tt.b)
			is.True(pq.As(err, pqerror.ForeignKeyViolation) != nil)
		})
	}
}

// Deletions are explicit: deleting a row never deletes the rows that refer to it.
func TestForeignKeysDeleteNothing(t *testing.T) {
	is := is.New(t)
	_, db := freshStore(t)
	is.True(count(t, db, `SELECT count(*) FROM pg_constraint
		WHERE connamespace = 'public'::regnamespace AND contype = 'f'`) > 0)
	is.Equal(count(t, db, `SELECT count(*) FROM pg_constraint
		WHERE connamespace = 'public'::regnamespace AND contype = 'f' AND (confdeltype, confupdtype) <> ('a', 'a')`), 0)
}

// The counts are correct for any writer, even for raw SQL.
func TestCountersFollowRawSQL(t *testing.T) {
	is := is.New(t)
	s, db := freshStore(t)
	x := furnish(t, s, newSchool(t, s))
	get := func() (person.Summary, course.Summary, group.Summary) {
		t.Helper()
		p, err := s.Read(x.id).People.Get(t.Context(), person.ID{UUID: x.person})
		is.NoErr(err)
		c, err := s.Read(x.id).Courses.Get(t.Context(), course.ID{UUID: x.course})
		is.NoErr(err)
		g, err := s.Read(x.id).Groups.Get(t.Context(), group.ID{UUID: x.group})
		is.NoErr(err)
		return p, c, g
	}
	p, c, g := get()
	is.Equal(p.CourseCount, int64(1))
	is.Equal(len(p.Partnerships), 1)
	is.Equal(c.EnrollmentsCount, int64(1))
	is.Equal(p.GroupCount, int64(1))
	is.Equal(g.MembershipCount, int64(1))

	execute(t, db, `DELETE FROM partnerships`, `DELETE FROM enrollments`, `DELETE FROM memberships`)
	p, c, g = get()
	is.Equal(p.CourseCount, int64(0))
	is.Equal(len(p.Partnerships), 0)
	is.Equal(c.EnrollmentsCount, int64(0))
	is.Equal(p.GroupCount, int64(0))
	is.Equal(g.MembershipCount, int64(0))
	is.Equal(p.UpdatedAt, now) // a change of a count does not set updated_at
	is.Equal(c.UpdatedAt, now)
	is.Equal(g.UpdatedAt, now)
}

func TestCountedColumnsCannotChange(t *testing.T) {
	s, db := freshStore(t)
	furnish(t, s, newSchool(t, s))
	for _, statement := range []string{
		`UPDATE enrollments SET role = 'manager'`,
		`UPDATE enrollments SET course_id = gen_random_uuid()`,
		`UPDATE partnerships SET role = 'manager'`,
		`UPDATE memberships SET role = 'manager'`,
		`UPDATE memberships SET group_id = gen_random_uuid()`,
		`UPDATE enrollments SET created_at = now()`,
		`UPDATE course_attempts SET person_id = gen_random_uuid()`,
	} {
		t.Run(statement, func(t *testing.T) {
			is := is.New(t)
			_, err := db.ExecContext(t.Context(), statement)
			is.True(pq.As(err, pqerror.RaiseException) != nil)
		})
	}
}

// Folds and keys must be compared byte by byte and not with the collation of the database.
func TestFoldAndKeyColumnsCompareBytes(t *testing.T) {
	is := is.New(t)
	_, db := freshStore(t)
	var wrong sql.NullString
	err := db.QueryRowContext(t.Context(), `SELECT string_agg(table_name || '.' || column_name, ', ')
		FROM information_schema.columns
		WHERE table_schema = 'public' AND column_name ~ '(_fold|_key)$' AND collation_name IS DISTINCT FROM 'C'`,
	).Scan(&wrong)
	is.NoErr(err)
	is.Equal(wrong.String, "")
}

// Every key of a table with records of schools begins with the school. The only exception is the
// primary key of jobs, because jobs are leased and looked up without a school.
func TestEveryKeyBeginsWithSchool(t *testing.T) {
	is := is.New(t)
	_, db := freshStore(t)
	var wrong sql.NullString
	err := db.QueryRowContext(t.Context(), `SELECT string_agg(c.conname, ', ')
		FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
		WHERE c.connamespace = 'public'::regnamespace AND c.contype IN ('p', 'u', 'f') AND a.attname <> 'school_id'
		AND c.conrelid::regclass::text NOT IN ('schools', 'api_keys', 'goose_db_version')
		AND c.conname <> 'jobs_pkey'`,
	).Scan(&wrong)
	is.NoErr(err)
	is.Equal(wrong.String, "")
}
