package teaching_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/app"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/test/kit/stores"
)

// A visitor who is not signed in must sign in first, and then returns to the page.
func TestSignInLeadsBack(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b := s.browser(t)
		for _, path := range []string{"", "/people?role=owner", ownCourse, ownCourse + "/builder", "/nothing"} {
			p := b.get(path)
			is.Equal(p.status, http.StatusOK)
			is.Equal(p.path, s.academy+"/sign-in?return="+url.QueryEscape("/app"+path))
		}
		b = s.as(t, owner)
		is.Equal(b.send(http.MethodGet, s.academy+"/app"+ownCourse, nil, "", "").path, ownCourse)
		is.Equal(b.send(http.MethodGet, s.academy, nil, "", "").path, "")                                  // staff start in the app
		is.Equal(s.as(t, learner).send(http.MethodGet, s.academy, nil, "", "").path, s.academy+"/courses") // learners do not
	})
}

// An instructor sees only their own courses and the people who are enrolled in them.
func TestInstructorSeesOwnCourses(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b := s.as(t, instructor)
		list := b.get("/courses")
		is.True(list.has("Seeing Light"))
		is.True(!list.has("Songwriting Workshop"))
		is.True(!b.get("").has("Songwriting Workshop"))
		is.True(!b.get("/people").has(owner)) // not enrolled in a course of the instructor
		is.True(s.as(t, owner).get("/people").has(owner))
	})
}

// The page of a group shows an instructor only the people who are enrolled in their courses.
func TestInstructorSeesOwnMembers(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		ctx, a, name := t.Context(), app.SystemActor(demo.SchoolID), "Evening class"
		g, err := s.Groups.Create(ctx, a, group.Changes{Name: &name})
		is.NoErr(err)
		own, err := s.Courses.Get(ctx, a, "seeing-light")
		is.NoErr(err)
		is.NoErr(s.Groups.AddCourses(ctx, a, g.ID, []course.ID{own.ID}))
		path := "/groups/" + g.ID.String()
		is.True(s.as(t, instructor).get(path).has("No members in your courses."))
		var people []string // links to a person who is enrolled, one who left the course, and a manager of the group
		for i, address := range []string{"in@example.test", "left@example.test", "managing@example.test"} {
			p, err := s.People.Create(ctx, a, person.Profile{Email: address})
			is.NoErr(err)
			people = append(people, "/people/"+p.ID.String())
			if i == 2 {
				is.NoErr(s.Memberships.AddManagers(ctx, a, g.ID, []person.ID{p.ID}))
				continue
			}
			is.NoErr(s.Memberships.AddPeople(ctx, a, g.ID, []person.ID{p.ID}))
			if i == 1 {
				is.NoErr(s.Enrollments.RemovePeople(enrollment.Learner)(ctx, a, own.ID, []person.ID{p.ID}))
			}
		}
		for _, tt := range []struct {
			email, count string
			seen         []bool
		}{
			{instructor, "<dt>All members</dt><dd>2</dd>", []bool{true, false, false}},
			{manager, "<dt>Members</dt><dd>2</dd>", []bool{true, true, true}},
		} {
			p := s.as(t, tt.email).get(path)
			is.Equal(p.status, http.StatusOK)
			is.True(p.has(tt.count))
			is.True(!p.has("No name"))
			for i, link := range people {
				is.Equal(p.has(link), tt.seen[i])
			}
		}
	})
}
