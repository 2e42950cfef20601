package teaching

import (
	"strconv"

	"lyceum/adapters/web"
	"lyceum/domain/course"
	"lyceum/domain/fault"
)

func (x *siteRequest) courseRemoval(c course.Summary) confirmation {
	path := "/courses/" + c.Permalink
	asked := confirmation{
		Title: x.tf("Remove %s?", c.Name), Text: x.t("The course and its activities are deleted."), Action: path + "/remove", Button: x.t("Remove"), Back: path,
	}
	switch {
	case c.EnrollmentsCount == 1:
		asked.Text += " " + x.t("1 learner is enrolled.")
	case c.EnrollmentsCount > 1:
		asked.Text += " " + x.tf("%s learners are enrolled.", strconv.FormatInt(c.EnrollmentsCount, 10))
	default:
		asked.Text += " " + x.t("No learner is enrolled.")
	}
	if !x.staff.IsOwner() {
		asked.Text += " " + x.t("Only an owner can remove a course with learner data.")
	} else {
		asked.Option = x.t("Also delete its learner data: enrollments, progress, answers and submissions")
	}
	return asked
}

func removeCourseForm(x *siteRequest) error {
	c, err := x.course()
	if err != nil {
		return err
	}
	if err := x.staff.CheckManages(); err != nil {
		return err
	}
	return x.confirm(x.courseRemoval(c))
}

func removeCourse(x *siteRequest) error {
	if err := x.AdmitWork(web.Change); err != nil {
		return err
	}
	c, err := x.course()
	if err != nil {
		return err
	}
	form, err := x.form()
	if err != nil {
		return err
	}
	force := form.Get("force") == "true"
	err = x.site.app.DeleteCourse(x.r.Context(), x.staff, c.ID, force)
	return x.settle(err, "/courses", func(problems ...string) error {
		if !force && fault.Is(err, fault.Conflict) {
			// The fault is about a parameter of the API.
			problems = []string{x.t("The course has learner data. Ask an owner of the school to remove it.")}
			if x.staff.IsOwner() {
				problems = []string{x.t("The course has learner data. Tick the box to delete the data too.")}
			}
		}
		return x.confirm(x.courseRemoval(c), problems...)
	})
}
