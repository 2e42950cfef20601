package teaching_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/matryer/is"
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
