package app

import (
	"fmt"
	"time"

	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/attempt"
	"lyceum/domain/category"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/invitation"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/domain/redemption"
	"lyceum/domain/text"
)

// draft is a blueprint turned into the domain's records, not yet kept.
type draft struct {
	categories   []category.Category
	coupons      []coupon.Coupon
	redemptions  []redemption.Redemption
	people       []person.Person
	invitations  []invitation.Invitation
	links        []invitation.Link // of a school that is yet to be told
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
	keysOf            map[course.ID]map[string]bool // of its activities
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
		activitiesOf: map[course.ID]int{}, keysOf: map[course.ID]map[string]bool{}, learners: map[learner]enrollment.Enrollment{},
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
	for i, p := range b.Coupons {
		d.redeemed(element("coupons", i), p)
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

// token returns the planned token of a link, or a new one where the plan has none.
func (d *drafting) token(planned string) string {
	if planned == "" {
		return d.newToken()
	}
	return planned
}

// element names the element with the 0-based index i of a list.
func element(list string, i int) string { return fmt.Sprintf("%s[%d]", list, i) }
