package web

import (
	"net/http"

	"lyceum/app"
)

// manyCourses is the number of courses above which the list of a visitor's courses is a large
// document.
const manyCourses = 100

// ownCourses shows the courses in which the visitor is enrolled.
func ownCourses(x *siteRequest) error {
	if x.visitor.Person.CourseCount > manyCourses {
		if err := x.site.cfg.Admission.AdmitWork(x.r.Context(), x.school.ID, Read); err != nil {
			return err
		}
	}
	courses, err := x.site.app.Academy.Courses(x.r.Context(), *x.visitor)
	if err != nil {
		return err
	}
	cards := make([]courseCard, len(courses))
	for i, c := range courses {
		cards[i] = courseCard{ID: c.Course.ID.String(), Name: c.Course.Name, Percent: wholePercent(c.Progress)}
	}
	return x.render(http.StatusOK, "courses", cards)
}

// courseCard is a course in the list of the visitor's courses.
type courseCard struct {
	ID, Name string
	Percent  string // progress from 0 to 100
}

// coverPage shows the cover of a course: its name and its activities.
func coverPage(x *siteRequest) error {
	// Visitors without a session can request covers of thousands of activities, and all of them
	// share the slots for renderings.
	var c app.CoverOf
	err := x.rendered(func() (err error) {
		c, err = x.site.app.Academy.Cover(x.r.Context(), x.school, x.visitor, x.r.PathValue("permalink"))
		return err
	})
	if err != nil {
		return err
	}
	titles := make([]string, len(c.Activities))
	for i, a := range c.Activities {
		titles[i] = a.Title
	}
	data := cover{Name: c.Course.Name, ID: c.Course.ID.String(), Enrolled: c.Enrolled, Activities: titles}
	if x.visitor == nil {
		data.SignIn = signInPath(x.here())
	}
	return x.render(http.StatusOK, "cover", data)
}

// cover is the data of the cover of a course.
type cover struct {
	Name, ID   string
	Enrolled   bool
	SignIn     string   // path of the sign-in page; blank: the visitor is signed in
	Activities []string // titles, in the order of the course
}
