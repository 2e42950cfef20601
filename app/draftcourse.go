package app

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/activity"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/text"
)

// course drafts a course with its activities and those who learn or manage it.
func (d *drafting) course(p CoursePlan) error {
	permalink := p.Permalink
	if permalink == "" {
		permalink = text.Slugify(p.Name)
	}
	created := at(p.CreatedAt, d.now)
	c, err := course.New(course.ID{UUID: d.id(p.ID)}, p.Name, permalink, d.token(p.Token), created)
	if holder, ok := d.courseBySlug[permalink]; ok && err == nil {
		err = fault.Taken("permalink", course.Type, holder.State().ID.UUID)
	}
	categories, errCategories := d.categoriesOf(p.Categories)
	instructors, errInstructors := d.instructorsOf(p.Instructors)
	c.File(categories...)
	c.Staff(instructors...)
	d.courseBySlug[permalink] = c
	d.courses = append(d.courses, c)
	return fault.Join(err, errCategories, errInstructors, d.activitiesIn(c, p.Activities), d.places(c, p.Places, created))
}

func (d *drafting) activitiesIn(c course.Course, plans []ActivityPlan) error {
	d.activityByTitle[c.State().ID] = named[activity.State]{}
	d.keysOf[c.State().ID] = map[string]bool{}
	errs := make([]error, len(plans))
	for i, p := range plans {
		errs[i] = fault.Within(element("activities", i), d.activity(c, p))
	}
	return fault.Join(errs...)
}

func (d *drafting) categoriesOf(names []string) ([]category.ID, error) {
	var ids []category.ID
	var errs []error
	for i, name := range names {
		id, ok := d.categoryByName[text.Key(name)]
		if !ok {
			errs = append(errs, fault.Invalidf(element("categories", i), "there is no category %q", name))
			continue
		}
		ids = append(ids, id)
	}
	return ids, fault.Join(errs...)
}

func (d *drafting) instructorsOf(emails []string) ([]person.PartnershipID, error) {
	var ids []person.PartnershipID
	var errs []error
	for i, email := range emails {
		who, ok := d.personByEmail[text.Key(email)]
		parts := d.partnershipsOf[who.State().ID]
		if !ok || len(parts) == 0 {
			errs = append(errs, fault.Invalidf(element("instructors", i), "there is nobody %q with a role", email))
			continue
		}
		ids = append(ids, parts[0])
	}
	return ids, fault.Join(errs...)
}

func (d *drafting) places(c course.Course, places []PlacePlan, created time.Time) error {
	errs := make([]error, len(places))
	for i, p := range places {
		who, ok := d.personByEmail[text.Key(p.Email)]
		if !ok {
			errs[i] = fault.Invalidf(element("places", i), "there is nobody %q", p.Email)
			continue
		}
		e, err := enrollment.Enroll(enrollment.ID{UUID: d.place(who, c, p.Role)}, who, c, p.Role, created)
		errs[i] = fault.Within(element("places", i), err)
		d.enroll(e)
	}
	return fault.Join(errs...)
}

// enroll drafts an enrollment; of two alike the first counts.
func (d *drafting) enroll(e enrollment.Enrollment) {
	d.enrollments = append(d.enrollments, e)
	id := learner{e.Person, e.Course}
	if _, ok := d.learners[id]; !ok && e.Role == enrollment.Learner {
		d.learners[id] = e
	}
}

// place derives the id of an enrollment from what it joins, like part.
func (d *drafting) place(p person.Person, c course.Course, role enrollment.Role) uuid.UUID {
	return uuid.NewSHA1(p.State().ID.UUID, []byte("enrollment "+role.String()+" "+c.State().ID.String()))
}
