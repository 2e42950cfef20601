package app

import (
	"context"

	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/ports"
)

// join keeps the memberships that seats stand for and the enrollments that
// follow from them, unless a rule refuses one. The people and the groups of all
// seats have been loaded.
func (d deps) join(
	ctx context.Context, tx ports.Tx, people map[person.ID]person.Person, groups map[group.ID]group.Group, seats []Seat,
) error {
	held, courses, err := coursesOf(ctx, tx, seats)
	if err != nil {
		return err
	}
	now := d.clock.Now()
	var rows []membership.Membership
	var places []enrollment.Enrollment
	var refused []error
	for i, s := range seats {
		row, err := membership.Join(membership.ID{UUID: d.ids.New()}, people[s.Person], groups[s.Group], s.Role, now)
		rows, refused = append(rows, row), append(refused, fault.AtRow(err, i))
		if !s.Role.Enrolls() {
			continue
		}
		for _, c := range held[s.Group] {
			place, err := enrollment.Enroll(
				enrollment.ID{UUID: d.ids.New()}, people[s.Person], courses[c], enrollment.Learner, now)
			places, refused = append(places, place), append(refused, fault.AtRow(err, i))
		}
	}
	if err := fault.Join(refused...); err != nil {
		return err
	}
	if _, err := tx.Memberships.AddIfAbsent(ctx, rows); err != nil {
		return err
	}
	_, err = tx.Enrollments.AddIfAbsent(ctx, places)
	return err
}

// coursesOf returns which courses the groups of seats hold, and these courses.
func coursesOf(ctx context.Context, tx ports.Tx, seats []Seat) (map[group.ID][]course.ID, map[course.ID]course.Course, error) {
	groups := make([]group.ID, len(seats))
	for i, s := range seats {
		groups[i] = s.Group
	}
	held, err := tx.Groups.Courses(ctx, groups)
	if err != nil {
		return nil, nil, err
	}
	var ids []course.ID
	for _, courses := range held {
		ids = append(ids, courses...)
	}
	courses, err := tx.Courses.Load(ctx, ids)
	return held, courses, err
}
