package postgres_test

import (
	"context"
	"database/sql"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/domain/analytics"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/ports"
	"pgregory.net/rapid"
)

// A page at a cursor equals the page that package query evaluates, with any filter, sort
// and limit, in both directions, with null keys, mixed directions and equal keys.
func TestPagesAtCursors(t *testing.T) {
	s, _, id, list, rows := sampleList(t)
	rapid.Check(t, func(r *rapid.T) {
		q := query.Query{Sort: anySort(r)}
		if rapid.Bool().Draw(r, "filtered") {
			q.Where = anyExpr(r, 2)
		}
		for range 4 {
			q.Page = query.NewPage(1, rapid.IntRange(1, 50).Draw(r, "limit"))
			cursor := samples.Edge(q.Sort, rapid.SampledFrom(rows).Draw(r, "edge"), rapid.Bool().Draw(r, "backward"))
			cursor.Inclusive = rapid.Bool().Draw(r, "inclusive")
			q.Cursor = &cursor
			got, err := list.Page(t.Context(), s, id, q)
			if err != nil {
				r.Fatalf("%v in %+v", err, q)
			}
			want := samples.Evaluate(q, rows)
			if !slices.EqualFunc(got.Items, want.Items, func(a uuid.UUID, b sample) bool { return a == b.id }) || got.More != want.More {
				r.Fatalf("%+v\nfinds %v, %v\nwant %v, %v", q, got.Items, got.More, want.Items, want.More)
			}
		}
	})
}

// A client that follows the pages reads each row that exists during the whole walk exactly once,
// while other rows are added and deleted. The row of the cursor may be deleted too.
func TestCursorWalkOverChangingList(t *testing.T) {
	s, db, id, list, rows := sampleList(t)
	rapid.Check(t, func(r *rapid.T) {
		q := query.Query{Sort: anySort(r), Page: query.NewPage(1, rapid.IntRange(3, 40).Draw(r, "limit"))}
		now, stay, seen := map[uuid.UUID]sample{}, map[uuid.UUID]bool{}, map[uuid.UUID]bool{}
		for _, row := range rows {
			now[row.id], stay[row.id] = row, true
		}
		var came []uuid.UUID
		for {
			got, err := list.Page(t.Context(), s, id, q)
			if err != nil {
				r.Fatalf("%v in %+v", err, q)
			}
			for _, row := range got.Items {
				if seen[row] {
					r.Fatalf("%s comes twice, sorted by %+v", row, q.Sort)
				}
				seen[row] = true
			}
			if !got.More {
				break
			}
			last := got.Items[len(got.Items)-1]
			cursor := samples.Edge(q.Sort, now[last], false)
			q.Cursor = &cursor
			for range rapid.IntRange(0, 3).Draw(r, "deleted") {
				row := rapid.SampledFrom(rows).Draw(r, "deleted row").id
				if rapid.Bool().Draw(r, "the last of the page") {
					row = last
				}
				execSample(t, db, `INSERT INTO samples_gone SELECT * FROM samples WHERE id = $1 ON CONFLICT DO NOTHING`, row)
				execSample(t, db, `DELETE FROM samples WHERE id = $1`, row)
				delete(stay, row)
			}
			for range rapid.IntRange(0, 3).Draw(r, "added") {
				added := rapid.SampledFrom(rows).Draw(r, "added like")
				if !stay[added.id] {
					continue
				}
				like := added.id
				added.id = uuid.New()
				execSample(t, db, `INSERT INTO samples SELECT school_id, $1, name, name_fold, note, note_fold, code, ref, number, price, flag, day, at, until,
					properties, property_folds FROM samples WHERE id = $2`, added.id, like)
				now[added.id], came = added, append(came, added.id)
			}
		}
		for row := range stay {
			if !seen[row] {
				r.Fatalf("%s was there all along, and is on no page, sorted by %+v, limit %d", row, q.Sort, q.Page.Limit())
			}
		}
		for _, row := range came {
			execSample(t, db, `DELETE FROM samples WHERE id = $1`, row)
			execSample(t, db, `DELETE FROM samples_gone WHERE id = $1`, row)
		}
		execSample(t, db, `INSERT INTO samples SELECT * FROM samples_gone WHERE id <> $1`, uuid.Nil)
		execSample(t, db, `DELETE FROM samples_gone WHERE id <> $1`, uuid.Nil)
	})
}

// A client can send a cursor with a number outside the range of the column. The list must not fail.
func TestCursorOutsideRangeOfColumn(t *testing.T) {
	is := is.New(t)
	s, _ := freshStore(t)
	id := newSchool(t, s)
	class(t, s, id, 2, 0)
	r := s.Read(id)
	for _, tt := range []struct {
		desc bool
		want int
	}{{true, 2}, {false, 0}} {
		found, err := countAfter(t, person.Schema, r.People, "course_count", tt.desc)
		is.NoErr(err)
		is.Equal(found, tt.want)
		_, err = countAfter(t, analytics.ScoreSchema, r.QuizScores, "course_attempt_number", tt.desc)
		is.NoErr(err)
		_, err = countAfter(t, analytics.AnswerSchema, r.RawAnswers, "course_attempt_number", tt.desc)
		is.NoErr(err)
		_, err = countAfter(t, analytics.QuizAttemptSchema, r.QuizAttempts, "course_attempt_number", tt.desc)
		is.NoErr(err)
	}
}

// countAfter returns the number of rows after a cursor with a number of more than 32 bits, in the
// order of the attribute name.
func countAfter[T any](t *testing.T, schema query.Schema[T], list ports.Lister[T], name string, desc bool) (int, error) {
	t.Helper()
	q := query.Query{Sort: []query.Order{{Attr: schema.Attr(name), Desc: desc}}}
	var none T
	cursor := schema.Edge(q.Sort, none, false)
	cursor.Values[0] = query.Value{Int: 3_000_000_000}
	q.Cursor = &cursor
	found, err := list.List(t.Context(), q)
	return len(found.Items), err
}

// sampleList creates a school with samples. It returns the store, its database, the school, the
// list of the samples and its rows.
func sampleList(t *testing.T) (*postgres.Store, *sql.DB, school.ID, postgres.Listing, []sample) {
	t.Helper()
	s, db := freshStore(t)
	execute(t, db, sampleTable, sampleTags, `CREATE TABLE samples_gone (LIKE samples INCLUDING ALL)`)
	id := newSchool(t, s)
	list := postgres.NewListing("samples", []string{"name", "note"},
		[]string{"code", "ref", "number", "price", "flag", "day", "at", "until"})
	return s, db, id, list, fill(t, db, id)
}

func execSample(t *testing.T, db *sql.DB, statement string, args ...any) {
	t.Helper()
	_, err := db.ExecContext(context.WithoutCancel(t.Context()), statement, args...)
	is.New(t).NoErr(err)
}
