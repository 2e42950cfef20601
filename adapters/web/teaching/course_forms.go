package teaching

import (
	"net/http"

	"lyceum/adapters/web"
	"lyceum/app"
	"lyceum/domain/course"
	"lyceum/domain/person"
)

// courseForm is the data of the forms that add and change a course.
type courseForm struct {
	Ref             string // permalink of an existing course; blank: a new course
	Name, Permalink string
	Instructors     []instructorChoice // nil: the person cannot change them
}

type instructorChoice struct {
	ID, Name string
	Chosen   bool
}

func (x *exchange) renderCourseForm(f courseForm, problems ...string) error {
	status := http.StatusOK
	if len(problems) > 0 {
		status = http.StatusUnprocessableEntity
	}
	return x.render(status, "course-form", f, problems...)
}

// addInstructors sets the instructors among whom the form lets the person choose.
func (x *exchange) addInstructors(f *courseForm, chosen map[string]bool) error {
	if !x.staff.Manages() {
		return nil
	}
	found, err := x.site.app.Instructors(x.r.Context(), x.staff)
	for id, p := range found {
		f.Instructors = append(f.Instructors, instructorChoice{id.String(), p.FullName(), chosen[id.String()]})
	}
	sortByName(f.Instructors)
	return err
}

func newCourseForm(x *exchange) error {
	if err := x.staff.CheckManages(); err != nil {
		return err
	}
	var f courseForm
	if err := x.addInstructors(&f, nil); err != nil {
		return err
	}
	return x.renderCourseForm(f)
}

// readCourseForm returns the form that was sent and the changes that it asks for.
func (x *exchange) readCourseForm() (f courseForm, e app.CourseChanges, err error) {
	form, err := x.form()
	if err != nil {
		return f, e, err
	}
	f.Name, f.Permalink = form.Get("name"), form.Get("permalink")
	e.Name = &f.Name
	if f.Permalink != "" {
		e.Permalink = &f.Permalink
	}
	chosen := map[string]bool{}
	if x.staff.Manages() {
		instructors := []person.PartnershipID{}
		for _, one := range form["instructor"] {
			if id, ok := parseID(one); ok {
				instructors = append(instructors, person.PartnershipID{UUID: id})
				chosen[one] = true
			}
		}
		e.Instructors = &instructors
	}
	return f, e, x.addInstructors(&f, chosen)
}

func createCourse(x *exchange) error {
	f, e, err := x.readCourseForm()
	if err != nil {
		return err
	}
	made, err := x.site.app.CreateCourse(x.r.Context(), x.staff, e)
	return x.settle(err, "/courses/"+made.Permalink+"/builder", func(problems ...string) error { return x.renderCourseForm(f, problems...) })
}

func editCourseForm(x *exchange) error {
	c, err := x.course()
	if err != nil {
		return err
	}
	f, chosen := courseForm{Ref: c.Permalink, Name: c.Name, Permalink: c.Permalink}, map[string]bool{}
	for _, id := range c.Instructors {
		chosen[id.String()] = true
	}
	if err := x.addInstructors(&f, chosen); err != nil {
		return err
	}
	return x.renderCourseForm(f)
}

func editCourse(x *exchange) error {
	c, err := x.course()
	if err != nil {
		return err
	}
	f, e, err := x.readCourseForm()
	if err != nil {
		return err
	}
	f.Ref = c.Permalink
	changed, err := x.site.app.UpdateCourse(x.r.Context(), x.staff, c.ID, e)
	return x.settle(err, "/courses/"+changed.Permalink, func(problems ...string) error { return x.renderCourseForm(f, problems...) })
}

func (x *exchange) courseRemoval(c course.Summary) confirmation {
	path := "/courses/" + c.Permalink
	return confirmation{
		Title: x.tf("Remove %s?", c.Name), Text: x.t("The course and its activities are deleted. A course with learner data cannot be removed here."),
		Action: path + "/remove", Button: x.t("Remove"), Back: path,
	}
}

func removeCourseForm(x *exchange) error {
	c, err := x.course()
	if err != nil {
		return err
	}
	if err := x.staff.CheckManages(); err != nil {
		return err
	}
	return x.confirm(x.courseRemoval(c))
}

func removeCourse(x *exchange) error {
	if err := x.AdmitWork(web.Change); err != nil {
		return err
	}
	c, err := x.course()
	if err != nil {
		return err
	}
	err = x.site.app.DeleteCourse(x.r.Context(), x.staff, c.ID)
	return x.settle(err, "/courses", func(problems ...string) error { return x.confirm(x.courseRemoval(c), problems...) })
}

func enrollPerson(x *exchange) error {
	c, err := x.course()
	if err != nil {
		return err
	}
	form, err := x.form()
	if err != nil {
		return err
	}
	p, err := x.site.app.PersonByEmail(x.r.Context(), x.staff, form.Get("email"))
	if err == nil {
		err = x.site.app.Enroll(x.r.Context(), x.staff, c.ID, p.ID)
	}
	return x.afterCourseChange(err, c)
}

func unenrollPerson(x *exchange) error {
	c, err := x.course()
	if err != nil {
		return err
	}
	p, err := x.id("person")
	if err != nil {
		return err
	}
	return x.afterCourseChange(x.site.app.Unenroll(x.r.Context(), x.staff, c.ID, person.ID{UUID: p}), c)
}

func (x *exchange) afterCourseChange(err error, c course.Summary) error {
	return x.settle(err, "/courses/"+c.Permalink, func(problems ...string) error {
		return x.renderCourse(http.StatusUnprocessableEntity, c, problems...)
	})
}
