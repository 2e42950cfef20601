package teaching

import (
	"net/http"

	"github.com/google/uuid"
	"lyceum/adapters/web"
	"lyceum/app"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/query"
)

// courseForm is the data of the forms that add and change a course.
type courseForm struct {
	Ref             string // ID of an existing course; blank: a new course
	Basis           basis
	Name, Permalink string
	Instructors     []related // nil: the person cannot change them
	Categories      []related // nil: the person cannot change them
	Properties      []propertyField
}

// related is a record that can be related to a course.
type related struct {
	ID, Name string
	Chosen   bool
}

func (x *siteRequest) renderCourseForm(f courseForm, problems ...string) error {
	status := http.StatusOK
	if len(problems) > 0 {
		status = http.StatusUnprocessableEntity
	}
	return x.render(status, "course-form", f, problems...)
}

// addRelated sets the instructors and the categories among which the form lets the person choose.
func (x *siteRequest) addRelated(f *courseForm, chosen map[string]bool) error {
	if !x.staff.Manages() {
		return nil
	}
	if err := x.AdmitWork(web.Read); err != nil { // a school can have thousands of categories
		return err
	}
	instructors, err := x.site.app.Instructors(x.r.Context(), x.staff)
	if err != nil {
		return err
	}
	for id, p := range instructors {
		f.Instructors = append(f.Instructors, related{id.String(), p.FullName(), chosen[id.String()]})
	}
	sortByName(f.Instructors)
	categories, err := x.site.app.Categories(x.r.Context(), x.staff, query.Query{Page: query.AllRows()})
	for _, c := range categories.Items {
		f.Categories = append(f.Categories, related{c.ID.String(), c.Name, chosen[c.ID.String()]})
	}
	sortByName(f.Categories)
	return err
}

func newCourseForm(x *siteRequest) error {
	if err := x.staff.CheckManages(); err != nil {
		return err
	}
	var f courseForm
	var err error
	if f.Properties, err = x.propertyFields(property.Courses, property.Values{}); err != nil {
		return err
	}
	if err := x.addRelated(&f, nil); err != nil {
		return err
	}
	x.keepForBack()
	return x.renderCourseForm(f)
}

// readCourseForm returns the form that was sent and the changes that it asks for.
func (x *siteRequest) readCourseForm() (f courseForm, e app.CourseChanges, err error) {
	form, err := x.form()
	if err != nil {
		return f, e, err
	}
	f.Name, f.Permalink = form.Get("name"), form.Get("permalink")
	e.Name = &f.Name
	if f.Permalink != "" {
		e.Permalink = &f.Permalink
	}
	if f.Properties, e.Properties, err = x.sentProperties(property.Courses, form); err != nil {
		return f, e, err
	}
	chosen := map[string]bool{}
	if x.staff.Manages() {
		e.Instructors = chosenIDs[person.PartnershipID](form["instructor"], chosen)
		e.Categories = chosenIDs[category.ID](form["category"], chosen)
	}
	return f, e, x.addRelated(&f, chosen)
}

// chosenIDs returns the IDs in fields of a form, and adds the fields to chosen.
func chosenIDs[ID ~struct{ uuid.UUID }](fields []string, chosen map[string]bool) *[]ID {
	ids := []ID{}
	for _, one := range fields {
		if id, ok := parseID(one); ok {
			ids = append(ids, ID{id})
			chosen[one] = true
		}
	}
	return &ids
}

func createCourse(x *siteRequest) error {
	f, e, err := x.readCourseForm()
	if err != nil {
		return err
	}
	made, err := x.site.app.CreateCourse(x.r.Context(), x.staff, x.sentForm(), e)
	return x.settle(err, "/courses/"+made.Permalink+"/builder", func(problems ...string) error { return x.renderCourseForm(f, problems...) })
}

func editCourseForm(x *siteRequest) error {
	c, err := x.course()
	if err != nil {
		return err
	}
	f, err := x.storedCourseForm(c.State)
	if err != nil {
		return err
	}
	return x.renderCourseForm(f)
}

// courseVersion returns the version of the attributes that the person can change.
func (x *siteRequest) courseVersion(c course.State) string {
	if !x.staff.Manages() {
		return versionOf(c.Name, c.Permalink, propertyValues(c.Properties))
	}
	return versionOf(c.Name, c.Permalink, propertyValues(c.Properties), c.Instructors, c.Categories)
}

// storedCourseForm returns the form that changes a course, with the stored values.
func (x *siteRequest) storedCourseForm(c course.State) (f courseForm, err error) {
	f, chosen := courseForm{Ref: c.ID.String(), Name: c.Name, Permalink: c.Permalink}, map[string]bool{}
	f.Basis.Version = x.courseVersion(c)
	for _, id := range c.Instructors {
		chosen[id.String()] = true
	}
	for _, id := range c.Categories {
		chosen[id.String()] = true
	}
	if f.Properties, err = x.propertyFields(property.Courses, c.Properties); err != nil {
		return f, err
	}
	return f, x.addRelated(&f, chosen)
}

// shown returns the values of the form.
func (f courseForm) shown(x *siteRequest) []shownValue {
	values := []shownValue{{x.t("Name"), f.Name}, {x.t("Permalink"), f.Permalink}}
	values = append(values, shownValue{x.t("Instructors"), chosenNames(f.Instructors)}, shownValue{x.t("Categories"), chosenNames(f.Categories)})
	return withProperties(values, f.Properties)
}

func editCourse(x *siteRequest) error {
	c, err := x.course()
	if err != nil {
		return err
	}
	f, e, err := x.readCourseForm()
	if err != nil {
		return err
	}
	f.Ref, f.Basis.Version = c.ID.String(), x.r.PostForm.Get(versionField)
	e.Check = unchanged(x.r.PostForm, x.courseVersion)
	changed, err := x.site.app.UpdateCourse(x.r.Context(), x.staff, c.ID, e)
	return x.settle(err, "/courses/"+changed.Permalink, func(problems ...string) error {
		if isStale(err) {
			if c, err = x.course(); err != nil {
				return err
			}
			stored, err := x.storedCourseForm(c.State)
			if err != nil {
				return err
			}
			f.Basis = staleBasis(stored.Basis.Version, "/courses/"+f.Ref+"/edit", stored.shown(x), f.shown(x))
		}
		return x.renderCourseForm(f, problems...)
	})
}

func enrollPerson(x *siteRequest) error {
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
	return x.afterCourseChange(err, c, x.addressForm(form, err, "course", c.ID.UUID))
}

func unenrollPerson(x *siteRequest) error {
	c, err := x.course()
	if err != nil {
		return err
	}
	p, err := x.id("person")
	if err != nil {
		return err
	}
	return x.afterCourseChange(x.site.app.Unenroll(x.r.Context(), x.staff, c.ID, person.ID{UUID: p}), c, addressForm{})
}

func (x *siteRequest) afterCourseChange(err error, c course.Summary, enroll addressForm) error {
	return x.settle(err, "/courses/"+c.Permalink, func(problems ...string) error {
		return x.renderCourse(http.StatusUnprocessableEntity, c, enroll, problems...)
	})
}
