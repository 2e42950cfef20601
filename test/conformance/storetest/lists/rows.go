package lists

import (
	"context"
	"fmt"
	"math/rand/v2"

	"lyceum/domain/category"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/text"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// writeCategories adds a category for each text. It skips a text if an earlier text has the same
// unique key.
func writeCategories(s fixture.Tenant, rnd *rand.Rand, texts []string) []category.State {
	s.T.Helper()
	var rows []category.State
	names := map[string]bool{}
	for _, name := range texts {
		if key := text.UniqueKey(name); !names[key] {
			names[key] = true
			rows = append(rows, category.State{
				ID: category.ID{UUID: randomID(rnd)}, Name: name, CreatedAt: fixture.Pick(rnd, moments), UpdatedAt: fixture.Pick(rnd, moments),
			})
		}
	}
	s.Do(func(ctx context.Context, tx ports.Tx) error {
		for _, row := range rows {
			if err := tx.Categories.Add(ctx, category.Restore(row)); err != nil {
				return err
			}
		}
		return nil
	})
	return rows
}

// writeCoupons adds a coupon for each text. It skips a text if an earlier text has the same unique
// key.
func writeCoupons(s fixture.Tenant, rnd *rand.Rand, texts []string) []coupon.State {
	s.T.Helper()
	var rows []coupon.State
	codes := map[string]bool{}
	for _, code := range texts {
		key := text.UniqueKey(code)
		if codes[key] {
			continue
		}
		codes[key] = true
		row := coupon.State{
			ID: coupon.ID{UUID: randomID(rnd)}, Code: code, Currency: fixture.Pick(rnd, []string{"EUR", "USD", "JPY"}),
			Enabled: rnd.IntN(2) == 0, StartOn: fixture.DayOf(fixture.Pick(rnd, moments)), EndOn: maybe(rnd, moments),
			Format: fixture.Pick(rnd, []coupon.Format{coupon.Fixed, coupon.Percentage}), Value: s.Amount(fixture.Pick(rnd, Amounts)),
			UsagesCount: rnd.Int64N(4), MaximumUsages: 3 + rnd.Int64N(4),
			CreatedAt: fixture.Pick(rnd, moments), UpdatedAt: fixture.Pick(rnd, moments),
		}
		if row.EndOn != nil {
			*row.EndOn = fixture.DayOf(*row.EndOn)
		}
		rows = append(rows, row)
	}
	s.Do(func(ctx context.Context, tx ports.Tx) error {
		for _, row := range rows {
			if err := tx.Coupons.Add(ctx, coupon.Restore(row)); err != nil {
				return err
			}
		}
		return nil
	})
	return rows
}

// writeCourses adds a course for each text. Some courses have categories, instructors and
// enrollments.
func writeCourses(s fixture.Tenant, rnd *rand.Rand, texts []string) []course.Summary {
	s.T.Helper()
	all := newPeopleFixture(s)
	var rows []course.Summary
	var enrolled []enrollment.Enrollment
	for i, name := range texts {
		row := course.Summary{State: course.State{
			ID: course.ID{UUID: randomID(rnd)}, Name: name, Permalink: fmt.Sprintf("%c-%d", 'a'+rnd.IntN(5), i),
			EnrollToken: fmt.Sprintf("%040x", rnd.Uint64()),
			Categories:  Sample(rnd, all.categories), Instructors: Sample(rnd, all.partnerships),
			CreatedAt: fixture.Pick(rnd, moments), UpdatedAt: fixture.Pick(rnd, moments),
		}}
		row.Properties = randomProperties(rnd, texts)
		for _, p := range Sample(rnd, all.people) {
			enrolled = append(enrolled, s.NewEnrollment(p, row.ID, enrollment.Learner))
			row.EnrollmentsCount++
		}
		for _, p := range Sample(rnd, all.people) {
			enrolled = append(enrolled, s.NewEnrollment(p, row.ID, enrollment.Manager))
		}
		rows = append(rows, row)
	}
	s.Do(func(ctx context.Context, tx ports.Tx) error {
		for _, row := range rows {
			if err := tx.Courses.Add(ctx, course.Restore(row.State)); err != nil {
				return err
			}
		}
		return fixture.Second(tx.Enrollments.AddIfAbsent(ctx, enrolled))
	})
	return rows
}

// writePeople adds a person for every two texts. Some people have partnerships, are enrolled in
// courses or belong to groups.
func writePeople(s fixture.Tenant, rnd *rand.Rand, texts []string) []person.Summary {
	s.T.Helper()
	var courses []course.ID
	var groups []group.ID
	for i := range 4 {
		courses = append(courses, s.AddCourse(fmt.Sprintf("Setting %d", i)).ID)
		groups = append(groups, s.AddGroup(fmt.Sprintf("Setting %d", i)).ID)
	}
	var rows []person.Summary
	var parts []person.Partnership
	var enrolled []enrollment.Enrollment
	var memberships []membership.Membership
	for i := 1; i < len(texts); i += 2 {
		one, other := texts[i-1], texts[i]
		row := person.Summary{State: person.State{
			ID: person.ID{UUID: randomID(rnd)}, Email: fmt.Sprintf("%s.%d@Example.test", fixture.FirstOf(one, 40), i),
			FirstName: one, LastName: other,
			AvatarURL: maybe(rnd, texts), ActivatedAt: maybe(rnd, moments), Unsubscribed: rnd.IntN(2) == 0,
			CreatedAt: fixture.Pick(rnd, moments), UpdatedAt: fixture.Pick(rnd, moments),
		}}
		row.Properties = randomProperties(rnd, texts)
		switch rnd.IntN(6) {
		case 0:
			row.FirstName = ""
		case 1:
			row.LastName = ""
		case 2:
			row.FirstName, row.LastName = "", "" // full_name is then the email address
		}
		for _, role := range Sample(rnd, []person.Role{person.Owner, person.Manager, person.Instructor}) {
			p := s.NewPartner(row.ID, role)
			parts, row.Partnerships = append(parts, p), append(row.Partnerships, p.ID)
		}
		for _, c := range Sample(rnd, courses) {
			enrolled = append(enrolled, s.NewEnrollment(row.ID, c, enrollment.Learner))
			row.CourseCount++
		}
		for _, c := range Sample(rnd, courses) {
			enrolled = append(enrolled, s.NewEnrollment(row.ID, c, enrollment.Manager))
		}
		for _, g := range Sample(rnd, groups) {
			memberships = append(memberships, s.NewMembership(row.ID, g, membership.Member))
			row.GroupCount++
		}
		for _, g := range Sample(rnd, groups) {
			memberships = append(memberships, s.NewMembership(row.ID, g, membership.Manager))
		}
		rows = append(rows, row)
	}
	s.Do(func(ctx context.Context, tx ports.Tx) error {
		for _, row := range rows {
			if err := tx.People.Add(ctx, person.Restore(row.State)); err != nil {
				return err
			}
		}
		for _, p := range parts {
			if _, err := tx.Partnerships.AddIfAbsent(ctx, p); err != nil {
				return err
			}
		}
		if _, err := tx.Memberships.AddIfAbsent(ctx, memberships); err != nil {
			return err
		}
		return fixture.Second(tx.Enrollments.AddIfAbsent(ctx, enrolled))
	})
	return rows
}

// writeGroups adds a group for each text. It skips a text if an earlier text has the same unique
// key. Some groups have members and managers.
func writeGroups(s fixture.Tenant, rnd *rand.Rand, texts []string) []group.Summary {
	s.T.Helper()
	all := newPeopleFixture(s)
	var rows []group.Summary
	var memberships []membership.Membership
	names := map[string]bool{}
	for _, name := range texts {
		key := text.UniqueKey(name)
		if names[key] {
			continue
		}
		names[key] = true
		row := group.Summary{State: group.State{
			ID: group.ID{UUID: randomID(rnd)}, Name: name, EnrollToken: fmt.Sprintf("%040x", rnd.Uint64()),
			CreatedAt: fixture.Pick(rnd, moments), UpdatedAt: fixture.Pick(rnd, moments),
		}}
		row.Properties = randomProperties(rnd, texts)
		for _, p := range Sample(rnd, all.people) {
			memberships = append(memberships, s.NewMembership(p, row.ID, membership.Member))
			row.MembershipCount++
		}
		for _, p := range Sample(rnd, all.people) {
			memberships = append(memberships, s.NewMembership(p, row.ID, membership.Manager))
		}
		rows = append(rows, row)
	}
	s.Do(func(ctx context.Context, tx ports.Tx) error {
		for _, row := range rows {
			if err := tx.Groups.Add(ctx, group.Restore(row.State)); err != nil {
				return err
			}
		}
		return fixture.Second(tx.Memberships.AddIfAbsent(ctx, memberships))
	})
	return rows
}

// writeMemberships adds random memberships of a few people. The number of groups grows with the
// number of texts.
func writeMemberships(s fixture.Tenant, rnd *rand.Rand, texts []string) []membership.Membership {
	s.T.Helper()
	all := newPeopleFixture(s)
	var rows []membership.Membership
	for range len(texts) / len(all.people) {
		g := s.AddGroup("Fixture " + s.IDs.New().String()).ID
		for _, p := range all.people {
			for _, role := range Sample(rnd, membership.Roles()) {
				rows = append(rows, membership.Membership{
					ID: membership.ID{UUID: randomID(rnd)}, Person: p, Group: g, Role: role,
					CreatedAt: fixture.Pick(rnd, moments), UpdatedAt: fixture.Pick(rnd, moments),
				})
			}
		}
	}
	s.Do(func(ctx context.Context, tx ports.Tx) error {
		return fixture.Second(tx.Memberships.AddIfAbsent(ctx, rows))
	})
	return rows
}

// peopleFixture contains categories and people, each with a partnership.
type peopleFixture struct {
	categories   []category.ID
	partnerships []person.PartnershipID
	people       []person.ID
}

func newPeopleFixture(s fixture.Tenant) peopleFixture {
	s.T.Helper()
	var c peopleFixture
	mark := s.IDs.New() // a school can have several fixtures
	for i := range 4 {
		c.categories = append(c.categories, s.AddCategory(fmt.Sprintf("Fixture %s %d", mark, i)).ID)
		p := s.AddPerson(fmt.Sprintf("fixture-%s-%d@example.test", mark, i)).ID
		c.people = append(c.people, p)
		c.partnerships = append(c.partnerships, s.AddPartner(p, person.Instructor).ID)
	}
	return c
}

// writePartnerships adds a person for each text, with partnerships in a random selection of roles.
func writePartnerships(s fixture.Tenant, rnd *rand.Rand, texts []string) []person.Partnership {
	s.T.Helper()
	var rows []person.Partnership
	var records []any
	mark := s.IDs.New() // writePartnerships can run twice in a school
	for i := range texts {
		p := s.NewPerson(fmt.Sprintf("staff-%s-%d@example.test", mark, i))
		records = append(records, p)
		for _, role := range Sample(rnd, []person.Role{person.Owner, person.Manager, person.Instructor}) {
			row := person.Partnership{
				ID: person.PartnershipID{UUID: randomID(rnd)}, Person: p.ID, Role: role, CreatedAt: fixture.Pick(rnd, moments),
			}
			rows, records = append(rows, row), append(records, row)
		}
	}
	s.Save(records...)
	return rows
}
