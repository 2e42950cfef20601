package postgres_test

import (
	"context"
	"fmt"
	"math/big"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/domain/query"
)

// A page contains the state before or after the removal of a course, never a mixture, even if the
// removal begins and deletes records while the page is read.
func TestPageWhileARemovalBegins(t *testing.T) {
	counts := func(q query.Query) func(context.Context, lists) (string, error) {
		return func(ctx context.Context, list lists) (string, error) {
			found, err := list.people(ctx, q)
			text := fmt.Sprint(found.More)
			for _, p := range found.Items {
				text += fmt.Sprint(" ", p.ID, " ", p.CourseCount)
			}
			return text, err
		}
	}
	attr := person.Schema.Attr("course_count")
	withCount := func(n int64) query.Query {
		return query.Query{Where: query.Cond{Attr: attr, Op: query.Eq, Values: []query.Value{{Int: n, Num: big.NewRat(n, 1)}}}}
	}
	for _, tt := range []struct {
		name, table string
		pages       func(ctx context.Context, list lists) (string, error)
	}{
		{"enrollments", "enrollments", func(ctx context.Context, list lists) (string, error) {
			found, err := list.enrollments(ctx, query.Query{Page: query.NewPage(2, 2)})
			text := fmt.Sprint(found.More)
			for _, e := range found.Items {
				text += " " + e.ID.String()
			}
			return text, err
		}},
		{"people by their courses", "people", counts(query.Query{Sort: []query.Order{{Attr: attr, Desc: true}}})},
		{"people of page 2", "people", counts(query.Query{Page: query.NewPage(2, 2)})},
		{"people in two courses", "people", counts(withCount(2))},
		{"people in no course, who are none before", "people", counts(withCount(0))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s, db := freshStore(t)
			id := newSchool(t, s)
			people, courses := class(t, s, id, 3, 2)
			var all []enrollment.Enrollment
			for _, p := range people {
				all = append(all, learner(p, courses[0]), learner(p, courses[1]))
			}
			is.NoErr(enroll(t.Context(), s, id, all[:5]...)) // so that the people differ in the number of courses
			reader := lists{s.Read(id).Enrollments.List, s.Read(id).People.List}
			before, err := tt.pages(t.Context(), reader)
			is.NoErr(err)

			removal := begin(t, db)
			_, err = removal.ExecContext(t.Context(), `LOCK TABLE `+tt.table)
			is.NoErr(err)
			type answer struct {
				page string
				err  error
			}
			answered := make(chan answer, 1)
			go func() {
				page, err := tt.pages(t.Context(), reader)
				answered <- answer{page, err}
			}()
			untilBlocked(t, db)
			_, err = removal.ExecContext(t.Context(), `UPDATE all_courses SET removed_at = now() WHERE id = $1`, courses[0].UUID)
			is.NoErr(err)
			_, err = removal.ExecContext(t.Context(), `DELETE FROM enrollments WHERE course_id = $1 AND person_id = $2`,
				courses[0].UUID, people[0].UUID)
			is.NoErr(err)
			is.NoErr(removal.Commit())
			got := <-answered
			is.NoErr(got.err)
			after, err := tt.pages(t.Context(), reader)
			is.NoErr(err)
			is.True(before != after)
			if got.page != before && got.page != after {
				t.Errorf("the page is\n%s\nbefore it was\n%s\nafterwards\n%s", got.page, before, after)
			}
		})
	}
}

// lists contains the List methods of two readers of a school.
type lists struct {
	enrollments func(context.Context, query.Query) (query.Result[enrollment.Summary], error)
	people      func(context.Context, query.Query) (query.Result[person.Summary], error)
}
