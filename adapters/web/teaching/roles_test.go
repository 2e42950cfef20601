package teaching_test

import (
	"net/http"
	"net/url"
	"strings"
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

// An instructor cannot enroll owners and managers to read their data, and sees no properties of
// people.
func TestInstructorCannotEnrollManagement(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b, byManager, names := s.as(t, instructor), s.as(t, manager), s.records(t)
		enroll := func(b *browser, email string) page { return b.post(ownCourse+"/learners", "email", email) }
		for role, email := range map[string]string{"owner": owner, "manager": manager} {
			link := names.Replace("/people/{" + role + "}")
			refused, unknown := enroll(b, email), enroll(b, "none@example.test")
			is.Equal(refused.status, http.StatusUnprocessableEntity)
			is.True(unknown.has("The school has no person with this email address"))
			is.True(strings.ReplaceAll(refused.body, email, "none@example.test") == unknown.body)
			is.Equal(b.get(link).status, http.StatusNotFound)
			is.Equal(enroll(byManager, email).status, http.StatusOK)
			is.Equal(b.get(link).status, http.StatusOK)
			again := b.post(link+"/courses", "course", names.Replace("{own course}"))
			is.Equal(again.status, http.StatusUnprocessableEntity)
			is.True(again.has("Only an owner or a manager of the school can enroll owners and managers"))
		}
		link := names.Replace("/people/{learner}")
		is.Equal(byManager.post(link+"/edit", "email", learner, "properties.department", "Support").status, http.StatusOK)
		is.Equal(enroll(b, learner).status, http.StatusOK)
		is.True(byManager.get(link).has("Support"))
		is.True(b.get(link).has(learner) && !b.get(link).has("Support"))
		is.Equal(b.get("/people?filter[properties.department][eq]=Support").status, http.StatusBadRequest)
		for _, hidden := range []string{"filter[custom_avatar_url][cont]=a", "filter[unsubscribed][eq]=true"} {
			is.Equal(b.get("/people?"+hidden).status, http.StatusBadRequest)
			is.Equal(byManager.get("/people?"+hidden).status, http.StatusOK)
		}
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
