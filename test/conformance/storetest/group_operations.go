package storetest

import (
	"context"
	"math"
	"slices"

	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/ports"
)

// The functions in this file call the ports in the same order as the use cases that change groups.
// The guarantees of the ports about locks hold for this order. All functions lock groups before
// people, which prevents deadlocks.

// addPersonToGroup adds a person to a group as member and enrolls the person in the group's
// courses.
func (s tenant) addPersonToGroup(ctx context.Context, tx ports.Tx, p person.ID, g group.ID) error {
	if err := mustShare(ctx, tx, g); err != nil {
		return err
	}
	if _, err := tx.People.GetForUpdate(ctx, p); err != nil {
		return err
	}
	return s.addMembers(ctx, tx, g, p)
}

// addPeopleToGroup adds people to a group as members and enrolls them in the group's courses.
func (s tenant) addPeopleToGroup(ctx context.Context, tx ports.Tx, g group.ID, people ...person.ID) error {
	if err := mustShare(ctx, tx, g); err != nil {
		return err
	}
	found, err := tx.People.GetManyForShare(ctx, people)
	if err != nil {
		return err
	}
	if len(found) < len(people) {
		return fault.RecordNotFound()
	}
	return s.addMembers(ctx, tx, g, people...)
}

func mustShare(ctx context.Context, tx ports.Tx, g group.ID) error {
	found, err := tx.Groups.GetManyForShare(ctx, []group.ID{g})
	if err == nil && len(found) == 0 {
		return fault.RecordNotFound()
	}
	return err
}

// addMembers adds people to a locked group as members and enrolls them in its courses.
func (s tenant) addMembers(ctx context.Context, tx ports.Tx, g group.ID, people ...person.ID) error {
	held, err := tx.Groups.CourseIDs(ctx, []group.ID{g})
	if err != nil {
		return err
	}
	if _, err := tx.Courses.GetManyForShare(ctx, held[g]); err != nil {
		return err
	}
	var ms []membership.Membership
	for _, p := range people {
		ms = append(ms, s.newMembership(p, g, membership.Member))
	}
	if _, err := tx.Memberships.AddIfAbsent(ctx, ms); err != nil {
		return err
	}
	return second(tx.Enrollments.AddIfAbsent(ctx, s.newEnrollments(people, held[g])))
}

// addCoursesToGroup adds courses to a group and enrolls its members in them.
func (s tenant) addCoursesToGroup(ctx context.Context, tx ports.Tx, g group.ID, courses ...course.ID) error {
	if _, err := tx.Groups.GetForUpdate(ctx, g); err != nil {
		return err
	}
	if _, err := tx.Courses.GetManyForShare(ctx, courses); err != nil {
		return err
	}
	if _, err := tx.Groups.AddCourses(ctx, g, courses); err != nil {
		return err
	}
	members, err := tx.Memberships.MemberIDs(ctx, g)
	if err != nil {
		return err
	}
	if _, err := tx.People.GetManyForShare(ctx, members); err != nil {
		return err
	}
	return second(tx.Enrollments.AddIfAbsent(ctx, s.newEnrollments(members, courses)))
}

// newEnrollments returns new enrollments of people as learners in courses.
func (s tenant) newEnrollments(people []person.ID, courses []course.ID) []enrollment.Enrollment {
	var es []enrollment.Enrollment
	for _, c := range courses {
		for _, p := range people {
			es = append(es, s.newEnrollment(p, c, enrollment.Learner))
		}
	}
	return es
}

// tryAddPersonToGroup calls addPersonToGroup in a transaction of its own.
func (s tenant) tryAddPersonToGroup(p person.ID, g group.ID) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return s.addPersonToGroup(ctx, tx, p, g) })
}

// tryAddPeopleToGroup calls addPeopleToGroup in a transaction of its own.
func (s tenant) tryAddPeopleToGroup(g group.ID, people ...person.ID) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error {
		return s.addPeopleToGroup(ctx, tx, g, slices.Clone(people)...)
	})
}

// tryAddCoursesToGroup calls addCoursesToGroup in a transaction of its own.
func (s tenant) tryAddCoursesToGroup(g group.ID, courses ...course.ID) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return s.addCoursesToGroup(ctx, tx, g, courses...) })
}

// endMembership deletes a person's membership as member of a group.
func (s tenant) endMembership(p person.ID, g group.ID) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error {
		if err := mustShare(ctx, tx, g); err != nil {
			return err
		}
		if _, err := tx.People.GetForUpdate(ctx, p); err != nil {
			return err
		}
		return second(tx.Memberships.RemoveFromGroups(ctx, p, membership.Member, []group.ID{g}))
	})
}

// endMemberships deletes the memberships of people as members of a group.
func (s tenant) endMemberships(g group.ID, people ...person.ID) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.Groups.GetForUpdate(ctx, g); err != nil {
			return err
		}
		if _, err := tx.People.GetManyForShare(ctx, people); err != nil {
			return err
		}
		return second(tx.Memberships.RemovePeople(ctx, g, membership.Member, people))
	})
}

// deleteGroup deletes a group and its memberships as a use case does.
func (s tenant) deleteGroup(id group.ID) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.Groups.GetForUpdate(ctx, id); err != nil {
			return err
		}
		if err := second(tx.Memberships.DeleteByGroup(ctx, id, math.MaxInt32)); err != nil {
			return err
		}
		return tx.Groups.Delete(ctx, id)
	})
}
