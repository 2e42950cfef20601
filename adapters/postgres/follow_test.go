package postgres_test

import (
	"context"
	"database/sql"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"pgregory.net/rapid"
)

// Each page of who follows them is the page that plain counting gives, with any
// filter, any sort and any limit: null keys, mixed directions, keys of one value.
func TestFollowedPagesOfAnUnchangedList(t *testing.T) {
	s, db, id, list, rows := followed(t)
	_ = db
	rapid.Check(t, func(r *rapid.T) {
		var where query.Expr
		if rapid.Bool().Draw(r, "filtered") {
			where = anyExpr(r, 2)
		}
		q := query.Query{Where: where, Sort: anySort(r), Reader: uuid.New()}
		limit := rapid.IntRange(3, 50).Draw(r, "limit")
		for number := int64(1); ; number++ {
			q.Page = query.NewPage(number, limit)
			before := s.Taken()
			got, err := list.Page(t.Context(), s.Store, id, q)
			if err != nil {
				r.Fatalf("%v in %+v", err, q)
			}
			want := samples.Evaluate(q, rows)
			if !slices.EqualFunc(got.Items, want.Items, func(a uuid.UUID, b sample) bool { return a == b.id }) || got.More != want.More {
				r.Fatalf("%+v\nfinds %v, %v", q, got.Items, got.More)
			}
			if followed := s.Taken() > before; followed != (number > 1) {
				r.Fatalf("page %d: begins at a remembered place: %v", number, followed)
			}
			if !got.More {
				return
			}
		}
	})
}

// Each page of who jumps to and fro is the page that plain counting gives, from
// wherever it is counted.
func TestPagesJumpedToInAnUnchangedList(t *testing.T) {
	s, _, id, list, rows := followed(t)
	s.SetDeep(1)
	rapid.Check(t, func(r *rapid.T) {
		var where query.Expr
		if rapid.Bool().Draw(r, "filtered") {
			where = anyExpr(r, 2)
		}
		q := query.Query{Where: where, Sort: anySort(r), Reader: uuid.New()}
		begun, remembered := s.Taken(), false
		for range 6 {
			q.Page = query.NewPage(rapid.Int64Range(1, 30).Draw(r, "page"), rapid.IntRange(1, 9).Draw(r, "limit"))
			got, err := list.Page(t.Context(), s.Store, id, q)
			if err != nil {
				r.Fatalf("%v in %+v", err, q)
			}
			want := samples.Evaluate(q, rows)
			if !slices.EqualFunc(got.Items, want.Items, func(a uuid.UUID, b sample) bool { return a == b.id }) || got.More != want.More {
				r.Fatalf("%+v\nfinds %v, %v", q, got.Items, got.More)
			}
			if remembered && q.Page.Number() == 30 && s.Taken() == begun {
				r.Fatalf("%+v is counted from the first row", q)
			}
			remembered = remembered || len(got.Items) > 0 && q.Page.Offset() > 0 && q.Page.Offset() < 29
		}
	})
}

// A page that is asked for again begins where it began, and one behind it is counted
// from there.
func TestAJumpIsCountedFromTheNearestPlace(t *testing.T) {
	is := is.New(t)
	s, _, id, list, _ := followed(t)
	s.SetDeep(40)
	me := uuid.New()
	for _, tt := range []struct {
		page   int64
		reader uuid.UUID
		begins bool
	}{
		{5, me, false},
		{5, me, true},          // again
		{9, me, true},          // from the end of the fifth
		{7, me, true},          // from there, not from the ninth
		{3, me, false},         // nothing is remembered before it
		{9, uuid.New(), false}, // another's places are not used
		{2, me, false},         // so few rows are counted
	} {
		before := s.Taken()
		_, err := list.Page(t.Context(), s.Store, id, query.Query{Page: query.NewPage(tt.page, 20), Reader: tt.reader})
		is.NoErr(err)
		is.Equal(s.Taken() > before, tt.begins)
	}
}

// Whatever comes and goes meanwhile, who follows the pages reads all rows that
// were there all along, each once, and none twice.
func TestFollowedPagesOfAListThatChanges(t *testing.T) {
	s, db, id, list, rows := followed(t)
	rapid.Check(t, func(r *rapid.T) {
		q := query.Query{Sort: anySort(r), Reader: uuid.New()}
		limit := rapid.IntRange(3, 40).Draw(r, "limit")
		stay := map[uuid.UUID]bool{}
		for _, row := range rows {
			stay[row.id] = true
		}
		seen := map[uuid.UUID]bool{}
		var gone, come []uuid.UUID
		for number := int64(1); ; number++ {
			q.Page = query.NewPage(number, limit)
			got, err := list.Page(t.Context(), s.Store, id, q)
			if err != nil {
				r.Fatalf("%v in %+v", err, q)
			}
			for _, row := range got.Items {
				if seen[row] {
					r.Fatalf("page %d of %+v: %s is there twice", number, q.Sort, row)
				}
				seen[row] = true
			}
			if !got.More {
				break
			}
			for range rapid.IntRange(0, 3).Draw(r, "goes") {
				row := rapid.SampledFrom(rows).Draw(r, "gone").id
				if rapid.Bool().Draw(r, "the last") {
					row = got.Items[len(got.Items)-1]
				}
				if slices.Contains(gone, row) || slices.Contains(come, row) {
					continue
				}
				move(t, db, `INSERT INTO samples_gone SELECT * FROM samples WHERE id = $1`, row)
				move(t, db, `DELETE FROM samples WHERE id = $1`, row)
				gone = append(gone, row)
				delete(stay, row)
			}
			for range rapid.IntRange(0, 3).Draw(r, "comes") {
				row := uuid.New()
				move(t, db, `INSERT INTO samples SELECT school_id, $1, name, name_fold, note, note_fold, code, ref, number, price, flag, day, at, until
					FROM samples WHERE id <> $1 ORDER BY id LIMIT 1 OFFSET `+rapid.SampledFrom([]string{"0", "5", "50", "100"}).Draw(r, "like"), row)
				come = append(come, row)
			}
		}
		for row := range stay {
			if !seen[row] {
				r.Fatalf("%s was there all along, and is on no page of %+v, limit %d", row, q.Sort, limit)
			}
		}
		for _, row := range come {
			move(t, db, `DELETE FROM samples WHERE id = $1`, row)
		}
		move(t, db, `INSERT INTO samples SELECT * FROM samples_gone WHERE id <> $1`, uuid.Nil)
		move(t, db, `DELETE FROM samples_gone WHERE id <> $1`, uuid.Nil)
	})
}

// followed gives a school with samples in a store whose places can be counted.
func followed(t *testing.T) (postgres.Follower, *sql.DB, school.ID, postgres.Listing, []sample) {
	t.Helper()
	s, db := freshStore(t)
	execute(t, db, sampleTable, sampleTags, `CREATE TABLE samples_gone (LIKE samples)`)
	id := newSchool(t, s)
	list := postgres.NewListing("samples", []string{"name", "note"},
		[]string{"code", "ref", "number", "price", "flag", "day", "at", "until"})
	return postgres.Follower{Store: s}, db, id, list, fill(t, db, id)
}

func move(t *testing.T, db *sql.DB, statement string, id uuid.UUID) {
	t.Helper()
	_, err := db.ExecContext(context.WithoutCancel(t.Context()), statement, id)
	is.New(t).NoErr(err)
}
