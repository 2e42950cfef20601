package app

import (
	"fmt"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/attempt"
	"lyceum/domain/category"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/domain/text"
)

// draft is a blueprint turned into the domain's records, not yet kept.
type draft struct {
	categories   []category.Category
	coupons      []coupon.Coupon
	people       []person.Person
	partnerships []person.Partnership
	courses      []course.Course
	groups       []group.Group
	held         map[group.ID][]course.ID
	memberships  []membership.Membership
	enrollments  []enrollment.Enrollment
	quizzes      []quiz.Quiz
	assignments  []assignment.Assignment
	activities   []activity.Activity
	learned
}

// drafting is a draft in the making, with what later parts refer to.
type drafting struct {
	*Provision
	draft
	now            time.Time
	errs           []error
	categoryByName map[string]category.ID
	couponByCode   map[string]coupon.ID
	personByEmail  map[string]person.Person
	partnershipsOf map[person.ID][]person.PartnershipID
	courseBySlug   map[string]course.Course
	groupByName    map[string]group.ID

	quizByName        named[quiz.Quiz]
	quizByID          map[quiz.ID]quiz.Quiz
	assignmentByTitle named[assignment.Assignment]
	activityByTitle   map[course.ID]named[activity.State]
	activitiesOf      map[course.ID]int
	learners          map[learner]enrollment.Enrollment
	latest            map[learner]*attempt.Attempt
	completed         map[attempt.ID]map[activity.ID]bool
	runs              map[studied]*quizattempt.Attempt
	handedIn          map[studied]int
}

// draft returns the records of b, or all its faults, each with its place such
// as courses[2].categories[0].
func (u *Provision) draft(b Blueprint, now time.Time) (draft, error) {
	d := drafting{
		Provision: u, now: now, draft: draft{held: map[group.ID][]course.ID{}},
		couponByCode:   map[string]coupon.ID{},
		categoryByName: map[string]category.ID{}, personByEmail: map[string]person.Person{},
		partnershipsOf: map[person.ID][]person.PartnershipID{}, courseBySlug: map[string]course.Course{},
		groupByName: map[string]group.ID{},
		quizByName:  named[quiz.Quiz]{}, quizByID: map[quiz.ID]quiz.Quiz{},
		assignmentByTitle: named[assignment.Assignment]{}, activityByTitle: map[course.ID]named[activity.State]{},
		activitiesOf: map[course.ID]int{}, learners: map[learner]enrollment.Enrollment{},
		latest: map[learner]*attempt.Attempt{}, completed: map[attempt.ID]map[activity.ID]bool{},
		runs: map[studied]*quizattempt.Attempt{}, handedIn: map[studied]int{},
	}
	for i, p := range b.Categories {
		d.failed(element("categories", i), d.category(p))
	}
	for i, p := range b.Coupons {
		d.failed(element("coupons", i), d.coupon(p))
	}
	for i, p := range b.People {
		d.failed(element("people", i), d.person(p))
	}
	for i, p := range b.Quizzes {
		d.failed(element("quizzes", i), d.quiz(p))
	}
	for i, p := range b.Assignments {
		d.failed(element("assignments", i), d.assignment(p))
	}
	for i, p := range b.Courses {
		d.failed(element("courses", i), d.course(p))
	}
	for i, p := range b.Groups {
		d.failed(element("groups", i), d.group(p))
	}
	d.facts(b)
	return d.draft, fault.Join(d.errs...)
}

func (d *drafting) failed(place string, err error) {
	d.errs = append(d.errs, fault.Within(place, err))
}

func (d *drafting) category(p CategoryPlan) error {
	c, err := category.New(category.ID{UUID: d.id(p.ID)}, p.Name, at(p.CreatedAt, d.now))
	if err != nil {
		return err
	}
	key := text.Key(c.State().Name)
	if holder, ok := d.categoryByName[key]; ok {
		return fault.Taken("name", category.Type, holder.UUID)
	}
	d.categoryByName[key] = c.State().ID
	d.categories = append(d.categories, c)
	return nil
}

func (d *drafting) person(p PersonPlan) error {
	created := at(p.CreatedAt, d.now)
	who, err := person.New(person.ID{UUID: d.id(p.ID)}, p.Profile, created)
	if err != nil {
		return err
	}
	key := text.Key(who.State().Email)
	if holder, ok := d.personByEmail[key]; ok {
		return fault.Taken("email", person.Type, holder.State().ID.UUID)
	}
	if p.Activated {
		who.Activate(created)
	}
	d.personByEmail[key] = who
	d.people = append(d.people, who)
	id := who.State().ID
	for _, role := range p.Roles {
		part := person.Partnership{
			ID: person.PartnershipID{UUID: d.part(id, role)}, Person: id, Role: role, CreatedAt: created,
		}
		d.partnerships = append(d.partnerships, part)
		d.partnershipsOf[id] = append(d.partnershipsOf[id], part.ID)
	}
	return nil
}

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

// token returns the planned token of a link, or a new one where the plan has none.
func (d *drafting) token(planned string) string {
	if planned == "" {
		return d.newToken()
	}
	return planned
}

// part and place derive the ids of a partnership and an enrollment from what
// they join, so that a blueprint with ids of its own builds the same school
// each time.
func (d *drafting) part(p person.ID, role person.Role) uuid.UUID {
	return uuid.NewSHA1(p.UUID, []byte("partnership "+role.String()))
}

func (d *drafting) place(p person.Person, c course.Course, role enrollment.Role) uuid.UUID {
	return uuid.NewSHA1(p.State().ID.UUID, []byte("enrollment "+role.String()+" "+c.State().ID.String()))
}

// element names the element with the 0-based index i of a list.
func element(list string, i int) string { return fmt.Sprintf("%s[%d]", list, i) }
