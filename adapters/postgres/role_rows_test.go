package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/ports"
)

// Adding many courses to a large group adds thousands of enrollments. They are inserted in batches,
// but either all of them or none.
func TestEnrollmentsAreAddedInBatches(t *testing.T) {
	is := is.New(t)
	s, db := freshStore(t)
	id := newSchool(t, s)
	people, courses := class(t, s, id, 601, 20)
	execute(t, db, `CREATE TABLE brought (rows bigint)`)
	execute(t, db, `CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
		$$ BEGIN INSERT INTO brought SELECT count(*) FROM added; RETURN NULL; END $$`)
	execute(t, db, `CREATE TRIGGER note AFTER INSERT ON enrollments
		REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note()`)

	all := places(people, courses)
	stranger := all[0]
	stranger.ID.UUID, stranger.Person.UUID = uuid.New(), uuid.Max // sorts last, so it is in the last batch
	is.True(enroll(t.Context(), s, id, append(places(people, courses), stranger)...) != nil)
	is.Equal(count(t, db, `SELECT count(*) FROM enrollments`), 0)

	kept := 0
	is.NoErr(s.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) (err error) {
		kept, err = tx.Enrollments.AddIfAbsent(ctx, append(all, places(people, courses)...)) // each enrollment twice
		return err
	}))
	is.Equal(kept, 601*20)
	is.Equal(count(t, db, `SELECT count(*) FROM enrollments`), kept)
	is.Equal(count(t, db, `SELECT sum(rows) FROM brought`), kept)
	is.True(count(t, db, `SELECT max(rows) FROM brought`) <= 5000)
}

// places returns the enrollments of all people in all courses.
func places(people []person.ID, courses []course.ID) []enrollment.Enrollment {
	var all []enrollment.Enrollment
	for _, c := range courses {
		for _, p := range people {
			all = append(all, enrollment.Enrollment{
				ID: enrollment.ID{UUID: uuid.New()}, Person: p, Course: c, Role: enrollment.Learner,
				CreatedAt: time.Unix(0, 0).UTC(), UpdatedAt: time.Unix(0, 0).UTC(),
			})
		}
	}
	return all
}
