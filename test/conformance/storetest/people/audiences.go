package people

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// Audiences tests the lists that are restricted to what people and groups belong to.
func Audiences(t *testing.T, b fixture.Backend) {
	t.Run("ListAudience returns the people of courses and groups, once each, in any role", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		ada, alan, eve := w.AddPerson("ada@example.test").ID, w.AddPerson("alan@example.test").ID, w.AddPerson("eve@example.test").ID
		w.AddPerson("zoe@example.test")
		drawing, singing, empty := w.AddCourse("Drawing").ID, w.AddCourse("Singing").ID, w.AddCourse("Empty").ID
		painters, singers := w.AddGroup("Painters").ID, w.AddGroup("Singers").ID
		w.Enroll(ada, drawing, enrollment.Learner)
		w.Enroll(ada, singing, enrollment.Learner)
		w.Enroll(alan, drawing, enrollment.Manager)
		w.Enroll(eve, singing, enrollment.Learner)
		w.AddMembership(ada, painters, membership.Member)
		w.AddMembership(eve, painters, membership.Manager)
		w.AddMembership(alan, singers, membership.Member)
		for _, tt := range []struct {
			name string
			in   ports.Audience
			want []string
		}{
			{"no restriction", ports.Audience{}, []string{"ada", "alan", "eve", "zoe"}},
			{"no course", ports.Audience{Courses: []course.ID{}}, nil},
			{"no group", ports.Audience{Groups: []group.ID{}}, nil},
			{"a course", ports.Audience{Courses: []course.ID{drawing}}, []string{"ada", "alan"}},
			{"two courses", ports.Audience{Courses: []course.ID{drawing, singing}}, []string{"ada", "alan", "eve"}},
			{"a course without people", ports.Audience{Courses: []course.ID{empty}}, nil},
			{"a group", ports.Audience{Groups: []group.ID{painters}}, []string{"ada", "eve"}},
			{"a course and a group", ports.Audience{Courses: []course.ID{singing}, Groups: []group.ID{painters}}, []string{"ada", "eve"}},
		} {
			t.Run(tt.name, func(t *testing.T) {
				is, w := is.New(t), w.WithT(t)
				byEmail := query.Query{Sort: []query.Order{{Attr: person.Schema.Attr("email")}}, Page: query.AllRows()}
				read, err := w.Read().People.ListAudience(w.Context(), tt.in, byEmail)
				is.NoErr(err)
				var inTx query.Result[person.Summary]
				w.Do(func(ctx context.Context, tx ports.Tx) (err error) {
					inTx, err = tx.People.ListAudience(ctx, tt.in, byEmail)
					return err
				})
				is.Equal(localParts(read.Items), tt.want)
				is.Equal(localParts(inTx.Items), tt.want)
			})
		}

		t.Run("a page of it", func(t *testing.T) {
			is, w := is.New(t), w.WithT(t)
			q := query.Query{
				Where: query.Cond{Attr: person.Schema.Attr("course_count"), Op: query.Gt, Values: []query.Value{{Int: 0}}},
				Sort:  []query.Order{{Attr: person.Schema.Attr("email"), Desc: true}}, Page: query.NewPage(1, 1), Count: true,
			}
			got, err := w.Read().People.ListAudience(w.Context(), ports.Audience{Courses: []course.ID{drawing, singing}}, q)
			is.NoErr(err)
			is.Equal(localParts(got.Items), []string{"eve"})
			is.Equal(got.Total, int64(2)) // not the manager
			is.True(got.More)
		})
	})

	t.Run("ListWithCourses returns the groups that have one of the courses, once each", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		drawing, singing, empty := w.AddCourse("Drawing").ID, w.AddCourse("Singing").ID, w.AddCourse("Empty").ID
		w.AddGroup("Both", drawing, singing)
		w.AddGroup("Neither")
		w.AddGroup("Singers", singing)
		for _, tt := range []struct {
			name    string
			courses []course.ID
			want    []string
		}{
			{"one", []course.ID{drawing}, []string{"Both"}},
			{"two", []course.ID{drawing, singing}, []string{"Both", "Singers"}},
			{"without a group", []course.ID{empty}, nil},
			{"none", nil, nil},
		} {
			t.Run(tt.name, func(t *testing.T) {
				is, w := is.New(t), w.WithT(t)
				read, err := w.Read().Groups.ListWithCourses(w.Context(), tt.courses, query.Query{Page: query.AllRows()})
				is.NoErr(err)
				var inTx query.Result[group.Summary]
				w.Do(func(ctx context.Context, tx ports.Tx) (err error) {
					inTx, err = tx.Groups.ListWithCourses(ctx, tt.courses, query.Query{Page: query.AllRows()})
					return err
				})
				is.Equal(names(read.Items), tt.want)
				is.Equal(names(inTx.Items), tt.want)
			})
		}
	})
}

// localParts returns the part of each email address before the domain.
func localParts(people []person.Summary) (parts []string) {
	for _, p := range people {
		parts = append(parts, p.Email[:len(p.Email)-len("@example.test")])
	}
	return parts
}

func names(groups []group.Summary) (names []string) {
	for _, g := range groups {
		names = append(names, g.Name)
	}
	return names
}
