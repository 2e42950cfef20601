package app

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/text"
)

// group drafts a group with its courses and its people.
func (d *drafting) group(p GroupPlan) error {
	created := at(p.CreatedAt, d.now)
	g, err := group.New(group.ID{UUID: d.id(p.ID)}, p.Name, d.token(p.Token), created)
	key := text.Key(g.State().Name)
	if holder, ok := d.groupByName[key]; ok && err == nil {
		err = fault.Taken("name", group.Type, holder.UUID)
	}
	d.groupByName[key] = g.State().ID
	d.groups = append(d.groups, g)
	courses, errCourses := d.coursesOf(p.Courses)
	for _, c := range courses {
		d.held[g.State().ID] = append(d.held[g.State().ID], c.State().ID)
	}
	return fault.Join(err, errCourses,
		d.seats(g, "members", p.Members, membership.Member, courses, created),
		d.seats(g, "managers", p.Managers, membership.Manager, courses, created))
}

func (d *drafting) coursesOf(permalinks []string) ([]course.Course, error) {
	var courses []course.Course
	var errs []error
	for i, permalink := range permalinks {
		c, ok := d.courseBySlug[permalink]
		if !ok {
			errs = append(errs, fault.Invalidf(element("courses", i), "there is no course %q", permalink))
			continue
		}
		courses = append(courses, c)
	}
	return courses, fault.Join(errs...)
}

// seats drafts the memberships of one role, and the enrollments that follow.
func (d *drafting) seats(
	g group.Group, list string, emails []string, role membership.Role, courses []course.Course, created time.Time,
) error {
	var errs []error
	for i, email := range emails {
		who, ok := d.personByEmail[text.Key(email)]
		if !ok {
			errs = append(errs, fault.Invalidf(element(list, i), "there is nobody %q", email))
			continue
		}
		id := uuid.NewSHA1(who.State().ID.UUID, []byte("membership "+role.String()+" "+g.State().ID.String()))
		m, err := membership.Join(membership.ID{UUID: id}, who, g, role, created)
		errs = append(errs, fault.Within(element(list, i), err))
		d.memberships = append(d.memberships, m)
		if !role.Enrolls() {
			continue
		}
		for _, c := range courses {
			e, err := enrollment.Enroll(
				enrollment.ID{UUID: d.place(who, c, enrollment.Learner)}, who, c, enrollment.Learner, created)
			errs = append(errs, fault.Within(element(list, i), err))
			d.enroll(e)
		}
	}
	return fault.Join(errs...)
}
